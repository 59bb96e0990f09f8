"""Flags: failures that reach a decision through a field, and answers whose status says that they are none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.formula import literals
from anchorlint.python.link import Ref
from anchorlint.python.outcome_terms import handler_here, handler_of, inside, tests
from anchorlint.python.outcomes import Conversion, Outcomes
from anchorlint.python.value import Value
from anchorlint.python.view import View

_STATUS = frozenset({"status_code", "status"})
_FINE = frozenset({"ok", "is_success", "is_ok"})
_SAYING = _STATUS | _FINE


class Flags:
    """Finds the conversions behind fields and status tests."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine

    # fields

    @cached_property
    def names(self) -> frozenset[str]:
        """The fields that some except clause sets to a constant."""
        return frozenset(
            index.facts.terms[event.a][2]
            for index in self.engine.linked.indexes
            for _, event in (index.events("set") if index.facts.tries else ())
            if event.chain and index.facts.terms[event.a][0] == "attr" and self._in_handler(index.facts, event)
        )

    def _in_handler(self, facts: Facts, event: Event) -> bool:
        if facts.terms[event.b][0] not in ("const", "seq", "map"):
            return False
        found = handler_of(facts, event.chain)
        return found is not None and handler_here(facts, event, *found)

    def behind(self, literal: Value) -> Iterator[tuple[Conversion, bool]]:
        """The conversions that set the field which a literal asks about, and what the literal then says."""
        field = next((a for a in literal.args if isinstance(a, Value) and a.kind == "attr"), None)
        if field is None or field.args[1] not in self.names or literal.kind not in ("truthy", "isnone", "eq"):
            return
        owner = self.engine.attributes.type_of(field.args[0])
        if owner is None or owner.kind != "cls":
            return
        stores = self.engine.attributes.construct.stores(owner).get(field.args[1], [])
        if not any(self._is_answered(method, event) for method, event in stores):
            return
        for method, event in stores:
            facts = self.engine.linked.modules[method.module]
            if not self._in_handler(facts, event):
                continue
            number, handler = handler_of(facts, event.chain) or (NONE, NONE)
            view = self.engine.view(method.module, method.number)
            conversion = self.outcomes.conversion(view, number, handler)
            said = self._said(literal, field, view.value(event.b))
            if conversion is not None and said is not None:
                place = (event.line, event.column, event.end_line, event.end_column)
                yield conversion._replace(place=place), said

    def _is_answered(self, method: Ref, event: Event) -> bool:
        """Whether a store keeps what was read."""
        facts = self.engine.linked.modules[method.module]
        if any(facts.terms[one][0] == "call" for one in inside(facts, event.b, 40)):
            view = self.engine.view(method.module, method.number)
            return not self.outcomes.is_answer(view, event.b)
        return False

    def _said(self, literal: Value, field: Value, value: Value) -> bool | None:
        arithmetic, values = self.engine.arithmetic, self.engine.values
        if literal.kind == "truthy":
            found = arithmetic.truth(value)
            if value.kind in ("seq", "map") and not value.args[-1]:
                return False
        elif literal.kind == "isnone":
            found = arithmetic.is_none(value)
        else:
            other = literal.args[1] if literal.args[0] is field else literal.args[0]
            found = arithmetic.compare("==", value, other, ())
        return None if found not in (values.true, values.false) else found is values.true

    # statuses

    @cached_property
    def refusing(self) -> frozenset[Ref]:
        """The functions that answer a constant where a status says that there is no answer."""
        found = set()
        for module, index in enumerate(self.engine.linked.indexes):
            if not index.named.keys().isdisjoint(_SAYING):
                found.update(
                    [Ref("fn", module, n) for n, event in index.events("ret") if self._refuses(index.facts, event)]
                )
        return frozenset(found)

    def _refuses(self, facts: Facts, event: Event) -> bool:
        if not event.chain or facts.terms[event.a][0] not in ("const", "seq", "map"):
            return False
        for frame in tests(facts, event.chain):
            for one in inside(facts, frame[2], 20):
                term = facts.terms[one]
                if term[0] == "attr" and term[2] in _SAYING:
                    return True
        return False

    def refused(self, view: View, event: Event, literal: Value) -> Iterator[tuple[Conversion, bool]]:
        """The constants that a called function returns where a status is not the one of an answer."""
        holds = self._says_failed(literal)
        if holds is None:
            return
        for frame in tests(view.facts, event.chain):
            for one in inside(view.facts, frame[2]):
                if view.terms[one][0] == "call":
                    yield from self._returned(view, one, literal, holds)

    def _says_failed(self, literal: Value) -> bool | None:
        """Whether a literal holds when the answer is none; None where it is no test of a status."""
        if literal.kind == "truthy" and literal.args[0].kind == "attr" and literal.args[0].args[1] in _FINE:
            return False
        if literal.kind == "eq" and any(a.kind == "attr" and a.args[1] in _STATUS for a in literal.args):
            numbers = [a.args[1].number for a in literal.args if a.kind == "lin"]
            return False if numbers and numbers[0] is not None and 200 <= numbers[0] < 300 else None
        return None

    def _returned(self, view: View, call: int, literal: Value, holds: bool) -> Iterator[tuple[Conversion, bool]]:
        inner = self.outcomes.failures.called(view, Event("call", 0, call, NONE, (), 0, 0, 0, 0))
        if inner is None or Ref("fn", inner.module, inner.number) not in self.refusing:
            return
        reads = [e for e in inner.events("call") if self.outcomes.reaches_out(inner, e, False)]
        for event in inner.events("ret"):
            if not reads or not self.outcomes.is_answer(inner, event.a):
                continue
            said = [inner.engine.arithmetic.truth(inner.value(f[2])) for f in tests(inner.facts, event.chain)]
            if any(literal in set(literals(formula)) for formula in said[:1]):
                place = (event.line, event.column, event.end_line, event.end_column)
                yield Conversion(inner.module, place, NONE, NONE, reads[0], frozenset({"mixed"})), holds
