"""Changes: the updates and deletions of a function, of which only those are evaluated that somebody asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.queries import RUNS
from anchorlint.python.view import View
from anchorlint.python.writes import DELETES, UPDATES, Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_CHANGES = RUNS | UPDATES | DELETES


class Changes:
    """Finds updates and deletions; one for a program."""

    def __init__(self, program: Program) -> None:
        self.writes = program.part(Writes)

    def where(self, view: View, asked: Callable[[View, Event], bool]) -> Iterator[Touch]:
        """The updates and deletions at the events of a function that are asked for, in source order."""
        for event in view.events("set", "del", "call"):
            called = event.kind == "call"
            if (not called or last_name(view.terms, view.terms[event.a][1]) in _CHANGES) and asked(view, event):
                yield from (touch for touch in self.writes.at(view, event) if touch.kind in ("update", "delete"))

    def updates(self, view: View, names: frozenset[str]) -> Iterator[Touch]:
        """The updates of a function that may change a field of these names, in source order."""
        touches = self.where(view, lambda view, event: _may_update(view, event, names))
        return (touch for touch in touches if touch.kind == "update")


def _may_update(view: View, event: Event, names: frozenset[str]) -> bool:
    term = view.terms[event.a]
    if event.kind == "call":
        return last_name(view.terms, term[1]) not in DELETES
    if term[0] == "attr":
        return event.kind == "set" and term[2] in names
    key: tuple = view.terms[term[2]] if term[0] == "sub" else ("",)
    return event.kind == "set" and (key[0] != "const" or key[2] in names)
