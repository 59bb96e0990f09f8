"""Filters: comprehensions out of which failed reads drop, and the answers among which exceptions are handed back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.formula import literals
from anchorlint.python.index import Index
from anchorlint.python.link import last_name
from anchorlint.python.outcome_formula import Assumed
from anchorlint.python.outcome_terms import inside
from anchorlint.python.outcomes import Conversion, Outcomes, Place
from anchorlint.python.view import View


class Partial(NamedTuple):
    """What lacks all that could not be read: its terms, what drops out where, and what notes the failures."""

    terms: frozenset[int]
    loop: int
    conversion: Conversion
    noted: frozenset[int]


class Filtered:
    """Finds comprehensions of one program's functions that leave out what could not be read."""

    def __init__(self, outcomes: Outcomes, tells: Callable[[int, int], bool]) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine
        self._tells = tells

    def functions(self, module: int, index: Index) -> Iterator[int]:
        """The functions that keep a comprehension with a test that tells, or gather exceptions with answers."""
        terms = index.facts.terms
        for kind, at in (("bind", 3), ("ret", 2)):
            for number, event in index.events(kind):
                made = event[at]
                if made >= 0 and terms[made][0] == "comp" and any(self._tells(module, test) for test in terms[made][4]):
                    yield number
        for number, event in index.events("call"):
            if terms[event[2]][3] and self.hands_back(index.facts, event):
                yield number

    def of(self, view: View) -> Iterator[tuple[Event, int]]:
        """The comprehensions that a function keeps or returns: the event and the term."""
        for event in view.events("bind", "ret"):
            number = event.b if event.kind == "bind" else event.a
            if number >= 0 and view.terms[number][0] == "comp":
                yield event, number

    def dropped(self, view: View, event: Event, number: int) -> Conversion | None:
        """The failed read that drops out of a comprehension."""
        term = view.terms[number]
        for test in term[4]:
            if not self._tells(view.module, test):
                continue
            formula = self.engine.arithmetic.truth(view.value(test))
            for literal in literals(formula):
                if literal.kind != "raised":
                    continue
                conversion = self.outcomes.of(literal)
                gone = Assumed(self.engine.formulas, literal, True)(formula) is self.engine.values.false
                if conversion is not None and gone:
                    return conversion
        gathered = next((g for i, _ in term[3] if (g := self.gathered(view, i)) is not None), None)
        if gathered is None or not term[4]:
            return None
        first = view.terms[term[4][0]]
        place: Place = first[-4:] if first[0] in ("call", "cmp") else _place(event)
        return Conversion(view.module, place, NONE, NONE, gathered, frozenset({"wide"}))

    def hands_back(self, facts: Facts, event: Event) -> bool:
        """Whether an event is a call whose answers may hold exceptions."""
        if event[0] != "call" or not facts.terms[event[2]][3]:
            return False
        given = dict(facts.terms[event.a][3]).get("return_exceptions")
        return given is not None and facts.terms[given][:3] == ("const", "bool", True)

    def asks_error(self, view: View, number: int) -> bool:
        """Whether a term asks if something is an exception."""
        term = view.terms[number]
        if term[0] != "call" or last_name(view.terms, term[1]) != "isinstance" or len(term[2]) != 2:
            return False
        classes = self.outcomes.failures.classes(view.value(term[2][1])) or ()
        return any(c.dotted.rpartition(".")[2] in ("Exception", "BaseException") for c in classes)

    def gathered(self, view: View, subject: int) -> Event | None:
        """The call whose answers hold exceptions, if the loop goes over them."""
        handing = [event for event in view.function.events if self.hands_back(view.facts, event)]
        wanted = set(inside(view.facts, subject)) if handing else ()
        return next((event for event in handing if event.a in wanted), None)


def _place(event: Event) -> Place:
    return event.line, event.column, event.end_line, event.end_column
