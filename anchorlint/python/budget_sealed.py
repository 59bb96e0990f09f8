"""Where words that name a budget may be sealed, or a text with values in it, read off the facts of each file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.budget_labels import ASKS, SQL
from anchorlint.python.budget_suspects import Suspects
from anchorlint.python.facts import NONE, Event
from anchorlint.python.index import Index
from anchorlint.python.program import Program
from anchorlint.python.terms import last_name, parts

_MADE = frozenset({"fstr", "seq", "bin", "map"})


class Sealed:
    """The events of one program that `Labels.label` may read as an ending; more than it does, never fewer.

    Hardly a text speaks of tries or budgets: what is said where something is raised, returned, stored or handed to a
    call is looked for first, and only for what is found it is asked which way leads there.
    """

    def __init__(self, program: Program) -> None:
        self.linked = program.linked
        self.suspects = program.part(Suspects)
        self.words = program.words["budget"]
        self.log = program.words["log"]

    def of(self, module: int) -> dict[int, list[tuple[Event, bool]]]:
        """The functions of a module with the events that may be endings, and whether these may name a budget."""
        index, said = self.linked.indexes[module], dict[Event, bool]()
        texts, functions = _Texts(self, index), set[int]()
        for number, event, values in self._values(index):
            if texts.speak(values):
                said[event] = True
            elif event[0] != "set" and texts.formats(values):
                said[event] = False
            else:
                continue
            functions.add(number)
        records = index.facts.functions
        return {n: [(e, said[e]) for e in records[n].events if e in said] for n in sorted(functions)}

    def _values(self, index: Index) -> Iterator[tuple[int, Event, tuple[int, ...]]]:
        """What may be sealed in a file: the function, the event and the terms that are said with it."""
        terms = index.facts.terms
        for number, event in index.events("raise", "ret"):
            if event[2] != NONE:
                term = terms[event[2]]
                given = (term[1], *term[2], *[value for _, value in term[3]]) if term[0] == "call" else ()
                yield number, event, (event[2], *given)
        for number, event in index.events("set"):
            yield number, event, (event[3],)
        for name, calls in index.calls.items():
            if name in ASKS or name in self.log or name.startswith("log"):
                continue  # as `label` leaves them out
            for number, event in calls:
                term = terms[event[2]]
                if term[3]:
                    yield number, event, (*term[2], *[value for _, value in term[3]])
                elif term[2]:
                    yield number, event, term[2]

    @cached_property
    def named(self) -> frozenset[str]:
        """The names of constants of modules and classes that hold a text with a word for a budget."""
        found = set()
        for facts in self.linked.modules:
            held = [*facts.globals.items(), *[(field[0], field[1]) for cls in facts.classes for field in cls.fields]]
            for name, number in held:
                term = facts.terms[number] if number >= 0 else ("none",)
                while term[0] == "if":
                    term = facts.terms[term[3]]
                if term[:2] == ("const", "str") and self.words.weight(term[2]) > 0:
                    found.add(name)
        return self.suspects.all_names(found)


class _Texts:
    """Which terms of one file may say a word for a budget."""

    def __init__(self, sealed: Sealed, index: Index) -> None:
        self.terms = index.facts.terms
        self.words, self.named = sealed.words, sealed.named
        self._known: dict[int, bool] = {}

    def formats(self, values: tuple[int, ...]) -> bool:
        """Whether one of these is put together from a text and values."""
        terms = self.terms
        return any([terms[value][0] == "fstr" for value in values])

    def speak(self, values: tuple[int, ...]) -> bool:
        """Whether one of these may say such a word."""
        known = self._known
        for value in values:
            found = known.get(value)
            if found is None:
                found = known[value] = self._speaks(value)
            if found:
                return True
        return False

    def _speaks(self, number: int) -> bool:
        term = self.terms[number]
        kind = term[0]
        if kind == "const":
            if term[1] == "str":
                return self.words.weight(term[2]) > 0 or SQL.match(term[2]) is not None
            return bool(term[1] == "bytes")
        if kind == "attr":
            return term[2] in self.named or self.words.weight(term[2]) > 0
        if kind == "call":
            given = (*term[2], *[value for _, value in term[3]]) if term[3] else term[2]
            return self.speak(given) or self._is_named(term[1])
        if kind in _MADE:
            return self.speak(tuple(parts(term)))
        return kind in ("name", "import", "outer") and self._is_named(number)

    def _is_named(self, number: int) -> bool:
        name = last_name(self.terms, number)
        return name in self.named or self.words.weight(name) > 0
