"""Relevance: the functions that have to do with time, found in the names alone before anything is evaluated."""

from __future__ import annotations

from functools import cached_property

from anchorlint.knowledge.models import Models
from anchorlint.knowledge.words import Words
from anchorlint.python.link import Linked, Ref, last_name

LEVELS_UP = 4  #: callers of callers of what reads a clock
LEVELS_DOWN = 2  #: what is called beside a clock reading may be handed it


class Relevance:
    """Which functions of a program can hold a gate or pass one on."""

    def __init__(self, linked: Linked, models: Models, words: Words) -> None:
        self.linked = linked
        self._words = words
        self._clocks = frozenset(c.rpartition(".")[2] for model in models.clocks for c in model.calls)
        self._gates = frozenset(c.rpartition(".")[2] for m in (*models.gates, *models.predicates) for c in m.calls)

    @cached_property
    def functions(self) -> tuple[Ref, ...]:
        """Every function near a clock: it reads one, is called beside it, or calls what is."""
        reading = {Ref("fn", m, n) for m, facts in enumerate(self.linked.modules) for n in self._reading(m)}
        near = set(reading)
        frontier = reading
        for _ in range(LEVELS_DOWN):
            frontier = self._called_by(frontier) - near
            near |= frontier
        frontier = set(near)
        for _ in range(LEVELS_UP):
            frontier = self._callers_of(frontier) - near
            near |= frontier
        return tuple(sorted(near))

    def _reading(self, module: int) -> set[int]:
        facts = self.linked.modules[module]
        found = set()
        for number, record in enumerate(facts.functions):
            if any(p.name in self._words["now"] for p in record.params):
                found.add(number)
                continue
            for event in record.events:
                if event.kind == "call":
                    callee = facts.terms[event.a][1]
                    name = last_name(facts.terms, callee)
                    if name in self._clocks or name in self._gates or name in self._words["clock"]:
                        found.add(number)
                        break
        return found

    @cached_property
    def _defined(self) -> dict[str, list[Ref]]:
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.linked.modules):
            for number, record in enumerate(facts.functions):
                if number:
                    found.setdefault(record.name, []).append(Ref("fn", module, number))
        return found

    def _called_by(self, functions: set[Ref]) -> set[Ref]:
        names = set()
        for ref in functions:
            facts = self.linked.modules[ref.module]
            for event in facts.functions[ref.number].events:
                if event.kind == "call":
                    names.add(last_name(facts.terms, facts.terms[event.a][1]))
        return {ref for name in names if name not in self._words["generic"] for ref in self._defined.get(name, ())}

    def _callers_of(self, functions: set[Ref]) -> set[Ref]:
        names = {self.linked.function(ref).name for ref in functions}
        names |= {
            self.linked.modules[r.module].classes[self.linked.function(r).cls].name
            for r in functions
            if self.linked.function(r).cls >= 0 and self.linked.function(r).name == "__init__"
        }
        found = set()
        for name in names:
            calls = self.linked.calls.get(name, ())
            if name in self._words["generic"] and len(calls) > 40:
                continue
            found |= {Ref("fn", call.module, call.function) for call in calls}
        # a property is used without a call
        found |= self._users_of({n for n in names if n in self._properties})
        return found

    @cached_property
    def _properties(self) -> frozenset[str]:
        found = set()
        for facts in self.linked.modules:
            for record in facts.functions:
                for number in record.decorators:
                    if facts.terms[number][0] in ("name", "attr", "import") and last_name(facts.terms, number).endswith(
                        "property"
                    ):
                        found.add(record.name)
        return frozenset(found)

    def _users_of(self, names: set[str]) -> set[Ref]:
        found = set()
        for module, facts in enumerate(self.linked.modules) if names else ():
            attributes = {n for n, t in enumerate(facts.terms) if t[0] == "attr" and t[2] in names}
            if not attributes:
                continue
            for number, record in enumerate(facts.functions):
                used = {e.a for e in record.events if isinstance(e.a, int)} | {
                    facts.chains[e.chain][2] for e in record.events if facts.chains[e.chain][1] == "test"
                }
                if any(self._mentions(facts.terms, t, attributes, 6) for t in used if 0 <= t < len(facts.terms)):
                    found.add(Ref("fn", module, number))
        return found

    def _mentions(self, terms: list[tuple], number: int, wanted: set[int], depth: int) -> bool:
        if number in wanted:
            return True
        if not depth:
            return False
        for part in terms[number][1:]:
            if isinstance(part, int) and not isinstance(part, bool) and 0 <= part < number:
                if self._mentions(terms, part, wanted, depth - 1):
                    return True
            elif isinstance(part, tuple):
                for inner in part:
                    if isinstance(inner, int) and 0 <= inner < number and self._mentions(terms, inner, wanted, depth - 1):
                        return True
        return False
