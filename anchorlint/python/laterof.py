"""The later of two values: where the source takes `max` of two, or chooses by a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.link import Linked, last_name
from anchorlint.python.terms import place


class LaterOf(NamedTuple):
    """One of two values: `max` of them, or a branch that compares (`test` is the comparison, -1 for `max`)."""

    function: int
    place: tuple[int, int, int, int]
    sides: tuple[int, int]
    test: int


class LaterOfTwo:
    """Finds such places; one for a program."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    def within(self, module: int) -> Iterator[LaterOf]:
        """Every place of a module's functions that takes one of two values by comparing them, or the greater."""
        facts = self.linked.modules[module]
        terms = facts.terms
        for term in terms:
            if term[0] == "call" and last_name(terms, term[1]) == "max":
                given = term[2]
                if len(given) == 1 and terms[given[0]][0] == "seq":
                    given = terms[given[0]][2]
                function = self._function(module, place(term))
                if len(given) == 2 and function:
                    yield LaterOf(function, place(term), (given[0], given[1]), -1)
            elif term[0] == "if":
                for test in _orders(terms, term[1]):
                    function = self._function(module, place(terms[test]))
                    if function:
                        yield LaterOf(function, place(terms[test]), (term[2], term[3]), test)

    def _function(self, module: int, at: tuple[int, int, int, int]) -> int:
        """The innermost function around a place, 0 for none."""
        best, size = 0, 1 << 30
        for number, record in enumerate(self.linked.modules[module].functions):
            if number and record.line <= at[0] <= record.end_line and record.end_line - record.line < size:
                best, size = number, record.end_line - record.line
        return best


def _orders(terms: list[tuple], test: int) -> list[int]:
    """The comparison of a test, also where it stands beside the question whether there is a value at all."""
    operands = terms[test][2] if terms[test][0] == "bool" else (test,)
    return [n for n in operands if terms[n][0] == "cmp" and terms[n][1] in ("<", "<=", ">", ">=")]
