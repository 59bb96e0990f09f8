"""Lacking: which calls are about what a partial collection lacks, by terms alone."""

from __future__ import annotations

from collections.abc import Collection

from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import last_name
from anchorlint.python.outcome_terms import frames, inside, tests

_DIFFERENCE = frozenset({"difference", "difference_update", "symmetric_difference"})


def missing(facts: Facts, event: Event, partial: Collection[int]) -> list[int]:
    """The terms by which a call is about what a partial collection lacks."""
    found = []
    for frame in frames(facts, event.chain):
        if frame[1] == "loop" and _is_lacking(facts, facts.loops[frame[2]].subject, partial):
            found.append(facts.loops[frame[2]].subject)
    for frame in tests(facts, event.chain):
        if _is_absence(facts, frame[2], frame[3], partial):
            found.append(frame[2])
    term = facts.terms[event.a]
    found += [n for n in (*term[2], *(v for _, v in term[3])) if _is_lacking(facts, n, partial)]
    return found


def _is_lacking(facts: Facts, number: int, partial: Collection[int]) -> bool:
    """Whether a term is a difference from which the partial collection was taken, or a filter by it."""
    for one in inside(facts, number):
        term = facts.terms[one]
        if term[0] == "bin" and term[1] == "-" and _holds(facts, term[3], partial):
            return not _holds(facts, term[2], partial)
        if term[0] == "call" and last_name(facts.terms, term[1]) in _DIFFERENCE:
            return any(_holds(facts, n, partial) for n in term[2])
        if term[0] == "comp" and any(_is_absence(facts, t, True, partial) for t in term[4]):
            return True
    return False


def _is_absence(facts: Facts, number: int, holds: bool, partial: Collection[int]) -> bool:
    term = facts.terms[number]
    if term[0] == "un" and term[1] == "not":
        return _is_absence(facts, term[2], not holds, partial)
    if term[0] == "bool":
        together = (term[1] == "and") == holds
        return together and any(_is_absence(facts, one, holds, partial) for one in term[2])
    if term[0] == "cmp" and term[1] in ("in", "not in"):
        return (term[1] == "not in") == holds and _holds(facts, term[3], partial)
    if term[0] == "cmp" and term[1] in ("is", "==", "is not", "!=") and facts.terms[term[3]][0] == "const":
        absent = facts.terms[term[3]][2] in (None, 0) and (term[1] in ("is", "==")) == holds
        return absent and _is_looked_up(facts, term[2], partial)
    return not holds and (number in partial or _is_looked_up(facts, number, partial))


def _is_looked_up(facts: Facts, number: int, partial: Collection[int]) -> bool:
    """`partial.get(key)`, `len(partial)`, or a sum itself."""
    term = facts.terms[number]
    if number in partial:
        return True
    if term[0] != "call":
        return False
    callee = facts.terms[term[1]]
    if callee[0] == "attr":
        return callee[2] == "get" and callee[1] in partial
    return callee == ("name", "len") and any(n in partial for n in term[2])


def _holds(facts: Facts, number: int, partial: Collection[int]) -> bool:
    return any(one in partial for one in inside(facts, number, 40))
