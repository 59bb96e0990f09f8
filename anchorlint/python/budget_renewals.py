"""Give-backs that prove nothing: on connecting, on the failure path, at the loop's head, or by a fresh object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_paths import above, frames, handlers, loops
from anchorlint.python.budget_places import Write
from anchorlint.python.budget_progress import Progress
from anchorlint.python.budget_refunds import Budget, Refunds, Tried
from anchorlint.python.budget_unproven import Unproven
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_DEPTH = 3


class Renewal(NamedTuple):
    """A give-back without progress: where it stands, and what it takes for progress."""

    function: Ref
    event: Event
    text: str
    tried: Tried


class Renewals(Unproven):
    """Finds budgets of one program that are given back for nothing."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.linked = program.linked
        self.counters = program.part(Ends)
        self.refunds = program.part(Refunds)
        self.progress = program.part(Progress)

    def of(self, budget: Budget) -> Iterator[Renewal]:
        """The give-backs of one budget that lie on a way from one failure to the next of the same work."""
        tried = list(dict.fromkeys(t for use in budget.uses for t in self.refunds.tried(use)))
        for refund in budget.refunds:
            if refund.keyed or refund.way is not None:
                continue
            for one in tried:
                text = self._for_nothing(refund, one, budget)
                if text is not None:
                    yield Renewal(refund.function, refund.event, text, one)
                    break
        yield from self._made_anew(budget, tried)

    def _for_nothing(self, refund: Write, tried: Tried, budget: Budget) -> str | None:
        if self.refunds.guards(refund.function, refund.event, None) and not self._only_budget(
            refund.function, refund.event
        ):
            return None
        if self._on_failure(refund, budget):
            return "on the failure path itself"
        if self._at_head(refund, tried, budget):
            return "at the head of each turn"
        return self._on_the_way(refund.function, refund.event, tried, 0)

    def _only_budget(self, function: Ref, event: Event) -> bool:
        """Whether the only tests on the way to an event ask whether the budget is over, and it is not."""
        view = self.program.view(function)
        for _, frame in frames(view.facts, event.chain):
            if frame[0] == "test":
                asked = self.counters.spent(view, frame[1], True) or self.counters.spent(view, frame[1], False)
                if asked is None or frame[3] and self.counters.spent(view, frame[1], frame[2]) is not None:
                    return False
        return True

    # on the failure path

    def _on_failure(self, refund: Write, budget: Budget) -> bool:
        """In the handler that has just counted, or in a function that only handlers call."""
        facts = self.linked.modules[refund.function.module]
        around = handlers(facts, refund.event.chain)
        if around:
            return self._counted_before(refund.function, around[0], refund.event, budget)
        return self._only_handled(refund.function, refund.event, budget, 0)

    def _counted_before(self, function: Ref, handler: tuple[int, int], event: Event, budget: Budget) -> bool:
        """Whether the handler has counted the failure before."""
        facts = self.linked.modules[function.module]
        return any(
            use.function == function and handler in handlers(facts, use.event.chain) and use.event.line < event.line
            for use in budget.uses
        )

    def _only_handled(self, function: Ref, event: Event, budget: Budget, depth: int) -> bool:
        """Whether a function that restores the budget is called by the handler that has just counted."""
        view = self.program.view(function)
        before = [e for e in view.events("call") if (e.line, e.column) < (event.line, event.column)]
        if loops(view.facts, event.chain) or not all(self.proves_nothing(view, e, 0) for e in before):
            return False
        for call in self.calls.callers(function):
            outer = Ref("fn", call.module, call.function)
            around = handlers(self.linked.modules[call.module], call.event.chain)
            if around and self._counted_before(outer, around[0], call.event, budget):
                return self._only_budget(outer, call.event)
            tested = self.refunds.guards(outer, call.event, None)
            if depth < 2 and not around and not tested and self._only_handled(outer, call.event, budget, depth + 1):
                return True
        return False

    # at the loop's head

    def _at_head(self, refund: Write, tried: Tried, budget: Budget) -> bool:
        """Before the try in the very loop that tries again: then the count never gets further than one turn."""
        facts = self.linked.modules[tried.module]
        record = facts.tries[tried.number]
        if refund.function != Ref("fn", tried.module, record.function):
            return False
        around = loops(facts, record.chain)
        if not around or around != loops(facts, refund.event.chain) or facts.loops[around[0]].kind != "while":
            return False
        if refund.event.line >= record.line or any(
            f[0] in ("exc", "noexc", "try") for _, f in self._within(facts, refund.event.chain, around[0])
        ):
            return False
        if any(u.function == refund.function and loops(facts, u.event.chain) != around for u in budget.uses):
            return False
        view = self.program.view(refund.function)
        return not any(
            e.line < refund.event.line and loops(facts, e.chain) == around and not self.proves_nothing(view, e, 0)
            for e in view.events("call")
        )

    def _within(self, facts: object, chain: int, loop: int) -> Iterator[tuple[int, tuple]]:
        for number, frame in frames(facts, chain):  # type: ignore[arg-type]
            if frame[0] == "loop" and frame[1] == loop:
                return
            yield number, frame

    # on the way to the work

    def _on_the_way(self, function: Ref, event: Event, tried: Tried, depth: int) -> str | None:
        """In the tried body, when nothing has been done yet but to connect, and work that can fail still follows."""
        facts = self.linked.modules[function.module]
        record = self.linked.modules[tried.module].tries[tried.number]
        view = self.program.view(function)
        home = function == Ref("fn", tried.module, record.function)
        if home:
            if not self.progress.within(facts, event, tried):
                return None
            outer = loops(facts, record.chain)
        else:
            outer = []
        if loops(facts, event.chain) != outer or handlers(facts, event.chain) and not home:
            return None
        before = [e for e in view.events("call") if self._before(view, e, event, tried, home)]
        starts = not home and view.function.name in self.program.words["unproven"]
        if not starts and not all(self.proves_nothing(view, e, 0) or self._is_handle(view, e, event) for e in before):
            return None
        if home or depth >= MOST_DEPTH:
            return self._said(view, before) if home and self._follows(view, event, tried) else None
        return self._from_callers(function, view, event, before, tried, depth)

    def _from_callers(
        self, function: Ref, view: View, event: Event, before: list[Event], tried: Tried, depth: int
    ) -> str | None:
        goes_on = any(
            e.line > event.line and not self.calls.is_log(view.module, e, view.number) for e in view.events("call")
        )
        for call in self.calls.callers(function):
            outer = Ref("fn", call.module, call.function)
            found = self._on_the_way(outer, call.event, tried, depth + 1)
            if found is not None:
                return self._said(view, before) if before else found
            if goes_on and self._leads_in(outer, call.event, tried):
                return self._said(view, before)
        return None

    def _leads_in(self, function: Ref, event: Event, tried: Tried) -> bool:
        """Whether a call stands in the tried body with nothing but preparation before it."""
        record = self.linked.modules[tried.module].tries[tried.number]
        if function != Ref("fn", tried.module, record.function):
            return False
        view = self.program.view(function)
        if not self.progress.within(view.facts, event, tried):
            return False
        if loops(view.facts, event.chain) != loops(view.facts, record.chain):
            return False
        before = [e for e in view.events("call") if self._before(view, e, event, tried, True)]
        return all(self.proves_nothing(view, e, 0) for e in before)

    def _before(self, view: View, call: Event, event: Event, tried: Tried, home: bool) -> bool:
        if (call.line, call.column) >= (event.line, event.column):
            return False
        if home and not self.progress.within(view.facts, call, tried):
            return False
        return above(view.facts, call.chain, event.chain) or bool(loops(view.facts, call.chain))

    def _is_handle(self, view: View, call: Event, event: Event) -> bool:
        """Whether a call only gets what the work is done with: its result is used after the refund, or returned."""
        for later in view.function.events:
            if (later.line, later.column) <= (event.line, event.column):
                continue
            if later.kind == "ret" and later.a == call.a:
                return True
            if later.kind == "call":
                callee = view.terms[view.terms[later.a][1]]
                if callee[0] == "attr" and callee[1] == call.a:
                    return True
        return any(
            record.subject == call.a and record.line > event.line
            for record in view.facts.loops
            if record.function == view.number
        )

    def _follows(self, view: View, event: Event, tried: Tried) -> bool:
        """Whether work that can fail comes after the refund in the same try."""
        return any(
            (e.line, e.column) > (event.end_line, event.end_column)
            and self.progress.within(view.facts, e, tried)
            and not self.calls.is_log(view.module, e, view.number)
            for e in view.events("call")
        )

    def _said(self, view: View, before: list[Event]) -> str:
        names = [last_name(view.terms, view.terms[e.a][1]) for e in before]
        known = [n for n in names if n in self.program.words["unproven"]]
        named = known or [n for n in names if n]
        return f"after no more than {named[-1]}()" if named else "before the work begins"

    # a new object that owns the count

    def _made_anew(self, budget: Budget, tried: list[Tried]) -> Iterator[Renewal]:
        owner = budget.place.owner
        if (
            budget.place.kind != "field"
            or not isinstance(owner, Ref)
            or not budget.starts
            and not self._default(budget)
        ):
            return
        name = self.linked.cls(owner).name
        for call in self.linked.calls.get(name, ())[:20]:
            function = Ref("fn", call.module, call.function)
            view = self.program.engine.view(call.module, call.function)
            made = view.value(view.terms[call.event.a][1])
            if made.kind != "cls" or Ref("cls", *made.args) != owner or call.module in self.program.tests:
                continue
            if self.refunds.guards(function, call.event, None):
                continue
            for one in tried:
                if self._remade(function, call.event, one):
                    yield Renewal(function, call.event, f"by a new {name}", one)
                    break

    def _default(self, budget: Budget) -> bool:
        return self.linked.field(budget.place.owner, budget.place.name) is not None

    def _remade(self, function: Ref, event: Event, tried: Tried) -> bool:
        """Whether an object is made on the failure edge, or in each turn of the loop that tries again."""
        if tried in self.refunds.edges(function, event):
            return True
        facts = self.linked.modules[tried.module]
        record = facts.tries[tried.number]
        around = loops(facts, record.chain)
        if function != Ref("fn", tried.module, record.function) or not around:
            return False
        same_turn = loops(facts, event.chain) == around and facts.loops[around[0]].kind == "while"
        return same_turn and event.line <= record.last_line and not self._new_item(facts, event, around[0], function)

    def _new_item(self, facts: object, event: Event, loop: int, function: Ref) -> bool:
        """Whether the turn has taken a new piece of work before."""
        view = self.program.view(function)
        return any(
            e.line <= event.line and loop in loops(view.facts, e.chain) and not self.proves_nothing(view, e, 0)
            for e in view.events("call")
        )
