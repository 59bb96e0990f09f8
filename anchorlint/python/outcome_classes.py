"""What an except clause lets in: proof of absence, transport trouble, or failures that stay for ever."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.knowledge.families import parts
from anchorlint.python.link import Ref

if TYPE_CHECKING:
    from anchorlint.python.failures import Failures
    from anchorlint.python.view import View

_FAILURE = frozenset({"error", "exception", "failure", "base", "errors"})
_FAMILIES = frozenset({
    "http", "https", "client", "api", "request", "requests", "response", "service", "server", "database", "db", "os",
    "operational", "programming", "interface", "internal", "rpc", "grpc", "remote", "call", "cloud", "storage", "s",
    "amqp", "core", "driver", "backend", "vendor", "soap", "rest", "web", "sql", "py", "mongo", "boto", "botocore",
    "sdk", "status",
})  # fmt: skip
_GENERAL = {"Exception", "BaseException", "OSError", "IOError", "EnvironmentError", "RuntimeError", "ValueError"}
_WIDE = {"Exception", "BaseException"}
_LEAVING = {"KeyboardInterrupt", "SystemExit", "GeneratorExit", "asyncio.CancelledError",
            "concurrent.futures.CancelledError", "StopIteration", "StopAsyncIteration"}  # fmt: skip
_ABSENT = {
    "LookupError", "ValueError", "AttributeError", "TypeError", "ImportError", "NameError", "FileNotFoundError",
    "ProcessLookupError", "NotADirectoryError", "IsADirectoryError", "FileExistsError", "ArithmeticError",
    "AssertionError", "NotImplementedError", "EOFError", "SyntaxError", "RecursionError", "queue.Empty", "queue.Full",
    "asyncio.QueueEmpty", "asyncio.QueueFull", "subprocess.CalledProcessError", "configparser.Error", "struct.error",
    "binascii.Error", "zlib.error", "re.error", "csv.Error", "pickle.UnpicklingError", "tarfile.ReadError",
    "zipfile.BadZipFile", "ElementTree.ParseError", "Warning",
}  # fmt: skip
#: words of a class name that say "it is not there", "not what you think" or "somebody else was first"
_ABSENT_WORDS = frozenset({
    "missing", "absent", "empty", "invalid", "validation", "parse", "parser", "parsing", "decode", "decoding",
    "malformed", "unsupported", "duplicate", "exists", "conflict", "integrity", "schema", "syntax", "format",
    "configuration", "config", "deserialization", "unmarshal", "conversion", "implemented",
})  # fmt: skip
_ABSENT_PAIRS = (("not", "found"), ("does", "not"), ("no", "such"), ("not", "exist"), ("no", "result"), ("no", "rows"),
                 ("not", "exists"), ("nosuch", ""), ("notfound", ""), ("unknown", ""),
                 ("not", "supported"))  # fmt: skip
_TRANSPORT = {"ConnectionError", "TimeoutError", "InterruptedError", "BlockingIOError", "socket.timeout",
              "socket.gaierror", "socket.herror", "asyncio.TimeoutError", "asyncio.IncompleteReadError",
              "http.client.RemoteDisconnected", "http.client.IncompleteRead", "ssl.SSLError", "EOFError"}  # fmt: skip
_TRANSPORT_WORDS = frozenset({
    "connection", "connect", "disconnected", "disconnect", "timeout", "timed", "timedout", "unavailable", "transport",
    "network", "reset", "closed", "throttled", "throttling", "busy", "deadlock", "lock", "retryable", "retriable",
    "temporary", "transient", "overloaded", "again", "aborted", "unreachable", "interrupted", "ratelimit", "rate",
    "serialization",
})  # fmt: skip


class Caught:
    """Judges the classes of except clauses in one program."""

    def __init__(self, failures: Failures) -> None:
        self.failures = failures
        self.families = failures.engine.models.families
        self._kinds: dict[Ref, str] = {}

    def kinds(self, view: View, number: int, handler: int) -> frozenset[str] | None:
        """The kinds of an except clause's classes; None where nothing tells what it takes."""
        classes = self.failures.handled(view, number, handler)
        return None if classes is None else frozenset(self.kind(ref) for ref in classes)

    def kind(self, ref: Ref) -> str:
        """What a class lets in.

        `wide` Exception, `leaving` what ends a task, `absent` proof, `transport`, `files` OSError, `mixed` a whole
        family of failures, `unknown` any other.
        """
        found = self._kinds.get(ref)
        if found is None:
            found = self._kinds[ref] = self._kind(ref)
        return found

    def _kind(self, ref: Ref) -> str:
        name = ref.dotted.removeprefix("builtins.")
        if ref.kind == "ext" and name in _WIDE:
            return "wide"
        names = self._names(ref)
        if any(n in _LEAVING for n in names):
            return "leaving"
        said = self._by_names(names)
        if said:
            return said
        if self._speaks(ref, name, _TRANSPORT_WORDS):
            return "transport"
        if self._speaks(ref, name, _ABSENT_WORDS) or self._pairs(ref, name):
            return "absent"
        if names and names[0] in ("OSError", "IOError", "EnvironmentError"):
            return "files"
        return "mixed" if self._is_family(ref, name) else "unknown"

    def _is_family(self, ref: Ref, name: str) -> bool:
        """Whether a class stands for all failures of a library or service: `KafkaError`, `ApiException`."""
        if ref.kind == "cls":
            return len(self.failures.engine.linked.subclasses.get(ref, ())) > 1
        words = set(parts(name.rpartition(".")[2])) - _FAILURE
        return words <= _FAMILIES | set(parts(name.rpartition(".")[0].partition(".")[0]))

    def _names(self, ref: Ref) -> list[str]:
        names: list[str] = []
        for one in self.failures.engine.linked.mro(ref):
            if one.kind == "ext":
                names += self.families.bases(one.dotted.removeprefix("builtins."))
        return [n.removeprefix("builtins.") for n in names]

    def _by_names(self, names: list[str]) -> str:
        """What the models, or the list of what Python brings along, say of a class or the nearest one above it."""
        for name in names:
            if name in _GENERAL:
                return ""
            meaning = self._meanings.get(name)
            if meaning:
                return meaning
            if name in _TRANSPORT:
                return "transport"
            if name in _ABSENT:
                return "absent"
        return ""

    @cached_property
    def _meanings(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in self.failures.engine.models.exceptions:
            for kinds, said in (
                (one.mixed, "mixed"),
                ((*one.outage, *one.throttled), "transport"),
                ((*one.gone, *one.expired, *one.refused, *one.conflict), "absent"),
            ):
                for name in kinds:
                    found.setdefault(self.families.usual(name), said)
        return found

    def _speaks(self, ref: Ref, name: str, words: frozenset[str]) -> bool:
        return not words.isdisjoint(parts(self._last(ref, name)))

    def _pairs(self, ref: Ref, name: str) -> bool:
        spelled = "_".join(parts(self._last(ref, name)))
        return any("_".join(filter(None, pair)) in spelled for pair in _ABSENT_PAIRS)

    def _last(self, ref: Ref, name: str) -> str:
        return self.failures.engine.linked.cls(ref).name if ref.kind == "cls" else name.rpartition(".")[2]
