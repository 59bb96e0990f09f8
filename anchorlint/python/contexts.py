"""Contexts: a function as its callers call it, so that what they pass is what it sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event
from anchorlint.python.failures import Failures
from anchorlint.python.link import Call, Ref
from anchorlint.python.relevance import Relevance
from anchorlint.python.value import Value
from anchorlint.python.view import View

CALLEE_FUEL = 400  #: terms evaluated to learn what one call means
MOST_LEVELS = 3  #: callers of callers
MOST_CALLERS = 4  #: calls of one function
MOST_CONTEXTS = 8  #: contexts of one function in all


class Context(NamedTuple):
    """A function under the arguments of one chain of calls, and the path conditions of those calls, outermost first."""

    view: View
    outer: tuple[Value, ...] = ()
    callers: tuple[View, ...] = ()
    timed: bool = False  #: whether a call on the way stands under a condition that hangs on a clock


class Contexts:
    """Lifts functions into their callers."""

    def __init__(self, engine: Evaluator, failures: Failures, relevance: Relevance) -> None:
        self.engine = engine
        self.relevance = relevance
        self.failures = failures
        self._known: dict[Ref, tuple[Context, ...]] = {}

    def of(self, function: Ref) -> tuple[Context, ...]:
        """The contexts of a function; the function by itself where nobody in the program calls it."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = tuple(self._lifted(function, MOST_LEVELS, frozenset()))[:MOST_CONTEXTS]
        return found

    def _lifted(self, function: Ref, levels: int, above: frozenset[Ref]) -> Iterator[Context]:
        engine = self.engine
        seen = 0
        if levels and function not in above:
            for context, event in self._calls(function, levels, above):
                inner = self.failures.called(context.view, event)
                if inner is None or (inner.module, inner.number) != (function.module, function.number):
                    continue
                seen += 1
                condition = context.view.condition(event.chain)
                timed = context.timed or self.relevance.is_timed(context.view.module, event)
                yield Context(inner, (*context.outer, condition), (*context.callers, context.view), timed)
                if seen >= MOST_CALLERS:
                    return
        if not seen:
            yield Context(engine.view(function.module, function.number))

    def _calls(self, function: Ref, levels: int, above: frozenset[Ref]) -> Iterator[tuple[Context, Event]]:
        linked = self.engine.linked
        record = linked.function(function)
        name = record.name
        if name == "__init__":
            name = linked.modules[function.module].classes[record.cls].name if record.cls >= 0 else name
        found = 0
        for call in linked.calls.get(name, ()):
            caller = Ref("fn", call.module, call.function)
            if caller == function or found >= 2 * MOST_CALLERS or not self._means(call, function):
                continue
            found += 1
            if call.function == 0:
                yield Context(self.engine.view(call.module, 0)), call.event
                continue
            for context in list(self._lifted(caller, levels - 1, above | {function}))[:2]:
                yield context, call.event

    def _means(self, call: Call, function: Ref) -> bool:
        """Whether a call is of this function, as far as the caller alone tells."""
        callee = self.engine.linked.modules[call.module].terms[call.event.a][1]
        told = self.relevance.callees.means(call.module, callee, function)
        if told is not None:
            return told
        view = self.engine.view(call.module, call.function)
        left, self.engine.fuel = self.engine.fuel, min(self.engine.fuel, CALLEE_FUEL)
        given = self.engine.fuel
        meant = view.value(callee)
        self.engine.fuel = left - (given - self.engine.fuel)
        arms = meant.args[0] if meant.kind == "phi" else (meant,)
        return any(a.kind == "fn" and a.args[:2] == (function.module, function.number) for a in arms)
