"""What stands where in one file: its events and names looked up by kind and by word, found once for all rules."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.facts import Event, Facts
from anchorlint.python.terms import last_name, parts


class Index:
    """Look-ups over the facts of one file; each is made when it is first asked for."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def events(self, *kinds: str) -> list[tuple[int, Event]]:
        """The events of these kinds with the number of the function that each stands in, kind after kind."""
        if len(kinds) == 1:
            return self._events.get(kinds[0], [])
        return [one for kind in kinds for one in self._events.get(kind, ())]

    @cached_property
    def _events(self) -> dict[str, list[tuple[int, Event]]]:
        found: dict[str, list[tuple[int, Event]]] = {}
        for number, function in enumerate(self.facts.functions):
            for event in function.events:
                kind = event[0]
                if kind in found:
                    found[kind].append((number, event))
                else:
                    found[kind] = [(number, event)]
        return found

    @cached_property
    def calls(self) -> dict[str, list[tuple[int, Event]]]:
        """The calls of the file by the last name of what is called, "" where it has none."""
        found: dict[str, list[tuple[int, Event]]] = {}
        terms = self.facts.terms
        for one in self.events("call"):
            name = last_name(terms, terms[one[1].a][1])
            if name in found:
                found[name].append(one)
            else:
                found[name] = [one]
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """Every identifier of the file's expressions: names, attributes, imports, and what text subscripts ask for."""
        return frozenset(self.terms_of_kind("name").keys() | self.named.keys() | self.calls.keys())

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """Calls by the last name of their callee, attributes and text subscripts by theirs."""
        found: dict[str, list[int]] = {}
        terms = self.facts.terms
        for number, term in enumerate(terms):
            kind = term[0]
            if kind == "call":
                name = last_name(terms, term[1])
            elif kind == "attr":
                name = term[2]
            elif kind == "sub":
                index = terms[term[2]]
                if index[0] != "const" or index[1] != "str":
                    continue
                name = index[2]
            else:
                continue
            if name in found:
                found[name].append(number)
            else:
                found[name] = [number]
        return found

    def terms_of_kind(self, kind: str) -> dict[str, list[int]]:
        """The terms of a kind whose second entry is a name, by that name."""
        return self._by_kind.get(kind, {})

    @cached_property
    def _by_kind(self) -> dict[str, dict[str, list[int]]]:
        found: dict[str, dict[str, list[int]]] = {"name": {}, "import": {}}
        for number, term in enumerate(self.facts.terms):
            if term[0] in found:
                found[term[0]].setdefault(term[1], []).append(number)
        return found

    @cached_property
    def kinds(self) -> dict[str, list[int]]:
        """The terms by their kind."""
        found: dict[str, list[int]] = {}
        for number, term in enumerate(self.facts.terms):
            kind = term[0]
            if kind in found:
                found[kind].append(number)
            else:
                found[kind] = [number]
        return found

    @cached_property
    def parents(self) -> list[list[int]]:
        """For each term the terms that are made of it directly."""
        found: list[list[int]] = [[] for _ in self.facts.terms]
        for number, term in enumerate(self.facts.terms):
            kind = term[0]
            if kind == "attr":  # the most frequent ones without a generator
                found[term[1]].append(number)
            elif kind == "call":
                found[term[1]].append(number)
                for part in term[2]:
                    found[part].append(number)
                for _, part in term[3]:
                    found[part].append(number)
            elif kind not in _ALONE:
                for part in parts(term):
                    found[part].append(number)
        return found


#: kinds of terms that are made of nothing
_ALONE = frozenset({"const", "name", "param", "import", "def", "classdef", "cell", "exc", "raised", "unknown"})
