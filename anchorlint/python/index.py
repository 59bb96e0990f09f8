"""What stands where in one file: its events and names looked up by kind and by word, found once for all rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from anchorlint.python.facts import Event, Facts
from anchorlint.python.terms import last_name, parts


class _Terms(NamedTuple):
    """The terms of a file by name and by kind, from one pass over them."""

    named: dict[str, list[int]]
    kinds: dict[str, list[int]]


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
        found: defaultdict[str, list[tuple[int, Event]]] = defaultdict(list)
        for number, function in enumerate(self.facts.functions):
            for event in function.events:
                found[event[0]].append((number, event))
        return dict(found)

    @cached_property
    def calls(self) -> dict[str, list[tuple[int, Event]]]:
        """The calls of the file by the last name of what is called, "" where it has none."""
        found: defaultdict[str, list[tuple[int, Event]]] = defaultdict(list)
        terms = self.facts.terms
        for one in self.events("call"):
            found[last_name(terms, terms[one[1].a][1])].append(one)
        return dict(found)

    @property
    def named(self) -> dict[str, list[int]]:
        """Calls by the last name of their callee, attributes and text subscripts by theirs."""
        return self._terms.named

    @property
    def kinds(self) -> dict[str, list[int]]:
        """The terms by their kind."""
        return self._terms.kinds

    @cached_property
    def _terms(self) -> _Terms:
        named: defaultdict[str, list[int]] = defaultdict(list)
        kinds: defaultdict[str, list[int]] = defaultdict(list)
        terms = self.facts.terms
        for number, term in enumerate(terms):
            kind = term[0]
            kinds[kind].append(number)
            if kind == "attr":
                named[term[2]].append(number)
            elif kind == "call":
                named[last_name(terms, term[1])].append(number)
            elif kind == "sub":
                index = terms[term[2]]
                if index[0] == "const" and index[1] == "str":
                    named[index[2]].append(number)
        return _Terms(dict(named), dict(kinds))

    @cached_property
    def parents(self) -> list[Sequence[int]]:
        """For each term the terms that are made of it directly."""
        found: list[Any] = [()] * len(self.facts.terms)
        for number, term in enumerate(self.facts.terms):
            kind = term[0]
            if kind in _ALONE:
                continue
            # the most frequent kind without a generator
            for part in (term[1],) if kind == "attr" else parts(term):
                if found[part]:
                    found[part].append(number)
                else:
                    found[part] = [number]
        return found


#: kinds of terms that are made of nothing
_ALONE = frozenset({"const", "name", "param", "import", "def", "classdef", "cell", "exc", "raised", "unknown"})
