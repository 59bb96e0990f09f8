"""Lacked: the collections by whose lack of something a call is made, found by terms alone."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import Facts
from anchorlint.python.outcome_terms import frames, inside

_WITHOUT = frozenset({"difference", "difference_update"})
_ORDERING = frozenset({"sorted", "list", "set", "tuple", "frozenset", "reversed", "enumerate", "iter"})
MOST_TERMS = 60


def lacked_on(facts: Facts, chain: int) -> Iterator[tuple[int, int]]:
    """Each collection in which something is missing on a way, and the test that asks so, -1 where a loop does:
    `if key not in known`, `for key in every - known`."""
    for frame in frames(facts, chain):
        if frame[1] == "test":
            for one in _absent(facts, frame[2], frame[3]):
                yield one, frame[2]
        elif frame[1] == "loop" and facts.loops[frame[2]].subject >= 0:
            for one in without(facts, facts.loops[frame[2]].subject):
                yield one, -1


def lacked_by(facts: Facts, call: int) -> Iterator[tuple[int, int]]:
    """Each collection by whose lack of something a call is given what it is about, and -1:
    `delete(every.difference(known))`."""
    term = facts.terms[call]
    for number in (*term[2], *[value for _, value in term[3]]):
        if facts.terms[number][0] in ("bin", "comp", "call"):
            for one in without(facts, number):
                yield one, -1


def without(facts: Facts, number: int) -> Iterator[int]:
    """The collections whose elements were left out of another one."""
    term = facts.terms[number]
    if term[0] == "bin" and term[1] == "-":
        yield term[3]
        yield from without(facts, term[2])
    elif term[0] == "comp":
        for test in term[4]:
            yield from _absent(facts, test, True)
        for iterable, _ in term[3]:
            yield from without(facts, iterable)
    elif term[0] == "call":
        callee = facts.terms[term[1]]
        if callee[0] == "attr" and callee[2] in _WITHOUT:
            yield from term[2]
        elif callee[0] == "name" and callee[1] in _ORDERING and term[2]:
            yield from without(facts, term[2][0])


def _absent(facts: Facts, number: int, holds: bool) -> Iterator[int]:
    """The collections that lack something where a condition has this truth."""
    term = facts.terms[number]
    if term[0] == "un" and term[1] == "not":
        yield from _absent(facts, term[2], not holds)
    elif term[0] == "bool" and (term[1] == "and") == holds:
        for one in term[2]:
            yield from _absent(facts, one, holds)
    elif term[0] == "cmp" and term[1] in ("in", "not in"):
        if (term[1] == "not in") == holds:
            yield term[3]
    elif term[0] == "cmp" and term[1] in ("is", "==", "is not", "!="):
        if (term[1] in ("is", "==")) == holds and facts.terms[term[3]][:2] == ("const", "NoneType"):
            yield from _looked_up(facts, term[2])
    elif term[0] == "call" and not holds:
        yield from _looked_up(facts, number)


def _looked_up(facts: Facts, number: int) -> Iterator[int]:
    """The mapping of a `known.get(key)` that has no other default than None."""
    term = facts.terms[number]
    if term[0] != "call" or len(term[2]) != 1 or term[3]:
        return
    callee = facts.terms[term[1]]
    if callee[0] == "attr" and callee[2] == "get":
        yield callee[1]


def asks_after(facts: Facts, number: int, roots: frozenset[int]) -> bool:
    """Whether a term holds one of these."""
    return any(one in roots for one in inside(facts, number, MOST_TERMS))
