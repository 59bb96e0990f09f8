"""Clauses: the try statements of a program, and which except clauses may turn a failed read into a value."""

from __future__ import annotations

from collections.abc import Sequence

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_classes import Caught
from anchorlint.python.outcome_terms import frames, inside

DOUBTFUL = frozenset({"wide", "mixed", "unknown", "transport", "files"})
_PURE_MODULES = frozenset({
    "json", "re", "math", "datetime", "time", "copy", "uuid", "hashlib", "hmac", "base64", "binascii", "struct", "ast",
    "importlib", "inspect", "logging", "itertools", "functools", "operator", "collections", "decimal", "fractions",
    "string", "textwrap", "types", "typing", "dataclasses", "enum", "random", "secrets", "statistics", "zlib", "gzip",
    "pickle", "yaml", "toml", "tomllib", "csv", "io", "shlex", "difflib", "html", "xml", "locale", "gettext", "sys",
    "warnings", "traceback", "contextlib", "weakref", "asyncio", "concurrent", "threading", "numbers", "ipaddress",
    "packaging", "platform", "urllib.parse", "voluptuous", "jsonschema", "pydantic", "msgpack", "orjson", "ujson",
})  # fmt: skip
_WAITS = frozenset({"wait", "wait_for", "sleep", "join", "acquire", "gather", "as_completed", "cancel", "group", "log",
                    "loads", "dumps"})  # fmt: skip
#: a call of such a name changes something; that it failed is no failed read
_COMMANDS = frozenset({
    "set", "put", "post", "patch", "update", "create", "send", "submit", "propose", "write", "delete", "remove",
    "start", "stop", "publish", "save", "store", "register", "acquire", "handle", "apply", "perform", "deliver",
    "notify", "emit", "connect", "login", "authenticate", "close", "build", "compile", "render", "format", "parse",
    "validate", "convert", "install", "enqueue", "dispatch", "trigger", "subscribe", "push", "upload", "insert", "add",
    "make", "move", "rename", "encode", "decode", "import", "ping", "lock", "unlock", "release", "refresh", "reload",
    "try",
})  # fmt: skip
_OWN_BUILTINS = frozenset({"builtins.open"})


def may_ask(name: str) -> bool:
    """Whether a call of this name may be a question to the outside: it does not wait, and gives no command."""
    return name not in _WAITS and _COMMANDS.isdisjoint(parts(name)[:2])


def is_outside(dotted: str) -> bool:
    """Whether a function that is not the project's reaches out of the process."""
    if dotted.startswith("builtins."):
        return dotted in _OWN_BUILTINS
    if dotted.startswith(("os.path.join", "os.environ", "os.getenv", "os.getpid", "os.cpu", "?.")):
        return False
    return dotted.partition(".")[0] not in _PURE_MODULES and dotted.rpartition(".")[0] not in _PURE_MODULES


class Clauses:
    """Knows the try statements of one program; nothing here is evaluated."""

    def __init__(self, caught: Caught) -> None:
        self.caught = caught
        self.linked = caught.failures.engine.linked
        self._tries: dict[int, dict[int, list[int]]] = {}
        self._bodies: dict[tuple[int, int], list[Event]] = {}
        self._handled: dict[tuple[int, int, int], list[Event]] = {}
        self._sorted: set[tuple[int, int]] = set()
        self._exceptions: dict[int, dict[tuple[int, int], int]] = {}
        self._may: dict[tuple[int, int, int], bool] = {}

    def of(self, module: int, function: int) -> Sequence[int]:
        """The numbers of a function's tries."""
        found = self._tries.get(module)
        if found is None:
            found = self._tries[module] = {}
            for number, record in enumerate(self.linked.modules[module].tries):
                found.setdefault(record.function, []).append(number)
        return found.get(function, ())

    def body(self, module: int, number: int) -> Sequence[Event]:
        """The calls in the body of a try, in source order."""
        self._sort(module, number)
        return self._bodies.get((module, number), ())

    def handled(self, module: int, number: int, handler: int) -> Sequence[Event]:
        """What stands in an except clause, or came through it last, calls left out."""
        self._sort(module, number)
        return self._handled.get((module, number, handler), ())

    def _sort(self, module: int, number: int) -> None:
        """Lay the events of a try's function out by try and by except clause."""
        facts = self.linked.modules[module]
        function = facts.tries[number].function
        if (module, function) in self._sorted:
            return
        self._sorted.add((module, function))
        for event in facts.functions[function].events:
            innermost = event.kind != "call"
            for frame in frames(facts, event.chain):
                if frame[1] == "try" and event.kind == "call":
                    self._bodies.setdefault((module, frame[2]), []).append(event)
                elif frame[1] == "exc" and innermost:
                    innermost = False
                    self._handled.setdefault((module, frame[2], frame[3]), []).append(event)

    def may_convert(self, module: int, number: int, handler: int) -> bool:
        """Whether a clause may turn a failed read into a value: what it takes, what was asked, what it does."""
        key = (module, number, handler)
        found = self._may.get(key)
        if found is None:
            found = self._may[key] = self._may_convert(module, number, handler)
        return found

    def _may_convert(self, module: int, number: int, handler: int) -> bool:
        if not self.may_fail(module, number, handler):
            return False
        facts = self.linked.modules[module]
        for event in self.handled(module, number, handler):
            if self.asks(module, event, number, handler):
                return False
            if event.kind == "raise" and not self._is_tested(facts, event, number, handler):
                return False
        return True

    def may_fail(self, module: int, number: int, handler: int) -> bool:
        """Whether a clause may take the failure of a read."""
        facts = self.linked.modules[module]
        record = facts.tries[number]
        if record.kind == "attempt" or not self._is_doubtful(facts, module, record.handlers[handler].types):
            return False
        return any(self._may_reach(facts, module, event) for event in self.body(module, number))

    def _is_doubtful(self, facts: Facts, module: int, types: int) -> bool:
        """Whether a clause may take more than proof of absence; so it is where names alone do not tell."""
        if types == NONE:
            return True
        term = facts.terms[types]
        for one in term[2] if term[0] == "seq" else (types,):
            ref = self.linked.expression(module, one)
            if ref is None or ref.kind not in ("cls", "ext") or facts.terms[one][0] == "sub":
                return True
            named = Ref("ext", dotted=ref.dotted.removeprefix("builtins.")) if ref.kind == "ext" else ref
            if self.caught.kind(named) in DOUBTFUL:
                return True
        return False

    def _may_reach(self, facts: Facts, module: int, event: Event) -> bool:
        callee = facts.terms[event.a][1]
        if not may_ask(last_name(facts.terms, callee)):
            return False
        if facts.terms[callee][0] not in ("name", "import"):
            return True
        ref = self.linked.expression(module, callee)
        if ref is None or ref.kind not in ("cls", "ext"):
            return True
        return ref.kind == "ext" and is_outside(ref.dotted)

    def asks(self, module: int, event: Event, number: int, handler: int) -> bool:
        """Whether an event in a handler stands behind a test of what was caught: a code, a status, a class."""
        facts = self.linked.modules[module]
        caught = self._caught(module).get((number, handler), NONE)
        for frame in frames(facts, event.chain):
            if frame[1] == "exc" and frame[2:4] == (number, handler):
                return False
            if caught >= 0 and frame[1] == "test" and caught in set(inside(facts, frame[2])):
                return True
        return False

    def _caught(self, module: int) -> dict[tuple[int, int], int]:
        """The terms of the caught exceptions of a module."""
        found = self._exceptions.get(module)
        if found is None:
            terms = self.linked.modules[module].terms
            found = self._exceptions[module] = {(t[1], t[2]): n for n, t in enumerate(terms) if t[0] == "exc"}
        return found

    def _is_tested(self, facts: Facts, event: Event, number: int, handler: int) -> bool:
        for frame in frames(facts, event.chain):
            if frame[1] == "exc" and frame[2:4] == (number, handler):
                return False
            if frame[1] in ("test", "join"):
                return True
        return False
