"""Noticed: whether anybody asks if a start was lifted, where a clamp is made and used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.facts import Event
from anchorlint.python.formula import literals
from anchorlint.python.laterof import LaterOf
from anchorlint.python.link import last_name
from anchorlint.python.value import FORMULAS, Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

_LOGS = frozenset({"debug", "info", "warning", "error", "exception", "log", "print"})


class Noticed:
    """Looks for who asks how an item stands to now beside its clamp; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def is_silent(self, around: list[View], found: tuple[Atom, Linear, Linear], term: LaterOf) -> bool:
        """Whether nobody asks whether the item was lifted: no test of it against now beside the clamp itself."""
        item = found[0]
        for view in around:
            for event in view.events("call", "ret", "raise", "set", "cont", "yield"):
                if event.kind == "call" and self._is_log(view, event):
                    continue
                for literal in literals(view.condition(event.chain)):
                    if self._tells(literal, item):
                        own = literal.kind == "gate" and literal.args[2][1:] == term.place
                        if event.kind in ("ret",) and term.test >= 0 and own:
                            continue
                        return False
            if self._compares_in_values(view, found):
                return False
        return True

    def _tells(self, literal: Value, item: Atom) -> bool:
        """Whether a literal says how the item stands to now: by a gate, or by whether the later one is the item."""
        if literal.kind == "gate":
            return item in literal.args[1].terms
        if literal.kind != "eq":
            return False
        one, other = literal.args
        return (self._is_later(one, item) and self._is_wish(other, item)) or (
            self._is_later(other, item) and self._is_wish(one, item)
        )

    def _is_later(self, value: Value, item: Atom) -> bool:
        """Whether a value is the item or another one, whichever is the later."""
        if value.kind not in ("minmax", "case"):
            return False
        arms = value.args[1] if value.kind == "minmax" else [arm for _, arm in value.args[0]]
        return any(self._is_wish(arm, item) for arm in arms)

    def _is_wish(self, value: Value, item: Atom) -> bool:
        form = self.engine.arithmetic.linear(value)
        return form is not None and item in form[1].terms and not form[1].of_role(Role.NOW)

    def _compares_in_values(self, view: View, found: tuple[Atom, Linear, Linear]) -> bool:
        """Whether a comparison of the item with now, or the gap, is itself a value that is kept or handed on."""
        for event in view.events("ret", "set", "call"):
            if event.kind == "call":
                term = view.terms[event.a]
                numbers = [] if self._is_log(view, event) else [*term[2], *(n for _, n in term[3])]
            else:
                numbers = [event.a if event.kind == "ret" else event.b]
            if any(n >= 0 and self._decides(view.value(n), found, 4) for n in numbers):
                return True
        return False

    def _decides(self, value: Value, found: tuple[Atom, Linear, Linear], deep: int) -> bool:
        """Whether a value says how the item stands to now, other than by being the later of the two."""
        item = found[0]
        if value.kind in FORMULAS:
            return any(self._tells(one, item) for one in literals(value))
        if value.kind == "lin":
            return _is_gap(value.args[1], found)
        if value.kind == "case":
            if any(self._is_instant(arm, item) for _, arm in value.args[0]):
                return False
            conditions = (c for condition, _ in value.args[0] for c in literals(condition))
            return any(self._tells(one, item) for one in conditions)
        if not deep or value.kind not in ("obj", "map", "seq"):
            return False
        inner = value.args[1] if value.kind != "map" else value.args[0]
        parts_ = [one[1] if isinstance(one, tuple) else one for one in inner]
        return any(self._decides(part, found, deep - 1) for part in parts_[:24])

    def _is_instant(self, value: Value, item: Atom) -> bool:
        form = self.engine.arithmetic.linear(value)
        return form is not None and (item in form[1].terms or bool(form[1].of_role(Role.NOW)))

    def _is_log(self, view: View, event: Event) -> bool:
        return last_name(view.terms, view.terms[event.a][1]) in _LOGS


def _is_gap(form: Linear, found: tuple[Atom, Linear, Linear]) -> bool:
    """Whether a span is what lies between the start that is wanted and the floor, in either direction."""
    item, margin, floor = found
    now = form.of_role(Role.NOW)
    if len(now) != 1 or item not in form.terms:
        return False
    sign = now[0][1]
    return form.terms[item] == -sign and form.without(now[0][0]).without(item) == (floor - margin) * sign
