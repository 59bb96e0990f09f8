"""What a stretch of code talks to outside of the program: the objects whose calls can fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.facts import Event
from anchorlint.python.failures import Failures
from anchorlint.python.link import last_name
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_DEPTH = 3  #: calls that are followed into
MOST_FOUND = 60  #: objects of one stretch of code
_LOCAL = {"stat", "exists", "is_file", "is_dir", "tell", "getsize", "qsize", "empty", "getmtime", "append", "pop",
          "add", "update", "items", "values", "keys", "get", "clear", "format", "join", "split", "encode", "decode",
          "strip", "is_set", "set", "copy", "index", "count", "extend", "setdefault", "discard", "remove"}  # fmt: skip
_PLAIN = ("builtins.", "time.", "asyncio.", "random.", "os.", "pathlib.", "logging.", "json.", "math.", "itertools.",
          "functools.", "collections.", "contextlib.", "datetime.", "re.", "uuid.", "hashlib.", "traceback.",
          "struct.", "copy.", "enum.", "dataclasses.", "typing.", "threading.")  # fmt: skip


class Stores:
    """Follows calls to the clients, pools and connections that they go through."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.calls = program.part(CallGraph)
        self.failures = Failures(program.engine)

    def of(self, view: View, events: Iterable[Event], depth: int = 0) -> set[Value]:
        """The outside objects that these calls go to, as values of `view`."""
        found: set[Value] = set()
        for event in events:
            if event.kind != "call" or len(found) >= MOST_FOUND:
                continue
            if self.calls.is_log(view.module, event, view.number):
                continue
            inner = self.failures.called(view, event)
            if inner is not None:
                if depth < MOST_DEPTH:
                    found |= self.of(inner, inner.function.events, depth + 1)
                continue
            found |= set(self._outside(view, event))
        return found

    def _outside(self, view: View, event: Event) -> Iterator[Value]:
        callee = view.value(view.terms[event.a][1])
        if callee.kind == "ext":
            if not callee.args[0].startswith(_PLAIN):
                yield view.value(event.a)
            return
        if callee.kind != "attr":
            return
        receiver = callee.args[0]
        if last_name(view.terms, view.terms[event.a][1]) in _LOCAL and not self._is_foreign(receiver):
            return
        if receiver.kind in ("ext", "mod", "cls", "str", "lin", "seq", "map", "unknown", "fstr"):
            return
        if receiver.kind == "param" and receiver.args[2] == 0 and self._is_self(receiver):
            return
        yield receiver

    def _is_foreign(self, receiver: Value) -> bool:
        """Whether a library's class says that a call leaves the program, although a dict has a method of its name."""
        found = self.program.engine.attributes.type_of(receiver)
        return found is not None and found.kind == "ext" and not found.dotted.startswith(_PLAIN)

    def shared(self, value: Value, depth: int = 0) -> Value:
        """The value as every method of the class sees it: `self` is one object, whichever method it is passed to."""
        values = self.program.engine.values
        if value.kind == "param" and value.args[2] == 0 and self._is_self(value):
            cls = self.program.engine.attributes.type_of(value)
            return values("global", cls.module, f"self {cls.number}") if cls is not None else value
        if depth < 8 and value.kind in ("attr", "item", "part"):
            return values(value.kind, self.shared(value.args[0], depth + 1), *value.args[1:])
        if depth < 8 and value.kind == "result":
            args = tuple(self.shared(a, depth + 1) for a in value.args[1])
            kwargs = tuple((k, self.shared(v, depth + 1)) for k, v in value.args[2])
            return values("result", self.shared(value.args[0], depth + 1), args, kwargs)
        return value

    def _is_self(self, receiver: Value) -> bool:
        return self.program.linked.modules[receiver.args[0]].functions[receiver.args[1]].cls >= 0
