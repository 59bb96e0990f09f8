"""Functions that may meet a gate: where something happens under a test of a clock, or to rows that a clock chooses."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.python.facts import Event, Facts
from anchorlint.python.fieldnames import WALL
from anchorlint.python.gates import Seen
from anchorlint.python.link import Ref, last_name
from anchorlint.python.timely import ASKS, Timely
from anchorlint.python.view import View
from anchorlint.python.writes import DELETES, VERBS

if TYPE_CHECKING:
    from anchorlint.python.program import Program

GLANCE = 300  #: terms evaluated to see whether a test holds a gate; what is not told by then may hold one
_HAPPENS = frozenset({"call", "set", "del"})


class Gated:
    """Tells which functions and events are worth a look at what they write; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.timely = program.part(Timely)
        self.elapsed = program.elapsed
        self._within: dict[tuple[int, int], tuple[Seen, ...] | None] = {}

    @cached_property
    def functions(self) -> tuple[Ref, ...]:
        """The functions outside of tests in which something happens that a gate may decide, by facts alone."""
        return tuple(ref for ref in self.timely.gated if self._may_meet(ref))

    def _may_meet(self, function: Ref) -> bool:
        events = self.linked.modules[function.module].functions[function.number].events
        return any([self.may_decide(function.module, event) for event in events])

    def may_decide(self, module: int, event: Event) -> bool:
        """Whether a gate may decide that a write or call happens, or which rows it is about, by facts alone.

        A literal becomes a gate only by a reading of a clock, and whatever can hold one is marked: in a test on the
        path, in the subject of a loop around, or in the event itself. Nothing is evaluated here.
        """
        if event.kind not in _HAPPENS:
            return False
        chains, marks = self.timely.chains(module), self.timely.marks(module)
        if event.chain in chains.testing or event.chain in chains.turning or event.a in marks:
            return True
        return event.b in marks and event.kind == "set" and self.linked.modules[module].terms[event.b][0] == "comp"

    def meets(self, view: View, event: Event) -> bool:
        """Whether a gate that opens may decide that an event happens, or choose the rows that it is about."""
        return self.is_about(view, event) or self.opens(view, event.chain)

    def is_about(self, view: View, event: Event) -> bool:
        """Whether the rows that an event is about, or those of a loop around it, may be chosen by a clock."""
        if event.chain in self.timely.chains(view.module).turning:
            return True
        return self._picks(view.facts, self.timely.marks(view.module), event)

    def opens(self, view: View, chain: int) -> bool:
        """Whether a test of a path condition may hold from an instant of a wall clock on."""
        return self._turns(view, chain, closing=False)

    def closes(self, view: View, chain: int) -> bool:
        """Whether a test of a path condition may hold up to an instant of a wall clock."""
        return self._turns(view, chain, closing=True)

    def _turns(self, view: View, chain: int, closing: bool) -> bool:
        found = self.within(view, chain)
        return found is None or any([seen.gate.closing is closing and seen.gate.clock in WALL for seen in found])

    def may_test(self, view: View, chain: int) -> bool:
        """Whether a test of a path condition may hang on a clock, by facts alone."""
        return chain in self.timely.chains(view.module).testing

    def within(self, view: View, chain: int) -> tuple[Seen, ...] | None:
        """The gates in the tests of a path condition, None where they could not be told to the end.

        Asked of an evaluator that looks only into functions whose answer may hang on a clock: no other holds a gate.
        """
        if not self.may_test(view, chain):
            return ()
        key = (view.module, chain)
        if key not in self._within:
            function = Ref("fn", view.module, view.number)
            self._within[key] = self._seen(function, chain) if self.elapsed.hangs(function, chain) else ()
        return self._within[key]

    def _seen(self, function: Ref, chain: int) -> tuple[Seen, ...] | None:
        engine, found = self.elapsed.engine, []
        view = engine.view(function.module, function.number)
        engine.ask(f"gates {view!r}", GLANCE)
        for test, holds in self._tests(view.facts, view.module, chain):
            tested = engine.arithmetic.truth(view.value(test))
            if engine.fuel <= 0:
                return None
            found += self.program.gates.within(tested if holds else engine.formulas.neg(tested))
        return tuple(found)

    def _picks(self, facts: Facts, marks: set[int], event: Event) -> bool:
        if event.kind in ("set", "del") and event.a in marks:
            return True
        if event.kind == "set":
            return event.b in marks and facts.terms[event.b][0] == "comp"
        if event.kind != "call" or event.a not in marks:
            return False
        _, callee, args, kwargs, *_ = facts.terms[event.a]
        name = last_name(facts.terms, callee)
        if name in ASKS:
            return True
        if name not in VERBS:
            return callee in marks and name[:1].isupper()
        if callee in marks or (args and args[0] in marks):
            return True
        return name in DELETES and any([n in marks for _, n in kwargs])

    # path conditions

    def _tests(self, facts: Facts, module: int, chain: int) -> list[tuple[int, bool]]:
        """The tests of a path condition and of all that it stands on that may hang on a clock, and how they end."""
        testing, found, pending, seen = self.timely.chains(module).testing, [], [chain], {chain}
        while pending:
            chain = pending.pop()
            if chain not in testing:
                continue
            frame = facts.chains[chain]
            if self.timely.is_test(module, frame):
                found.append((frame[2], frame[3]))
            fresh = {frame[0], *(frame[2] if frame[1] == "join" else ())} - seen
            seen |= fresh
            pending += sorted(fresh)
        return found
