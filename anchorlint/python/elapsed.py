"""Elapsed: the functions that may be left because an instant has passed, told by trying the comparisons on their ways.

What hangs on a clock by its names is taken up from the comparisons: one that is no gate about an item decides nothing,
and neither do the functions whose answers and failures hang on no other. What may be one only under a caller's
arguments is left open for the callers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.domain.linear import Role
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event, Facts
from anchorlint.python.gates import Gates
from anchorlint.python.link import Ref
from anchorlint.python.relevance import Relevance
from anchorlint.python.terms import last_name, made_of
from anchorlint.python.value import Value, parts

FUEL = 500  #: terms evaluated for one part of a condition; what takes more counts as a gate
NOT, OPEN, YES = 0, 1, 2  #: no gate, one for all that is known before the arguments are, a gate


class Elapsed:
    """Looks for gates on the ways out of functions; one for a program."""

    def __init__(self, engine: Evaluator, gates: Gates, relevance: Relevance) -> None:
        self.engine = engine
        self.gates = gates
        self.relevance = relevance
        self._terms: dict[tuple[Ref, int], int] = {}
        self._chains: dict[tuple[int, int], int] = {}
        self._answers: dict[Ref, int] = {}
        self._failures: dict[Ref, int] = {}

    def decides(self, function: Ref) -> bool:
        """Whether a gate may be among the causes of some exit of a function, called with anything."""
        events = self._events(function, "ret", "raise")
        return any(self._chain(function, e.chain) == YES or self._returned(function, e) == YES for e in events)

    def hangs(self, function: Ref, chain: int) -> bool:
        """Whether a gate may be on the way to a place, called with anything."""
        return self._chain(function, chain) == YES

    def may_hang(self, function: Ref, chain: int) -> bool:
        """Whether a gate may be on the way to a place, alone or with the arguments of some caller."""
        return self._chain(function, chain) != NOT

    def may_tell(self, function: Ref, number: int) -> bool:
        """Whether there may be a gate in what a term stands for, alone or with the arguments of some caller."""
        return self.relevance.is_decided(function.module, number) and self._term(function, number) != NOT

    def may_fail(self, function: Ref, number: int) -> bool:
        """Whether a gate may decide that something in a try's body fails."""
        return self._try(function, number) != NOT

    def _facts(self, function: Ref) -> Facts:
        return self.engine.linked.modules[function.module]

    def _events(self, function: Ref, *kinds: str) -> Iterator[Event]:
        return (e for e in self.engine.linked.function(function).events if e.kind in kinds)

    def _returned(self, function: Ref, event: Event) -> int:
        if event.kind != "ret" or not self.relevance.is_decided(function.module, event.a):
            return NOT
        return self._term(function, event.a)

    # conditions

    def _chain(self, function: Ref, chain: int) -> int:
        """Whether a gate is on the way to a place: tested, or what fails in a try before its handler."""
        if chain <= 0 or not self.relevance.may_hang(function, chain):
            return NOT
        key = (function.module, chain)
        found = self._chains.get(key)
        if found is None:
            frame = self._facts(function).chains[chain]
            found = self._chains[key] = max(self._frame(function, frame), self._chain(function, frame[0]))
        return found

    def _frame(self, function: Ref, frame: tuple) -> int:
        if frame[1] == "test":
            is_decided = self.relevance.is_decided(function.module, frame[2])
            return self._term(function, frame[2]) if is_decided else NOT
        if frame[1] == "join":
            return max((self._chain(function, chain) for chain in frame[2]), default=NOT)
        return self._try(function, frame[2]) if frame[1] == "exc" else NOT

    def _term(self, function: Ref, number: int) -> int:
        """Whether there is a gate in what a term of a function stands for."""
        key = (function, number)
        found = self._terms.get(key)
        if found is None:
            self._terms[key] = NOT  # ends a ring of functions
            found = self._terms[key] = max(
                (self._part(function, part) for part in self._parts(function, number)), default=NOT
            )
        return found

    def _parts(self, function: Ref, number: int) -> list[int]:
        """The parts of a term that hang on a clock, comparisons first."""
        terms, is_decided = self._facts(function).terms, self.relevance.is_decided
        found = [part for part in made_of(terms, [number]) if is_decided(function.module, part)]
        return sorted(found, key=lambda part: terms[part][0] != "cmp")

    def _part(self, function: Ref, number: int) -> int:
        """Whether a comparison is a gate, or a call or attribute answers by one; other terms compare nothing."""
        term = self._facts(function).terms[number]
        if term[0] == "cmp":
            return self._tried(function, number)
        if term[0] not in ("call", "attr", "name", "import", "def"):
            return NOT
        runs = self.relevance.callees.of(function.module, term[1] if term[0] == "call" else number)
        if runs:
            found = max(self._answer(inner) for inner in runs)
            return max(self._tried(function, number), OPEN) if found else NOT
        if term[0] == "call":
            terms = self._facts(function).terms  # what a call made, a partial for one, is nobody's name
            is_known = terms[term[1]][0] == "call" or last_name(terms, term[1]) in self._comparing
            return self._tried(function, number) if is_known else NOT
        return self._tried(function, number) if term[0] == "attr" else NOT

    @cached_property
    def _comparing(self) -> frozenset[str]:
        """The last names of what compares with now in libraries."""
        models = (*self.engine.models.predicates, *self.engine.models.gates)
        return frozenset(call.rpartition(".")[2] for model in models for call in model.calls)

    def _tried(self, function: Ref, number: int) -> int:
        """Whether there is a gate in what a term stands for; also where there is not fuel enough to tell.

        A comparison without a reading of a clock may still get one from a caller; and a field that keeps the reading
        of when its object was made is an instant to whoever holds the object.
        """
        engine = self.engine
        with engine.aside("gates on ways out", FUEL):
            value = engine.view(function.module, function.number).value(number)
            is_dry = engine.fuel <= 0
        compares = self._facts(function).terms[number][0] == "cmp"
        found = parts(value, "gate", "param") if compares else parts(value, "gate")
        for gate in found:
            seen = self.gates.of(gate)
            if seen is not None and isinstance(seen.gate.item.key, Value):
                return YES
        if is_dry:
            return YES
        is_kept = any(one.kind == "gate" and len(one.args[1].of_role(Role.NOW)) > 1 for one in found)
        return OPEN if is_kept or (found and all(one.kind == "param" for one in found)) else NOT

    # functions

    def _answer(self, function: Ref) -> int:
        """Whether a gate decides what a function answers."""
        found = self._answers.get(function)
        if found is None:
            self._answers[function] = NOT
            found = self._answers[function] = self._answered(function)
        return found

    def _answered(self, function: Ref) -> int:
        if not self.relevance.answers(function):
            return NOT
        events = list(self._events(function, "ret", "end"))
        if self.relevance.is_handed(function):
            return OPEN if any(self.relevance.is_timed(function.module, e, e.a) for e in events) else NOT
        return max((max(self._chain(function, e.chain), self._returned(function, e)) for e in events), default=NOT)

    def _failure(self, function: Ref) -> int:
        """Whether a gate decides that a function raises."""
        found = self._failures.get(function)
        if found is None:
            self._failures[function] = NOT
            found = self._failures[function] = self._failed(function)
        return found

    def _failed(self, function: Ref) -> int:
        if not self.relevance.answers(function):
            return NOT
        raises = list(self._events(function, "raise"))
        found = max((self._chain(function, e.chain) for e in raises), default=NOT)
        if self.relevance.is_handed(function) and any(self.relevance.is_timed(function.module, e) for e in raises):
            found = max(found, OPEN)
        return max(found, self._passed_on(function, self._events(function, "call")))

    def _passed_on(self, function: Ref, calls: Iterator[Event]) -> int:
        """Whether a gate decides that one of these calls fails."""
        module, terms, found = function.module, self._facts(function).terms, NOT
        for event in calls:
            if self.relevance.is_failing(module, event.a):
                runs = self.relevance.callees.of(module, terms[event.a][1])
                failures = [self._failure(inner) for inner in runs]
                found = max(found, *failures, self._chain(function, event.chain)) if runs else YES
        return found

    def _try(self, function: Ref, number: int) -> int:
        """Whether a gate decides that something in a try's body fails."""
        if not self.relevance.may_fail(function, number):
            return NOT
        inside = [e for e in self._events(function, "raise", "call") if self._is_in(function, e.chain, number)]
        found = max((self._chain(function, e.chain) for e in inside if e.kind == "raise"), default=NOT)
        return max(found, self._passed_on(function, (e for e in inside if e.kind == "call")))

    def _is_in(self, function: Ref, chain: int, number: int) -> bool:
        chains = self._facts(function).chains
        while chain > 0:
            if chains[chain][1] == "try" and chains[chain][2] == number:
                return True
            chain = chains[chain][0]
        return False
