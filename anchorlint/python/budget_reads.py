"""Reads on a failure edge that decide whether a budget is given back, and whose store they ask."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_paths import trying
from anchorlint.python.budget_places import Write
from anchorlint.python.budget_refunds import Budget, Refunds, Tried
from anchorlint.python.budget_stores import Stores
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_DEPTH = 2  #: callers through which a refund is followed to what it hangs on
_BROAD = {"Exception", "BaseException", "OSError"}


class Read(NamedTuple):
    """A read of a store on a failure edge: where it stands, and where that store is tried."""

    function: Ref
    event: Event
    tried_module: int
    tried: tuple[int, int, int, int]


class Reads:
    """Finds what refunds hang on, in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.refunds = program.part(Refunds)
        self.calls = program.part(CallGraph)
        self.counters = program.part(Ends)
        self.stores = program.part(Stores)

    def of(self, budget: Budget, refund: Write) -> Read | None:
        """The read of the counted store that a refund hangs on; None if it needs none."""
        tried = {t for use in budget.uses for t in self.refunds.tried(use)}
        if not any(True for _ in self.refunds.edges(refund.function, refund.event)):
            return None
        return self._hangs_on(refund.function, refund.event, refund.way, tried, 0)

    def _hangs_on(
        self, function: Ref, event: Event, way: tuple[int, bool] | None, tried: set[Tried], depth: int
    ) -> Read | None:
        for view, condition in self.refunds.guards(function, event, way):
            for answer in self.counters.answers(view, condition):
                asked = self._event(view, answer)
                if asked is not None:
                    read = self._read(function, view, asked, tried)
                    if read is not None:
                        return read
        if depth >= MOST_DEPTH:
            return None
        found = [
            self._hangs_on(Ref("fn", c.module, c.function), c.event, None, tried, depth + 1)
            for c in self.calls.callers(function)
        ]
        return found[0] if found and all(f is not None for f in found) else None

    def _event(self, view: View, call: int) -> Event | None:
        return next((e for e in view.events("call") if e.a == call), None)

    def _read(self, function: Ref, view: View, event: Event, tried: set[Tried]) -> Read | None:
        """The read, if it asks a store that is also used in one of the tries, and its failure is taken care of."""
        if not any(True for _ in self.refunds.edges(function, event)):
            return None
        asked = self.stores.of(view, [event])
        if not asked:
            return None
        where, at = self._guarded(function, view, event)
        for one in tried:
            used = self._used(function, one)
            same = {self.stores.shared(v) for v in asked} & {self.stores.shared(v) for v in used}
            if same or self._same_classes(where, at, one):
                record = self.program.linked.modules[one.module].tries[one.number]
                return Read(where, at, one.module, (record.line, 1, record.line, 4))
        return None

    def _guarded(self, function: Ref, view: View, event: Event) -> tuple[Ref, Event]:
        """The call whose failure is caught: the read itself, or one in the function that it calls."""
        if trying(view.facts, event.chain):
            return function, event
        for callee in self.calls.callees(function.module, function.number, event.a):
            inner = self.program.view(callee)
            for call in inner.events("call"):
                if trying(inner.facts, call.chain) and self.stores.of(inner, [call]):
                    return callee, call
        return function, event

    def _used(self, function: Ref, tried: Tried) -> set[Value]:
        """What the try goes to, as seen by the function that reads: by itself, or through what it was passed."""
        facts = self.program.linked.modules[tried.module]
        outer = self.program.engine.view(tried.module, facts.tries[tried.number].function)
        body = [e for e in outer.function.events if e.kind == "call" and tried.number in trying(facts, e.chain)]
        return self._translated(self.stores.of(outer, body), outer, function)

    def _translated(self, used: set[Value], outer: View, function: Ref) -> set[Value]:
        """The same objects as the reading function sees them: an argument is its parameter, self is self."""
        if (outer.module, outer.number) == (function.module, function.number):
            return used
        inner = self.program.view(function)
        renamed: dict[Value, Value] = {}
        for event in outer.events("call"):
            called = self.stores.failures.called(outer, event)
            if called is not None and (called.module, called.number) == (function.module, function.number):
                for position, given in enumerate(called.args):
                    if given is not None:
                        name = inner.function.params[position].name
                        renamed[given] = self.program.engine.parameter(function.module, function.number, position, name)
        return used | {v for one in used if (v := self._renamed(one, renamed)) is not None}

    def _renamed(self, value: Value, renamed: dict[Value, Value], depth: int = 0) -> Value | None:
        if value in renamed:
            return renamed[value]
        values = self.program.engine.values
        if depth < 6 and value.kind in ("attr", "item", "part"):
            inner = self._renamed(value.args[0], renamed, depth + 1)
            return values(value.kind, inner, *value.args[1:]) if inner is not None else None
        if depth < 6 and value.kind == "result":
            args = tuple(self._renamed(a, renamed, depth + 1) or a for a in value.args[1])
            kwargs = tuple((k, self._renamed(v, renamed, depth + 1) or v) for k, v in value.args[2])
            callee = self._renamed(value.args[0], renamed, depth + 1) or value.args[0]
            return values("result", callee, args, kwargs)
        return None

    def _same_classes(self, function: Ref, event: Event, tried: Tried) -> bool:
        """Whether the read's failure is caught by the classes that the try counts."""
        view = self.program.view(function)
        failures = self.stores.failures
        facts = self.program.linked.modules[tried.module]
        outer = self.program.engine.view(tried.module, facts.tries[tried.number].function)
        counted = failures.handled(outer, tried.number, tried.handler) or ()
        for number in trying(view.facts, event.chain):
            for handler in range(len(view.facts.tries[number].handlers)):
                for one in failures.handled(view, number, handler) or ():
                    if one.dotted.rpartition(".")[2] not in _BROAD and any(
                        failures.is_a(one, c) or failures.is_a(c, one) for c in counted
                    ):
                        return True
        return False
