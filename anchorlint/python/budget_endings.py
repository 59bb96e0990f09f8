"""Endings: what a function seals once a budget is spent, under the name of that budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.budget_ends import Ends, Spent
from anchorlint.python.budget_labels import Labels
from anchorlint.python.budget_losses import Losses
from anchorlint.python.budget_paths import holds
from anchorlint.python.budget_sealed import Sealed
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.view import View

_AT_END = {"retry_error_callback", "on_giveup"}  # tenacity, backoff


class Ending(NamedTuple):
    """What is sealed at `event` under `spent`; `label` names the budget, `said` is whether it does so in words."""

    function: Ref
    event: Event
    spent: Spent
    label: str
    said: bool


class Endings(Labels):
    """Finds the endings of budgets in one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.counters = program.part(Ends)
        self.causes = program.part(Losses)
        self.sealed = program.part(Sealed)
        self._called_under: dict[str, bool] = {}

    # what is sealed

    def functions(self) -> Iterator[tuple[Ref, list[Event]]]:
        """The functions that are asked about and may have an ending, with the events that may be one."""
        stands = self.counters.suspects.stands
        for module in range(len(self.linked.modules)):
            for number, events in self.sealed.of(module).items() if self.program.is_asked(module) else ():
                function = Ref("fn", module, number)
                there = [stands(module, number, event[1]) for event, _ in events]
                asks = any([named and not found for (_, named), found in zip(events, there, strict=True)])
                called = asks and self._may_be_called(function)
                if called or any(there):
                    each = zip(events, there, strict=True)
                    yield function, [event for (event, named), found in each if found or called and named]

    def of(self, function: Ref, events: Iterable[Event]) -> Iterator[Ending]:
        """Those of these events of a function that are endings, named after a budget which is spent there."""
        view = self.program.view(function)
        stands = self.counters.suspects.stands
        found: list[Ending] = []
        for event in events:
            label = self.label(view, event)
            if label is None or not label and not stands(function.module, function.number, event.chain):
                continue
            spent = self._spent(view, event, bool(label))
            if spent is not None and (label or self._numbers(view, event, spent)):
                found.append(Ending(function, event, spent, label or "", bool(label)))
        yield from self._outermost(found)

    def _may_be_called(self, function: Ref) -> bool:
        """Whether a function may be called where a budget is over, so that it need not look for itself."""
        record = self.linked.function(function)
        if record.outer > 0 and self._calls_inner(function.module, record.outer):
            return True
        name = record.name
        if name == "__init__" and record.cls >= 0:
            name = self.linked.modules[function.module].classes[record.cls].name
        return self._is_called_under(name) or function in self._called_at_end

    def _calls_inner(self, module: int, outer: int) -> bool:
        stands = self.counters.suspects.stands
        events = self.linked.modules[module].functions[outer].events
        return any(event[0] == "call" and stands(module, outer, event[1]) for event in events)

    def _is_called_under(self, name: str) -> bool:
        """Whether something of this last name is called where a budget may be over."""
        found = self._called_under.get(name)
        if found is None:
            stands = self.counters.suspects.stands
            calls = self.linked.calls.get(name)
            found = self._called_under[name] = any(stands(c.module, c.function, c.event[1]) for c in calls)
        return found

    def _outermost(self, found: list[Ending]) -> Iterator[Ending]:
        for one in found:
            if not any(other is not one and holds(other.event, one.event) for other in found):
                yield one

    def _spent(self, view: View, event: Event, named: bool) -> Spent | None:
        found = next(self.counters.spent_on(view, event.chain), None)
        function = Ref("fn", view.module, view.number)
        if found is None and named and function in self._called_at_end:
            return Spent("callback", function, 0)
        return found or (self._spent_outside(view) if named else None)

    @cached_property
    def _called_at_end(self) -> frozenset[Ref]:
        """The functions that a retry decorator calls once its budget is spent."""
        found: set[Ref] = set()
        for module, facts in enumerate(self.linked.modules):
            for record in facts.functions:
                for decorator in record.decorators:
                    term = facts.terms[decorator]
                    for name, value in term[3] if term[0] == "call" else ():
                        ref = self.linked.expression(module, value) if name in _AT_END else None
                        if ref is not None and ref.kind == "fn":
                            found.add(ref)
        return frozenset(found)

    def _spent_outside(self, view: View) -> Spent | None:
        """A function that is only called once a budget is over."""
        function = Ref("fn", view.module, view.number)
        found = None
        for call in self.calls.callers(function):
            outer = self.program.engine.view(call.module, call.function)
            found = next(self.counters.spent_on(outer, call.event.chain), None)
            if found is None:
                return None
        return found

    def _numbers(self, view: View, event: Event, spent: Spent) -> bool:
        """Whether the text of an ending gives the count or the limit that was reached."""
        if spent.function != Ref("fn", view.module, view.number):
            return False
        wanted = {n for n in (spent.term, spent.limit) if n >= 0 and view.terms[n][0] != "const"}
        pending = [event.a] if event.kind != "set" else [event.b]
        seen: set[int] = set()
        in_text = False
        while pending and len(seen) < 200:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            in_text = in_text or view.terms[number][0] == "fstr"
            if number in wanted and in_text:
                return True
            pending += parts(view.terms[number])
        return False
