"""Dispatch: the functions among which a key chooses, `HANDLERS[kind](item)` and `HANDLERS.get(kind)(item)`."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import NONE
from anchorlint.python.link import Call, Linked
from anchorlint.python.refs import Ref

MOST_CHOICES = 8  #: functions of one table up to which a call may run any of them


def choices(linked: Linked, module: int, callee: int) -> tuple[Ref, ...]:
    """The functions of a module's table out of which a callee's term takes one; none where it holds anything else."""
    terms = linked.modules[module].terms
    term = terms[callee]
    if term[0] == "sub":
        table = term[1]
    elif term[0] == "call" and term[2] and terms[term[1]][0] == "attr" and terms[term[1]][2] == "get":
        table = terms[term[1]][1]
    else:
        return ()
    ref = linked.expression(module, table)
    if ref is None or ref.kind != "val":
        return ()
    made = linked.modules[ref.module].terms[ref.number]
    if made[0] != "map" or not 0 < len(made[1]) <= MOST_CHOICES or any(key == NONE for key, _ in made[1]):
        return ()
    found = [linked.expression(ref.module, value) for _, value in made[1]]
    functions = tuple(dict.fromkeys(one for one in found if one is not None and one.kind == "fn"))
    return functions if len(functions) == len(dict.fromkeys(found)) else ()


def dispatched(linked: Linked) -> dict[Ref, list[Call]]:
    """Each function that stands in such a table with the calls that may choose it."""
    found: dict[Ref, list[Call]] = {}
    for module, function, call in _nameless(linked):
        for ref in choices(linked, module, linked.modules[module].terms[call.a][1]):
            found.setdefault(ref, []).append(Call(module, function, call))
    return found


def _nameless(linked: Linked) -> Iterator[tuple]:
    for module, index in enumerate(linked.indexes):
        for function, event in index.calls.get("", ()):
            yield module, function, event
