"""Answers: under which names a program's functions return a comparison or a constant, before any call is evaluated."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.facts import Facts, Function
from anchorlint.python.link import Linked

MOST_RETURNS = 4  #: returns of a function whose answer is taken apart
_DECIDING = ("cmp", "bool", "un")


class Answers:
    """Knows the names of one program's functions whose answer is a condition."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    def may_decide(self, name: str, holds: bool) -> bool:
        """Whether a function of this name returns a condition, or this constant on some way."""
        return not name or name in self._names[holds]

    @cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        sides: tuple[set[str], set[str]] = (set(), set())
        for facts in self.linked.modules:
            for record in facts.functions:
                returned = self._returned(facts, record)
                for holds in (False, True) if returned else ():
                    if any(term[0] in _DECIDING or term[:3] == ("const", "bool", holds) for term in returned):
                        sides[holds].add(record.name)
        return frozenset(sides[False]), frozenset(sides[True])

    def _returned(self, facts: Facts, record: Function) -> list[tuple]:
        found = [facts.terms[event.a] for event in record.events if event.kind == "ret" and event.a >= 0]
        return found if len(found) <= MOST_RETURNS else []
