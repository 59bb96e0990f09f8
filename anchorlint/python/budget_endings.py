"""Endings: what a function seals once a budget is spent, under the name of that budget."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.budget_ends import Ends, Spent
from anchorlint.python.budget_labels import Labels
from anchorlint.python.budget_losses import Losses
from anchorlint.python.budget_paths import holds
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import Event, Function
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

_SEALS = frozenset({"raise", "ret", "call", "set"})
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

    # what is sealed

    def functions(self) -> Iterator[Ref]:
        """The functions that are asked about and may have an ending: the others have nothing that `of` looks at."""
        for module, facts in enumerate(self.linked.modules):
            if self.program.is_asked(module):
                standing = self.counters.suspects.standing(module)
                for number, record in enumerate(facts.functions):
                    function = Ref("fn", module, number)
                    if number in standing or self._may_be_called(function, record):
                        yield function

    def of(self, function: Ref) -> Iterator[Ending]:
        """The endings of a function that are named after a budget which is spent there."""
        view = self.program.view(function)
        called = self._may_be_called(function, view.function)
        suspects = self.counters.suspects.paths(function.module)
        found: list[Ending] = []
        for event in view.function.events:
            if event[0] not in _SEALS or not called and event[1] not in suspects:
                continue
            label = self.label(view, event)
            if label is None:
                continue
            if not label and event[1] not in suspects:
                continue
            spent = self._spent(view, event, bool(label))
            if spent is not None and (label or self._numbers(view, event, spent)):
                found.append(Ending(function, event, spent, label or "", bool(label)))
        yield from self._outermost(found)

    def _may_be_called(self, function: Ref, record: Function) -> bool:
        """Whether a function may be called where a budget is over, so that it need not look for itself."""
        if record.outer > 0 and self._calls_inner(function.module, record.outer):
            return True
        name = record.name
        if name == "__init__" and record.cls >= 0:
            name = self.linked.modules[function.module].classes[record.cls].name
        return name in self._called_under or function in self._called_at_end

    def _calls_inner(self, module: int, outer: int) -> bool:
        suspects = self.counters.suspects.paths(module)
        events = self.linked.modules[module].functions[outer].events
        return any([event[0] == "call" and event[1] in suspects for event in events])

    @cached_property
    def _called_under(self) -> frozenset[str]:
        """The last names of what is called where a budget may be over."""
        found: set[str] = set()
        for module, index in enumerate(self.linked.indexes):
            suspects, terms = self.counters.suspects.paths(module), index.facts.terms
            if suspects:
                calls = [terms[event[2]][1] for _, event in index.events("call") if event[1] in suspects]
                found.update([last_name(terms, callee) for callee in calls])
        return frozenset(found)

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
