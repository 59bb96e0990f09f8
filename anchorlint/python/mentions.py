"""What a term hangs on, by facts alone: parameters, the function that stands around, or the very view that asks."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.facts import NONE, Facts, Function
from anchorlint.python.terms import parts

OUTER = 1  #: hangs on a variable of the function around
VIEW = 2  #: holds the view that it is evaluated in: a caught failure, a function within the function
FIRST = 2  #: the bit of the first parameter
MOST_EXITS = 24  #: returns of one function that are told apart

_NONE = ("const", "NoneType", None)


class Shape(NamedTuple):
    """How a function is left: its exits as (returned term or NONE, path condition), and what its answer hangs on.

    No exits are told where it has none or too many; one exit where it returns the same whichever way it is left.
    """

    exits: tuple[tuple[int, int], ...]
    mask: int


class Mentions:
    """Tells for one file what its terms and path conditions hang on, as bits; those of parameters by their position."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._terms: dict[int, int] = {}
        self._chains: dict[int, int] = {0: 0}
        self._shapes: dict[int, Shape] = {}

    def term(self, number: int) -> int:
        """What a term hangs on; 0 where it stands for the same under any arguments."""
        found = self._terms.get(number)
        if found is None:
            found = self._terms[number] = self._term(self.facts.terms[number])
        return found

    def _term(self, term: tuple) -> int:
        kind = term[0]
        if kind in ("const", "name", "import"):
            return 0
        if kind == "param":
            return 1 << (FIRST + term[2])  # type: ignore[no-any-return]
        if kind == "outer":
            return OUTER
        if kind == "raised" or (kind == "loop" and term[2] < 0):
            return VIEW
        if kind == "def":
            return VIEW if self.facts.functions[term[1]].outer > 0 else 0
        found, known = 0, self._terms
        for part in parts(term):
            mask = known.get(part)
            found |= self.term(part) if mask is None else mask
        return found

    def chain(self, number: int) -> int:
        """What a path condition hangs on."""
        found = self._chains.get(number)
        if found is None:
            frame = self.facts.chains[number]
            found = self._chains[number] = self.chain(frame[0]) | self._frame(frame)
        return found

    def _frame(self, frame: tuple) -> int:
        if frame[1] == "test":
            return self.term(frame[2])
        if frame[1] == "join":
            found = 0
            for chain in frame[2]:
                found |= self.chain(chain)
            return found
        return VIEW if frame[1] in ("exc", "noexc", "try") else 0

    def shape(self, number: int) -> Shape:
        """How a function is left."""
        found = self._shapes.get(number)
        if found is None:
            found = self._shapes[number] = self._shape(self.facts.functions[number])
        return found

    def _shape(self, function: Function) -> Shape:
        terms, mask = self.facts.terms, 0
        exits = []
        for event in function.events:
            if event.kind in ("ret", "end"):
                exits.append((NONE if event.a != NONE and terms[event.a] == _NONE else event.a, event.chain))
        if len(exits) > MOST_EXITS:
            return Shape((), 0)
        if len({term for term, _ in exits}) == 1:
            del exits[1:]
        for term, chain in exits:
            mask |= (self.term(term) if term != NONE else 0) | (self.chain(chain) if len(exits) > 1 else 0)
        return Shape(tuple(exits), mask)
