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
_UPDATE = frozenset({"update"})
_BOTH = frozenset({"update", "delete"})


class Changes:
    """Finds updates and deletions; one for a program."""

    def __init__(self, program: Program) -> None:
        self.writes = program.part(Writes)

    def where(
        self, view: View, asked: Callable[[View, Event], bool], kinds: frozenset[str] = _BOTH,
        names: frozenset[str] = frozenset(),
    ) -> Iterator[Touch]:  # fmt: skip
        """The updates and deletions at the events of a function that are asked for, in source order."""
        for event in view.events("set", "del", "call"):
            called = event.kind == "call"
            if called and last_name(view.terms, view.terms[event.a][1]) not in _CHANGES:
                continue
            if not _is_insert(view, event) and asked(view, event):
                yield from self.writes.at(view, event, kinds, names)

    def updates(self, view: View, names: frozenset[str]) -> Iterator[Touch]:
        """The updates of a function that may change a field of these names, in source order."""
        return self.where(view, lambda view, event: _may_update(view, event, names), _UPDATE, names)


def _is_insert(view: View, event: Event) -> bool:
    """Whether an entry of a mapping is set under a key that is no text: that is a row, not a field of one."""
    target = view.terms[event.a]
    return event.kind == "set" and target[0] == "sub" and view.value(target[2]).kind != "str"


def _may_update(view: View, event: Event, names: frozenset[str]) -> bool:
    term = view.terms[event.a]
    if event.kind == "call":
        return last_name(view.terms, term[1]) not in DELETES
    if term[0] == "attr":
        return event.kind == "set" and term[2] in names
    key: tuple = view.terms[term[2]] if term[0] == "sub" else ("",)
    return event.kind == "set" and (key[0] != "const" or key[2] in names)
