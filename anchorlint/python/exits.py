"""Exits: where a function is left and with what, by facts alone."""

from __future__ import annotations

from anchorlint.python.facts import NONE, Facts

MOST_EXITS = 24  #: returns of one function that are told apart
_NONE = ("const", "NoneType", None)


def exits(facts: Facts, function: int) -> tuple[tuple[int, int], ...]:
    """The exits of a function as (returned term or NONE, path condition).

    None are told where there are none or too many; one where it returns the same whichever way it is left.
    """
    terms = facts.terms
    found = [
        (NONE if event.a == NONE or terms[event.a] == _NONE else event.a, event.chain)
        for event in facts.functions[function].events
        if event.kind in ("ret", "end")
    ]
    if len(found) > MOST_EXITS:
        return ()
    return tuple(found[:1] if len({term for term, _ in found}) == 1 else found)
