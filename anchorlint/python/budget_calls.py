"""Who calls whom, as far as values tell: the callees of a call and the callers of a function."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event
from anchorlint.python.link import Call, Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.value import Value

MOST_CALLS = 60  #: calls of one name that are looked at
MOST_CALLERS = 8  #: callers of one function
_LEVELS = {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "msg", "trace",
           "notice"}  # fmt: skip
_METRICS = {"metric", "metrics", "statsd", "gauge", "histogram", "counters", "stats", "span", "tracer", "sentry"}
_METRIC_CALLS = {"incr", "observe", "inc", "capture_exception", "capture_message", "add_event", "record_exception"}
_LOGS = ("logging.", "structlog.", "loguru.", "warnings.")


class CallGraph:
    """Calls between the functions of one program, worked out where they are asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._callers: dict[Ref, tuple[Call, ...]] = {}
        self._callees: dict[tuple[int, int, int], tuple[Ref, ...]] = {}

    def callees(self, module: int, function: int, term: int) -> tuple[Ref, ...]:
        """The functions of the project that a call may mean; a class stands for its constructor."""
        key = (module, function, term)
        found = self._callees.get(key)
        if found is None:
            self._callees[key] = ()
            callee = self.program.linked.modules[module].terms[term][1]
            found = self._callees[key] = self._resolved(module, function, callee)
        return found

    def _resolved(self, module: int, function: int, callee: int) -> tuple[Ref, ...]:
        """What a plain name or a method of the own class refers to, else what the callee's value is."""
        linked = self.program.linked
        ref = linked.expression(module, callee)
        if ref is not None and ref.kind == "fn":
            return (ref,)
        if ref is not None and ref.kind == "cls":
            made = linked.method(ref, "__init__")
            return (made,) if made is not None else ()
        if ref is not None and ref.kind == "ext":
            return ()
        own = self._own(module, function, callee)
        if own is not None:
            return own
        called = self.program.engine.view(module, function).value(callee)
        return tuple(dict.fromkeys(self._functions(called)))[:4]

    def _own(self, module: int, function: int, callee: int) -> tuple[Ref, ...] | None:
        linked = self.program.linked
        terms, record = linked.modules[module].terms, linked.modules[module].functions[function]
        term = terms[callee]
        if term[0] != "attr":
            return None
        if record.cls >= 0 and terms[term[1]] == ("param", function, 0):
            cls = Ref("cls", module, record.cls)
            method = linked.method(cls, term[2])
            return (method,) if method is not None and cls not in linked.subclasses else None
        if term[2] not in linked.methods and term[2] not in self._callable_fields:
            return ()  # a method that no class of the project has
        return None

    @cached_property
    def _callable_fields(self) -> frozenset[str]:
        """Names of attributes that are stored anywhere: what they hold may be a function of the project."""
        found: set[str] = set()
        for facts in self.program.linked.modules:
            for function in facts.functions:
                found.update(
                    facts.terms[e.a][2] for e in function.events if e.kind == "set" and facts.terms[e.a][0] == "attr"
                )
            for cls in facts.classes:
                found.update(name for name, *_ in cls.fields)
        return frozenset(found)

    def _functions(self, called: Value) -> Iterator[Ref]:
        if called.kind == "fn":
            yield Ref("fn", *called.args[:2])
        elif called.kind == "cls":
            made = self.program.linked.method(Ref("cls", *called.args), "__init__")
            if made is not None:
                yield made
        elif called.kind == "partial":
            yield from self._functions(called.args[0])
        elif called.kind in ("phi", "case"):
            for arm in called.args[0]:
                yield from self._functions(arm[1] if called.kind == "case" else arm)

    def callers(self, function: Ref) -> tuple[Call, ...]:
        """The calls of a function in the project, test modules left out."""
        found = self._callers.get(function)
        if found is None:
            self._callers[function] = ()
            found = self._callers[function] = tuple(self._calling(function))[:MOST_CALLERS]
        return found

    def _calling(self, function: Ref) -> Iterator[Call]:
        record = self.program.linked.function(function)
        name = record.name
        if name == "__init__" and record.cls >= 0:
            name = self.program.linked.modules[function.module].classes[record.cls].name
        for call in self.program.linked.calls.get(name, ())[:MOST_CALLS]:
            in_tests = call.module in self.program.tests and function.module not in self.program.tests
            if not in_tests and function in self.callees(call.module, call.function, call.event.a):
                yield call

    def is_log(self, module: int, event: Event, function: int) -> bool:
        """Whether a call only writes down: a logger's method, print, a metric."""
        terms = self.program.linked.modules[module].terms
        callee = terms[terms[event.a][1]]
        if callee[0] == "attr":
            owner = last_name(terms, callee[1])
            if callee[2] in _LEVELS:
                logs = owner in self.program.words["log"] or terms[callee[1]][0] == "call"
                return logs or self._target(module, function, terms[event.a][1]).startswith(_LOGS)
            return bool(_METRICS & set(parts(owner))) or callee[2] in _METRIC_CALLS
        return callee[0] == "name" and (callee[1] == "print" or callee[1].startswith("log"))

    def _target(self, module: int, function: int, callee: int) -> str:
        engine = self.program.engine
        return engine.calls.target(engine.view(module, function).value(callee))
