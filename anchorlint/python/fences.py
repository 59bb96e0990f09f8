"""Fences: what a take-over changes and a later write compares, so that who was overtaken cannot finish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.knowledge.families import parts
from anchorlint.python.fieldnames import field_of, is_constant, is_fresh, is_raised
from anchorlint.python.formula import literals
from anchorlint.python.terms import made_of
from anchorlint.python.units import MOST_FUNCTIONS, Units
from anchorlint.python.value import Value
from anchorlint.python.view import View
from anchorlint.python.writes import Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_REFERENCES = ("idempotency", "idempotent", "dedup", "deduplication", "dedupe")
_SENT = frozenset({"headers", "json", "data", "params"})  #: what a request carries, by the names of its arguments
_WHOLE = ("reference", "clientrequesttoken", "clienttoken", "requestid", "messagededuplicationid")


class Fence:
    """What guards the writes of one unit; one for each module around which a unit stands."""

    def __init__(self, program: Program, module: int) -> None:
        self.program = program
        self.engine = program.engine
        self.writes = program.part(Writes)
        self.module = module

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The functions of the unit, each with parameters that stand for themselves."""
        return self.program.part(Units).views(self.module)

    @cached_property
    def touches(self) -> tuple[Touch, ...]:
        """Every write of the unit."""
        return tuple(touch for view in self.views for touch in self.writes.of(view))

    @cached_property
    def raised(self) -> frozenset[str]:
        """The fields that a write moves on: versions, terms, attempts, epochs, fresh tokens."""
        return frozenset(
            name
            for touch in self.touches
            for name, value in touch.fields
            if name and not name.isdigit() and (is_raised(value) or is_fresh(value))
        )

    @cached_property
    def is_fenced(self) -> bool:
        """Whether some write or refusal of the unit compares what is moved on, or names the version it replaces."""
        if self.is_fenced_by_name or any(touch.fenced for touch in self.touches):
            return True
        return bool(self.raised) and any(self._compares(formula, self.raised) for formula in self._conditions())

    @cached_property
    def is_fenced_by_name(self) -> bool:
        """Whether names alone tell that the unit is fenced, before any write is evaluated."""
        names, left = self.program.part(FencedByName), MOST_FUNCTIONS
        for module in self.program.part(Units).around(self.module):
            if left > 0 and (names.has_version_column(module) or names.first_reference(module) < left):
                return True
            left -= len(self.program.linked.modules[module].functions)
        return False

    def _conditions(self) -> Iterator[Value]:
        for touch in self.touches:
            yield touch.where
            yield touch.picked
        for view in self.views:
            for event in view.events("raise", "ret", "cont", "set", "call"):
                if event.chain:
                    yield view.condition(event.chain)

    def compared_in(self, touches: Iterable[Touch], names: frozenset[str]) -> bool:
        """Whether one of these writes asks that a field still has a value that somebody carries."""
        return any(self._compares(t.where, names) or self._compares(t.picked, names) for t in touches)

    def _compares(self, formula: Value, names: frozenset[str]) -> bool:
        return any(self.compared(literal, names) is not None for literal in literals(formula))

    def compared(self, literal: Value, names: frozenset[str]) -> str | None:
        """The field of these names that a literal compares with a value that is no constant."""
        if literal.kind == "eq":
            left, right, ordered = literal.args[0], literal.args[1], False
        elif literal.kind == "cmp":
            left, right, ordered = literal.args[1], literal.args[2], True
        else:
            return None
        for one, other in ((left, right), (right, left)):
            name = field_of(one, self.writes.queries)
            counted = ordered and (name in self.program.words["attempt"] or self._is_limit(other))
            if name in names and not counted and not self._is_constant(other):
                return name
        return None

    def _is_constant(self, value: Value) -> bool:
        form = self.engine.arithmetic.linear(value)
        return is_constant(value, self.engine.arithmetic) or (form is not None and form[1].number is not None)

    def _is_limit(self, value: Value) -> bool:
        name = field_of(value, self.writes.queries) or (str(value.args[-1]) if value.kind == "param" else "")
        return bool({"max", "limit", "most", "budget", "maximum", "min", "threshold"} & set(parts(name)))


class FencedByName:
    """Tells for each module whether names in it say that effects are fenced; one for a program."""

    def __init__(self, program: Program) -> None:
        self.linked = program.linked
        self._columns: dict[int, bool] = {}
        self._first: dict[int, int] = {}
        self._known: dict[str, bool] = {}

    def has_version_column(self, module: int) -> bool:
        """Whether a class of the module has a column that its mapper counts up and compares."""
        found = self._columns.get(module)
        if found is None:
            found = self._columns[module] = self._counts(module)
        return found

    def _counts(self, module: int) -> bool:
        terms = self.linked.modules[module].terms
        fields = [field for cls in self.linked.modules[module].classes for field in cls.fields]
        given = [terms[value] for name, value, _, _ in fields if name == "__mapper_args__" and value >= 0]
        keys = [terms[key] for term in given if term[0] == "map" for key, _ in term[1] if key >= 0]
        return ("const", "str", "version_id_col") in keys

    def first_reference(self, module: int) -> int:
        """The first function that hands on a reference under which somebody knows an effect again; large for none."""
        found = self._first.get(module)
        if found is None:
            terms = self.linked.modules[module].terms
            calls = ((number, terms[event.a][3]) for number, event in self.linked.indexes[module].events("call"))
            referring = (number for number, given in calls if any([self._hands_on(terms, *one) for one in given]))
            found = self._first[module] = next(referring, MOST_FUNCTIONS)
        return found

    def _hands_on(self, terms: list[tuple], name: str, given: int) -> bool:
        """Whether what a call is given under a name is a reference, or what it sends with a request has one in it."""
        if self._is_reference(name):
            return True
        if name not in _SENT:
            return False
        maps = [terms[number] for number in made_of(terms, (given,)) if terms[number][0] == "map"]
        keys = [terms[key] for entries in maps for key, _ in entries[1] if key >= 0]
        return any([key[1] == "str" and self._is_reference(key[2]) for key in keys if key[0] == "const"])

    def _is_reference(self, name: str) -> bool:
        found = self._known.get(name)
        if found is None:
            spelled = parts(name)
            found = self._known[name] = "".join(spelled) in _WHOLE or any(word in _REFERENCES for word in spelled)
        return found


class Fences:
    """The fences of a program, one for each unit."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of: dict[int, Fence] = {}

    def around(self, module: int) -> Fence:
        """The fence of the unit around a module."""
        found = self._of.get(module)
        if found is None:
            found = self._of[module] = Fence(self.program, module)
        return found


def wrote(fence: Fence, view: View) -> list[Touch]:
    """Those of a unit's writes that stand in one function."""
    same = (v for v in fence.views if v.module == view.module and v.number == view.number)
    return [touch for one in same for touch in fence.writes.of(one)]
