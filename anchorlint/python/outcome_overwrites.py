"""Overwrites: what a failed read of a place left empty is filled, and written over what is still in that place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_actions import Action
from anchorlint.python.outcome_formula import raised_in
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcome_terms import FUEL, frames, handler_of, in_body, inside
from anchorlint.python.outcomes import Conversion
from anchorlint.python.value import PATHS, Value
from anchorlint.python.view import View

_WRITES = frozenset({"write", "save", "dump", "put", "set", "store", "persist", "upload", "hset", "hmset", "setex",
                     "overwrite", "replace"})  # fmt: skip
_OPENING = frozenset({"open", "fdopen", "aiofiles"})
MOST_SIZE = 1500
MOST_SAME = 6  #: functions of one name


class Overwrites:
    """Finds writes of what a failed read of the same place gave."""

    def __init__(self, sinks: Sinks) -> None:
        self.sinks = sinks
        self.outcomes = sinks.outcomes
        self.engine = sinks.engine
        self._failing: dict[str, bool] = {}

    def functions(self, module: int) -> set[int]:
        """The functions of a module that hand something failed to what may write; in the others `of` finds nothing."""
        calls = self.engine.linked.indexes[module].calls
        return {
            number
            for name in calls.keys() & self._writing
            for number, event in calls[name]
            if self._hands_failure(module, event)
        }

    def of(self, function: Ref) -> Iterator[Taken]:
        """The writes in one function, or in one that it calls, of what a failed read left."""
        facts = self.engine.linked.modules[function.module]
        view: View | None = None
        for event in facts.functions[function.number].events:
            if event.kind != "call" or last_name(facts.terms, facts.terms[event.a][1]) not in self._writing:
                continue
            if not self._hands_failure(function.module, event):
                continue
            if view is None:
                record = facts.functions[function.number]
                self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
                view = self.engine.view(function.module, function.number)
            if self._may_run_write(view, event):
                yield from self._written(view, event)

    def _hands_failure(self, module: int, event: Event) -> bool:
        """Whether a call is given something that came out of a failed read, by names alone."""
        term = self.engine.linked.modules[module].terms[event.a]
        return any(self._holds_failure(module, number) for number in (*term[2], *[value for _, value in term[3]]))

    def _holds_failure(self, module: int, number: int) -> bool:
        facts = self.engine.linked.modules[module]
        return any(self._is_failing(facts, module, one) for one in inside(facts, number, 60))

    def _is_failing(self, facts: Facts, module: int, number: int) -> bool:
        """Whether a term is made by an except clause, or by a function one of whose except clauses returns."""
        term = facts.terms[number]
        if term[0] == "raised":
            return self.outcomes.converts(module, *term[1:3])
        return term[0] == "call" and self._may_fail(last_name(facts.terms, term[1]))

    def _may_fail(self, name: str) -> bool:
        found = self._failing.get(name)
        if found is None:
            functions = self.sinks.verbs.named.get(name, ())
            found = self._failing[name] = len(functions) <= MOST_SAME and any(self._defaults(ref) for ref in functions)
        return found

    def _defaults(self, function: Ref) -> bool:
        facts = self.engine.linked.modules[function.module]
        for event in facts.functions[function.number].events if facts.tries else ():
            if event.kind == "ret":
                handler = handler_of(facts, event.chain)
                if handler is not None and self.outcomes.converts(function.module, *handler):
                    return True
                raised = (facts.terms[one] for one in inside(facts, event.a, 60) if facts.terms[one][0] == "raised")
                if any(self.outcomes.converts(function.module, *term[1:3]) for term in raised):
                    return True
        return False

    @cached_property
    def _writing(self) -> frozenset[str]:
        """The names of calls that write, or that are those of a function of the project with such a call in it."""
        verbs, modules = self.sinks.verbs, self.engine.linked.modules
        names = {modules[module].functions[number].name for module, number in self._writers}
        return self._written_names | {name for name in names if len(verbs.named[name]) <= MOST_SAME}

    @cached_property
    def _written_names(self) -> frozenset[str]:
        return frozenset(filter(self._writes, self.sinks.verbs.called))

    @cached_property
    def _writers(self) -> set[tuple[int, int]]:
        return self.sinks.verbs.callers(self._written_names | _OPENING)

    def _may_run_write(self, view: View, event: Event) -> bool:
        """Whether a call writes by its name, or runs a function with such a call in it."""
        callee = view.terms[event.a][1]
        if self._writes(last_name(view.terms, callee)):
            return True
        value = view.value(callee)
        while value.kind == "partial":
            value = value.args[0]
        return value.kind == "fn" and value.args[:2] in self._writers

    def _writes(self, name: str) -> bool:
        return not _WRITES.isdisjoint(parts(name)[:1])

    def _written(self, view: View, event: Event) -> Iterator[Taken]:
        term = view.terms[event.a]
        numbers = (*term[2], *(v for _, v in term[3]))
        given = [view.value(n) for n in numbers if self._holds_failure(view.module, n)]
        literals = {one: None for value in given if value.size <= MOST_SIZE for one in raised_in(value)}
        for literal in literals:
            conversion = self.outcomes.of(literal)
            if conversion is None or self._is_answered(view, event, literal):
                continue
            place = self._same_place(view, event, literal, conversion)
            if place is not None:
                yield Taken(conversion, place[0], place[1], Action("overwrite", "write"))

    def _is_answered(self, view: View, event: Event, literal: Value) -> bool:
        """Whether the write stands behind a test that the failure does not pass."""
        from anchorlint.python.outcome_formula import Assumed

        condition = view.condition(event.chain)
        return Assumed(self.engine.formulas, literal, True)(condition) is self.engine.values.false

    def _same_place(
        self, view: View, event: Event, literal: Value, conversion: Conversion
    ) -> tuple[View, Event] | None:
        places = self._places(literal.args[0], conversion)
        if not places:
            return None
        if self._writes(last_name(view.terms, view.terms[event.a][1])) and self._touches(view, event, places):
            return view, event
        inner = self.outcomes.failures.called(view, event)
        if inner is None:
            return None
        for one in inner.events("call"):
            name = last_name(inner.terms, inner.terms[one.a][1])
            if (self._writes(name) or self._opens_to_write(inner, one, name)) and self._touches(inner, one, places):
                return None if self._is_read_first(inner, one, places) else (inner, one)
        return None

    def _is_read_first(self, view: View, write: Event, places: set[object]) -> bool:
        """Whether the writing function reads the place itself before: what cannot be read then stops it."""
        for event in view.events("call"):
            name = last_name(view.terms, view.terms[event.a][1])
            if event.line >= write.line or self._writes(name) or self._opens_to_write(view, event, name):
                continue
            if self._touches(view, event, places) and not any(f[1] == "try" for f in frames(view.facts, event.chain)):
                return True
        return False

    def _opens_to_write(self, view: View, event: Event, name: str) -> bool:
        if name not in _OPENING:
            return False
        term = view.terms[event.a]
        modes = [view.terms[n] for n in (*term[2], *(v for k, v in term[3] if k == "mode"))]
        return any(m[0] == "const" and m[1] == "str" and m[2][:1] in ("w", "x") for m in modes)

    def _touches(self, view: View, event: Event, places: set[object]) -> bool:
        return not places.isdisjoint(self._handles(view, event))

    def _places(self, view: View, conversion: Conversion) -> set[object]:
        """What the failed read was about: a path, a key, a receiver."""
        found: set[object] = set()
        for event in view.events("call"):
            if in_body(view.facts, event.chain, conversion.number):
                name = last_name(view.terms, view.terms[event.a][1])
                if name not in ("loads", "load"):
                    found |= self._handles(view, event)
        return found

    def _handles(self, view: View, event: Event) -> set[object]:
        """The paths and constant keys that a call is about; a client alone is no place."""
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        found: set[object] = set()
        given = list(term[2]) + [v for _, v in term[3]]
        callee = view.terms[term[1]]
        about_receiver = callee[0] == "attr" and (
            not given or name in ("open", "read_text", "read_bytes", "write_text", "write_bytes", "replace", "rename")
        )
        if about_receiver:
            given.append(callee[1])
        if name in ("write", "dump", "flush") and callee[0] == "attr":
            given += [n for n in inside(view.facts, callee[1], 12) if view.facts.terms[n][0] == "call"]
        for number in given:
            found |= self._place_of(view.value(number))
        return found

    def _place_of(self, value: Value) -> set[object]:
        if value.kind == "attr" and value.args[0].kind == "param" and value.args[0].args[2] == 0:
            return {("own", value.args[1])}
        if value.kind in PATHS and value.kind not in ("result", "unknown", "exc"):
            return {value}
        if value.kind == "str" and len(value.args[0]) > 2:
            return {value}
        if value.kind == "fstr" or (value.kind == "result" and value.args[0].kind == "ext" and value.args[1]):
            return {value}
        return set()
