"""Names that are ordered against something: only those can be budgets or stall clocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anchorlint.python.facts import Facts
from anchorlint.python.index import Index
from anchorlint.python.outcome_terms import inside

MOST_TERMS = 12  #: terms of one side of a comparison that are looked at


def ordered_names(indexes: Iterable[Index]) -> frozenset[str]:
    """The names of fields and variables that are ordered against something, or tested for truth, anywhere."""
    found: set[str] = set()
    for index in indexes:
        facts = index.facts
        for number in index.kinds.get("cmp", ()):
            _, op, left, right, *_ = facts.terms[number]
            if op in ("<", "<=", ">", ">=", "=="):
                found.update(_names(facts, left))
                found.update(_names(facts, right))
        for chain in facts.chains:
            if chain[1] == "test" and facts.terms[chain[2]][0] in ("loop", "attr", "cell"):
                found.update(_names(facts, chain[2]))
    return frozenset(found)


def stored_name(facts: Facts, number: int) -> str:
    """The name of an attribute, variable or entry that is stored; "" where a key is no constant."""
    term = facts.terms[number]
    if term[0] in ("attr", "cell"):
        return str(term[2])
    key = facts.terms[term[2]]
    return str(key[2]) if key[0] == "const" else ""


def _names(facts: Facts, number: int) -> Iterator[str]:
    for one in inside(facts, number, MOST_TERMS):
        term = facts.terms[one]
        if term[0] in ("attr", "cell"):
            yield str(term[2])
        elif term[0] == "loop":
            yield str(term[1])
        elif term[0] == "sub":
            yield stored_name(facts, one)
