"""Placing: where the queries of a program stand, told for those that somebody asks about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.queries import FETCHES, FILTERS, RUNS, Queries
from anchorlint.python.terms import place
from anchorlint.python.timely import Timely
from anchorlint.python.value import Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_PLACED = FILTERS | {"Q", "and_", "or_", "not_"} | RUNS


class Placing:
    """Remembers where the predicates of the functions stand that stand on a clock; one for a program.

    Rows travel between functions, so a query may be asked about far from where it stands. Those of one name are looked
    for when the first of them is asked about; what a cursor has run is looked for at once.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.timely = program.part(Timely)
        self.queries = Queries(program.engine, self._place)
        self._views: dict[View, None] = {}
        self._done: dict[str, int] = {}

    def take(self, view: View) -> None:
        """Look also into this function from now on; before the first one into all that stand on a clock."""
        if not self._views:
            for ref in self.timely.gated:
                self._take(self.program.view(ref))
        if view not in self._views:
            self._take(view)

    def _take(self, view: View) -> None:
        self._views[view] = None
        calls = self.program.linked.indexes[view.module].calls
        if any([number == view.number for name in FETCHES & calls.keys() for number, _ in calls[name]]):
            with self.engine.aside(f"queries of {view!r}"):
                self._fetch(view)

    def _fetch(self, view: View) -> None:
        """Remember what the cursors of a function have run, and where."""
        last: dict[Value, Value] = {}
        for event in view.events("call"):
            term = view.terms[event.a]
            name = last_name(view.terms, term[1])
            if name in _PLACED:
                value = self._remember(view, event)
                if name in RUNS and value.kind == "result" and value.args[0].kind == "attr":
                    last[value.args[0].args[0]] = value
            elif name in FETCHES and view.terms[term[1]][0] == "attr":
                value, on = view.value(event.a), view.value(view.terms[term[1]][1])
                if on in last:
                    self.queries.fetched.setdefault(value, last[on])

    def _place(self, name: str) -> None:
        """Remember where the calls of this name stand that may be about a clock."""
        done = self._done.get(name, 0) if name in _PLACED else len(self._views)
        if done == len(self._views):
            return
        self._done[name] = len(self._views)
        for view in list(self._views)[done:]:
            marks = self.timely.marks(view.module)
            with self.engine.aside(f"queries of {view!r}"):
                for number, event in self.program.linked.indexes[view.module].calls.get(name, ()) if marks else ():
                    if number == view.number and event.a in marks:
                        self._remember(view, event)

    def _remember(self, view: View, event: Event) -> Value:
        value = view.value(event.a)
        self.queries.places.setdefault(value, (view.module, *place(view.terms[event.a])))
        return value
