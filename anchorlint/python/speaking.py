"""Speaking: which calls speak to people, told from their names and texts alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.knowledge.families import parts
from anchorlint.python.link import last_name

if TYPE_CHECKING:
    from anchorlint.python.program import Program

MOST_CALLS_BESIDE = 8  #: calls of a function that is taken to do nothing but speak to people
_PEOPLE = frozenset({"pager", "pagerduty", "opsgenie", "slack", "oncall", "victorops", "severity", "telegram", "alert",
                     "alerts"})  # fmt: skip
POSTS = frozenset({"post", "urlopen", "request", "send", "publish"})
_GENERIC = frozenset({"send", "publish", "notify", "trigger", "alert"})


class Speaking:
    """Finds calls that speak to people; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._spoken: dict[int, set[int]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The last names of the calls that models say speak to people."""
        return frozenset(
            c.rpartition(".")[2] for s in self.program.models.sinks if s.kind == "alert" for c in s.calls
        )  # fmt: skip

    @cached_property
    def callers(self) -> frozenset[str]:
        """The names under which something speaks to people: the models' and those of functions that do nothing else."""
        names = set(self.names)
        for module, index in enumerate(self.program.linked.indexes):
            for number in self.functions_of(module):
                record = index.facts.functions[number]
                if number and sum(e.kind == "call" for e in record.events) <= MOST_CALLS_BESIDE:
                    names.add(record.name)
        return frozenset(names)

    def functions_of(self, module: int) -> set[int]:
        """The functions of a file that make a call which speaks to people by its own name and texts."""
        found = self._spoken.get(module)
        if found is None:
            index = self.program.linked.indexes[module]
            found, terms = set(), index.facts.terms
            for name in (self.names | POSTS) & index.calls.keys():
                found.update(number for number, event in index.calls[name] if self.speaks(terms, event.a))
            self._spoken[module] = found
        return found

    def speaks(self, terms: list[tuple], number: int) -> bool:
        """Whether a call speaks to people by its own name and texts."""
        name = last_name(terms, terms[number][1])
        if name in self.names and name not in _GENERIC:
            return True
        if name not in POSTS:
            return False
        return any(_PEOPLE & set(parts(text)) for text in _texts(terms, number, 4))


def _texts(terms: list[tuple], number: int, deep: int) -> Iterator[str]:
    term = terms[number]
    if term[0] == "const" and term[1] == "str":
        yield term[2]
    if not deep:
        return
    for part in term[1:]:
        if isinstance(part, int) and not isinstance(part, bool) and 0 <= part < number and term[0] != "const":
            yield from _texts(terms, part, deep - 1)
        elif isinstance(part, tuple):
            for inner in part:
                if isinstance(inner, int) and 0 <= inner < number:
                    yield from _texts(terms, inner, deep - 1)
                elif isinstance(inner, tuple) and term[0] in ("call", "map"):
                    for one in inner:
                        if isinstance(one, str):
                            yield one
                        elif isinstance(one, int) and 0 <= one < number:
                            yield from _texts(terms, one, deep - 1)
