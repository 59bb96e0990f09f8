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
                    if literal.kind == "gate" and item in literal.args[1].terms:
                        if event.kind in ("ret",) and term.test >= 0 and literal.args[2][1:] == term.place:
                            continue
                        return False
            if self._compares_in_values(view, item):
                return False
        return True

    def _compares_in_values(self, view: View, item: Atom) -> bool:
        """Whether a comparison of the item with now is itself a value that is kept or handed on."""
        for event in view.events("ret", "set", "call"):
            if event.kind == "call":
                term = view.terms[event.a]
                numbers = [] if self._is_log(view, event) else [*term[2], *(n for _, n in term[3])]
            else:
                numbers = [event.a if event.kind == "ret" else event.b]
            if any(n >= 0 and self._decides(view.value(n), item, 4) for n in numbers):
                return True
        return False

    def _decides(self, value: Value, item: Atom, deep: int) -> bool:
        """Whether a value says how the item stands to now, other than by being the later of the two."""
        if value.kind in FORMULAS:
            return any(one.kind == "gate" and item in one.args[1].terms for one in literals(value))
        if value.kind == "case":
            if any(self._is_instant(arm, item) for _, arm in value.args[0]):
                return False
            conditions = (c for condition, _ in value.args[0] for c in literals(condition))
            return any(one.kind == "gate" and item in one.args[1].terms for one in conditions)
        if not deep or value.kind not in ("obj", "map", "seq"):
            return False
        inner = value.args[1] if value.kind != "map" else value.args[0]
        parts_ = [one[1] if isinstance(one, tuple) else one for one in inner]
        return any(self._decides(part, item, deep - 1) for part in parts_[:24])

    def _is_instant(self, value: Value, item: Atom) -> bool:
        form = self.engine.arithmetic.linear(value)
        return form is not None and (item in form[1].terms or bool(form[1].of_role(Role.NOW)))

    def _is_log(self, view: View, event: Event) -> bool:
        return last_name(view.terms, view.terms[event.a][1]) in _LOGS
