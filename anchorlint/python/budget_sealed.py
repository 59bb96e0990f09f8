"""Where words that name a budget may be sealed, or a text with values in it, read off the facts of each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from anchorlint.knowledge.words import Vocabulary
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
        index, said = self.linked.indexes[module], dict[int, bool]()  # by identity: events are long
        texts, functions = _Texts(self, index), set[int]()
        for number, event, values in self._values(index):
            if texts.speak(values):
                said[id(event)] = True
            elif event[0] != "set" and texts.formats(values):
                said[id(event)] = False
            else:
                continue
            functions.add(number)
        records = index.facts.functions
        return {n: [(e, said[id(e)]) for e in records[n].events if id(e) in said] for n in sorted(functions)}

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
    def names(self) -> _Names:
        """Which names say such a word, or stand for a text that does."""
        return _Names(self.words, self._named)

    @cached_property
    def _named(self) -> frozenset[str]:
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


class _Names(dict[str, bool]):
    """Which names say a word for a budget or stand for it, each looked at when it is first asked for."""

    def __init__(self, words: Vocabulary, named: frozenset[str]) -> None:
        self._words, self._named = words, named

    def __missing__(self, name: str) -> bool:
        found = self[name] = name in self._named or self._words.weight(name) > 0
        return found


class _Texts(dict[int, bool]):
    """Which terms of one file may say a word for a budget, each looked at when it is first asked for."""

    def __init__(self, sealed: Sealed, index: Index) -> None:
        self.terms = index.facts.terms
        self.words, self.names = sealed.words, sealed.names

    def __missing__(self, number: int) -> bool:
        found = self[number] = self._speaks(number)
        return found

    def formats(self, values: tuple[int, ...]) -> bool:
        """Whether one of these is put together from a text and values."""
        terms = self.terms
        return any([terms[value][0] == "fstr" for value in values])

    def speak(self, values: Iterable[int]) -> bool:
        """Whether one of these may say such a word."""
        return any(map(self.__getitem__, values))

    def _speaks(self, number: int) -> bool:
        term = self.terms[number]
        kind = term[0]
        if kind == "const":
            if term[1] == "str":
                return self.words.weight(term[2]) > 0 or SQL.match(term[2]) is not None
            return bool(term[1] == "bytes")
        if kind == "attr":
            return self.names[term[2]]
        if kind == "call":
            given = (*term[2], *[value for _, value in term[3]]) if term[3] else term[2]
            return self.speak(given) or self.names[last_name(self.terms, term[1])]
        if kind in _MADE:
            return self.speak(parts(term))
        return kind in ("name", "import", "outer") and self.names[last_name(self.terms, number)]
