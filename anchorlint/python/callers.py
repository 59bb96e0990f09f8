"""Callers: the calls and other places that may run a function, as far as names, annotations and classes tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.knowledge.words import Words
from anchorlint.python.callees import Callees
from anchorlint.python.link import Call, Linked, Ref, last_name


class Callers:
    """Looks functions up by what runs them; one for a program."""

    def __init__(self, linked: Linked, words: Words) -> None:
        self.linked = linked
        self.callees = Callees(linked, words)
        self._calls: dict[Ref, tuple[Call, ...]] = {}

    def calls(self, function: Ref) -> tuple[Call, ...]:
        """The calls that may run a function."""
        found = self._calls.get(function)
        if found is None:
            record = self.linked.function(function)
            name = record.name
            if name == "__init__" and record.cls >= 0:
                name = self.linked.modules[function.module].classes[record.cls].name
            modules, of = self.linked.modules, self.callees.of
            found = self._calls[function] = tuple(
                call
                for call in (*self.linked.calls.get(name, ()), *self.callees.dispatched.get(function, ()))
                if function in of(call.module, modules[call.module].terms[call.event.a][1])
            )
        return found

    def uses(self, function: Ref) -> Iterator[tuple[int, int]]:
        """The modules and terms that may run a function without a call of it: where it is handed on, or a property."""
        name = self.linked.function(function).name
        for module, number in (*self.linked.passed.get(name, ()), *self._reads.get(name, ())):
            if function in self.callees.of(module, number):
                yield module, number

    @cached_property
    def _reads(self) -> dict[str, list[tuple[int, int]]]:
        """The attributes that are called like a property of the program, by its name."""
        properties = frozenset(self._properties())
        found: dict[str, list[tuple[int, int]]] = {}
        for module, index in enumerate(self.linked.indexes):
            terms = index.facts.terms
            for name in properties & index.named.keys():
                numbers = [(module, number) for number in index.named[name] if terms[number][0] == "attr"]
                found.setdefault(name, []).extend(numbers)
        return found

    def _properties(self) -> Iterator[str]:
        for facts in self.linked.modules:
            for record in facts.functions:
                if any(last_name(facts.terms, decorator).endswith("property") for decorator in record.decorators):
                    yield record.name
