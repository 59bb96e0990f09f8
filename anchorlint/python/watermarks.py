"""Watermarks: readings of a clock that are held up by a floor which only rises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.domain.linear import Role
from anchorlint.python.gates import Seen
from anchorlint.python.link import last_name

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class Watermarks:
    """Knows which readings of a program never step back."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._floors: dict[int, frozenset[tuple[int, ...]]] = {}

    def never_steps_back(self, seen: Seen) -> bool:
        """Whether the gate's reading goes into `max` with what is stored, or is compared with it and stored."""
        for atom, _ in seen.literal.args[1].of_role(Role.NOW):
            if isinstance(atom.key, tuple) and len(atom.key) == 6 and atom.key[1] != "param":
                module, *at = atom.key[1:]
                if isinstance(module, int) and module >= 0 and tuple(at) in self._raised(module):
                    return True
        return False

    def _raised(self, module: int) -> frozenset[tuple[int, ...]]:
        found = self._floors.get(module)
        if found is None:
            terms = self.program.linked.modules[module].terms
            places: set[tuple[int, ...]] = set()
            ordered = {frozenset(term[2:4]) for term in terms if term[0] == "cmp" and term[1] in ("<", "<=", ">", ">=")}
            for function in self.program.linked.modules[module].functions:
                for event in function.events:
                    if event.kind == "set":
                        places |= self._floor(terms, event.a, event.b)
                        if frozenset((event.a, event.b)) in ordered:
                            places |= _calls_in(terms, [event.b])  # stored only if it is not below what is stored
            found = self._floors[module] = frozenset(places)
        return found

    def _floor(self, terms: list[tuple], target: int, value: int) -> set[tuple[int, ...]]:
        """The places of the calls inside of `target = max(target, reading)`."""
        term = terms[value]
        if term[0] != "call" or last_name(terms, term[1]) != "max" or not self._holds(terms, value, target, 4):
            return set()
        return _calls_in(terms, list(term[2]))

    def _holds(self, terms: list[tuple], number: int, wanted: int, deep: int) -> bool:
        term = terms[number]
        if number == wanted:
            return True
        inner = term[2] if term[0] == "call" else term[2:4] if term[0] == "bin" else ()
        return deep > 0 and any(self._holds(terms, n, wanted, deep - 1) for n in inner if n != number)


def _calls_in(terms: list[tuple], pending: list[int]) -> set[tuple[int, ...]]:
    """The places of the calls that a reading is made of."""
    found: set[tuple[int, ...]] = set()
    while pending and len(found) < 16:
        inner = terms[pending.pop()]
        if inner[0] == "call":
            found.add(inner[4:8])
            pending += inner[2]
        elif inner[0] == "bin":
            pending += inner[2:4]
    return found
