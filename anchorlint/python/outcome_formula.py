"""What is left of a condition once one literal is known."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.formula import Formulas
from anchorlint.python.value import FORMULAS, Value

MOST_NODES = 4000


def raised_in(value: Value) -> Iterator[Value]:
    """Every `raised` literal in a value or formula, each once."""
    pending: list[object] = [value]
    seen: set[int] = set()
    while pending and len(seen) < MOST_NODES:
        node = pending.pop()
        if isinstance(node, Value):
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.kind == "raised":
                yield node
            else:
                pending.extend(node.args)
        elif isinstance(node, tuple):
            pending.extend(node)


class Assumed:
    """Formulas under the assumption that one literal holds, or does not."""

    def __init__(self, formulas: Formulas, literal: Value, holds: bool) -> None:
        self.formulas = formulas
        self.values = formulas.values
        self._known = {literal: self.values.truth(holds)}
        self._left = MOST_NODES

    def __call__(self, formula: Value) -> Value:
        """The formula, simplified by what is assumed; beyond the bound it stays as it is."""
        found = self._known.get(formula)
        if found is None:
            self._left -= 1
            if self._left < 0 or formula.kind not in FORMULAS:
                return formula
            found = self._known[formula] = self._simplified(formula)
        return found

    def _simplified(self, formula: Value) -> Value:
        kind, args = formula.kind, formula.args
        if kind == "not":
            return self.formulas.neg(self(args[0]))
        if kind == "and":
            return self.formulas.conj([self(part) for part in args[0]])
        if kind == "or":
            return self.formulas.disj([self(part) for part in args[0]])
        if kind == "pc":
            return self.formulas.conj([self(part) for _, part, _ in args[0]])
        if kind == "fcase":
            return self._chosen(args[0])
        if kind == "truthy":
            return self._truth(formula, args[0])
        return formula

    def _truth(self, formula: Value, value: Value) -> Value:
        if value.kind in ("seq", "map") and not value.args[-1]:
            return self.values.false
        if value.kind == "result" and value.args[0].kind == "ext" and value.args[0].args[0] == "arm 0":
            return self.values.true  # of two values, what stood there before the try
        return formula

    def _chosen(self, arms: tuple[tuple[Value, Value], ...]) -> Value:
        kept: list[tuple[Value, Value]] = []
        for condition, part in arms:
            given = self(condition)
            if given is self.values.true:
                return self(part)
            if given is not self.values.false:
                kept.append((given, self(part)))
        return self.formulas.cases(kept)
