"""The later of two values: where the source takes `max` of two, or chooses by a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchorlint.python.link import Linked
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

    def within(self, module: int, asked: Callable[[int, tuple[int, int]], bool]) -> Iterator[LaterOf]:
        """The places of a module's functions that take one of two values by comparing them, or the greater.

        Only those whose two values are `asked` for.
        """
        terms, index = self.linked.modules[module].terms, self.linked.indexes[module]
        for number in index.named.get("max", ()):
            term = terms[number]
            if term[0] != "call":
                continue
            given = term[2]
            if len(given) == 1 and terms[given[0]][0] == "seq":
                given = terms[given[0]][2]
            if len(given) == 2 and asked(module, (given[0], given[1])):
                yield from self._placed(module, term, (given[0], given[1]), -1)
        for number in index.kinds.get("if", ()):
            _, test, then, other = terms[number]
            for compared in _orders(terms, test):
                if asked(module, (then, other)):
                    yield from self._placed(module, terms[compared], (then, other), compared)

    def _placed(self, module: int, term: tuple, sides: tuple[int, int], test: int) -> Iterator[LaterOf]:
        function = self._function(module, place(term))
        if function:
            yield LaterOf(function, place(term), sides, test)

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
