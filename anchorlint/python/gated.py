"""Functions that meet a gate: of those whose names suggest a clock, the ones in which an instant really decides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.timely import ASKS, Timely
from anchorlint.python.view import View
from anchorlint.python.writes import VERBS

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class Gated:
    """Tells which functions are worth a look at what they write; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.timely = program.part(Timely)

    @cached_property
    def functions(self) -> tuple[Ref, ...]:
        """The functions outside of tests in which a gate decides a path, or may choose the rows of a query."""
        return tuple(ref for ref in self.timely.gated if self._chooses(ref) or self._decides(ref))

    def meets(self, view: View, event: Event) -> bool:
        """Whether a gate may decide that an event of a function happens, or choose the rows that it is about."""
        facts, marks = view.facts, self.timely.marks(view.module)
        if self._picks(facts, marks, event) or self._turns(facts, marks, {event.chain}):
            return True
        return self._opens(view, {event.chain})

    def _chooses(self, function: Ref) -> bool:
        """Whether a query, a comprehension or the subject of a loop may hang on a clock."""
        facts, marks = self.linked.modules[function.module], self.timely.marks(function.module)
        events = facts.functions[function.number].events
        if any(self._picks(facts, marks, event) for event in events):
            return True
        return self._turns(facts, marks, {event.chain for event in events})

    def _turns(self, facts: Facts, marks: set[int], chains: set[int]) -> bool:
        """Whether the subject of a loop around may hang on a clock."""
        frames = (facts.chains[chain] for chain in _chains(facts, chains))
        subjects = [facts.loops[frame[2]].subject for frame in frames if frame[1] == "loop"]
        return any(subject in marks for subject in subjects)

    def _picks(self, facts: Facts, marks: set[int], event: Event) -> bool:
        if event.kind in ("set", "del") and event.a in marks:
            return True
        if event.kind in ("set", "bind"):
            return event.b in marks and facts.terms[event.b][0] == "comp"
        if event.kind != "call" or event.a not in marks:
            return False
        _, callee, args, *_ = facts.terms[event.a]
        name = last_name(facts.terms, callee)
        return name in ASKS or (name in VERBS and (callee in marks or bool(args and args[0] in marks)))

    def _decides(self, function: Ref) -> bool:
        """Whether a test on the way to something that the function does compares an instant with now."""
        view = self.program.view(function)
        self.program.engine.ask(f"gates {view!r}")
        return self._opens(view, {event.chain for event in view.function.events})

    def _opens(self, view: View, chains: set[int]) -> bool:
        """Whether a test of these path conditions compares an instant with now."""
        marks, relevance, engine = self.timely.marks(view.module), self.program.retries.relevance, self.program.engine
        for chain in _chains(view.facts, chains):
            frame = view.facts.chains[chain]
            if frame[1] == "test" and (frame[2] in marks or relevance.is_marked(view.module, frame[2])):
                tested = engine.arithmetic.truth(view.value(frame[2]))
                if engine.fuel <= 0 or any(True for _ in self.program.gates.within(tested)):
                    return True  # what could not be told to the end is looked at
        return False


def _chains(facts: Facts, chains: set[int]) -> Iterator[int]:
    """These path conditions and all that they stand on, each once."""
    pending, seen = list(chains), set(chains)
    while pending:
        chain = pending.pop()
        if chain <= 0:
            continue
        yield chain
        frame = facts.chains[chain]
        fresh = {frame[0], *(frame[2] if frame[1] == "join" else ())} - seen
        seen |= fresh
        pending += sorted(fresh)
