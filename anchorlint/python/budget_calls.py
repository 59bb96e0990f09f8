"""Who calls whom, as far as values tell: the callees of a call and the callers of a function."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.knowledge.families import parts
from anchorlint.python.budget_types import Types
from anchorlint.python.facts import Event
from anchorlint.python.link import Call, Ref, last_name
from anchorlint.python.program import Program

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
        self.types = program.part(Types)
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
        """What a callee's name or written type says that it is."""
        linked = self.program.linked
        term = linked.modules[module].terms[callee]
        if term[0] == "def":
            return (Ref("fn", module, term[1]),)
        ref = linked.expression(module, callee)
        if ref is None:
            ref = self.types.method(module, function, callee)
        elif ref.kind == "val":
            ref = linked.expression(ref.module, ref.number)
        if ref is not None and ref.kind == "cls":
            ref = linked.method(ref, "__init__")
        return (ref,) if ref is not None and ref.kind == "fn" else ()

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
        facts = self.program.linked.modules[function.module]
        if record.outer > 0:  # an inner function is called by what it is, not by a name
            for event in facts.functions[record.outer].events:
                if event.kind == "call" and facts.terms[facts.terms[event.a][1]] == ("def", function.number):
                    yield Call(function.module, record.outer, event)
        if name == "__init__" and record.cls >= 0:
            name = facts.classes[record.cls].name
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
            if callee[2] in _LEVELS or set(callee[2]) == {"v"} or callee[2] == owner == "display":
                if set(callee[2]) == {"v"} or callee[2] == owner:
                    return True
                logs = owner in self.program.words["log"] or terms[callee[1]][0] == "call"
                return logs or self._target(module, terms[event.a][1]).startswith(_LOGS)
            return bool(_METRICS & set(parts(owner))) or callee[2] in _METRIC_CALLS
        return callee[0] == "name" and (callee[1] == "print" or callee[1].startswith("log"))

    def _target(self, module: int, callee: int) -> str:
        ref = self.program.linked.expression(module, callee)
        return ref.dotted if ref is not None else ""
