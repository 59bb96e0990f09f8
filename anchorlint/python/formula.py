"""Formulas over literals: built simplified, negated down to the leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from anchorlint.python.value import LITERALS, Value, Values

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_ORDERED = frozenset({"gate", "cmp"})  #: literals whose contrary is one of their own kind


class Formulas:
    """Makes formulas with the values of one program."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._negated: dict[Value, Value] = {}

    def conj(self, parts: Iterable[Value]) -> Value:
        """All of them."""
        return self._flat("and", parts, self.values.false, self.values.true)

    def disj(self, parts: Iterable[Value]) -> Value:
        """At least one of them."""
        return self._flat("or", parts, self.values.true, self.values.false)

    def _flat(self, op: str, parts: Iterable[Value], absorbing: Value, neutral: Value) -> Value:
        kept: dict[Value, None] = {}
        for part in parts:
            if part is absorbing:
                return absorbing
            if part is neutral:
                continue
            for piece in part.args[0] if part.kind == op else (part,):
                kept[piece] = None
        if not kept:
            return neutral
        if len(kept) == 1:
            return next(iter(kept))
        return absorbing if self._clash(kept) else self.values(op, tuple(kept))

    def _clash(self, kept: dict[Value, None]) -> bool:
        """Whether a literal stands beside its contrary."""
        ordered = []
        for part in kept:
            if part.kind == "not":
                if part.args[0] in kept:
                    return True
            elif part.kind in _ORDERED:
                ordered.append(part)
        return len(ordered) > 1 and any([self.neg(part) in kept for part in ordered])

    def neg(self, formula: Value) -> Value:
        """Its contrary."""
        found = self._negated.get(formula)
        if found is None:
            found = self._negated[formula] = self._neg(formula)
            self._negated.setdefault(found, formula)
        return found

    def _neg(self, formula: Value) -> Value:
        kind, args = formula.kind, formula.args
        if kind == "true":
            return self.values.false
        if kind == "false":
            return self.values.true
        if kind == "not":
            return args[0]
        if kind == "and":
            return self.disj([self.neg(p) for p in args[0]])
        if kind == "or":
            return self.conj([self.neg(p) for p in args[0]])
        if kind == "pc":
            return self.disj([self.neg(f) for _, f, _ in args[0]])
        if kind == "fcase":
            return self.values("fcase", tuple((c, self.neg(f)) for c, f in args[0]))
        if kind == "gate" and args[0] in _FLIPPED:
            return self.values("gate", _FLIPPED[args[0]], *args[1:])
        if kind == "cmp" and args[0] in _FLIPPED:
            return self.values("cmp", _FLIPPED[args[0]], *args[1:])
        return self.values("not", formula)

    def path(self, frames: Iterable[tuple[bool, Value, Any]]) -> Value:
        """A path condition from its frames, outermost first."""
        kept = []
        for entered, formula, place in frames:
            if formula is self.values.false:
                return self.values.false
            if formula is not self.values.true:
                kept.append((entered, formula, place))
        return self.values("pc", tuple(kept)) if kept else self.values.true

    def cases(self, arms: Iterable[tuple[Value, Value]]) -> Value:
        """Exactly one of the conditions holds; the formula of that arm is meant."""
        kept = [(c, self.values.true if f is c else f) for c, f in arms if c is not self.values.false]
        if not kept:
            return self.values.false
        if all(f is kept[0][1] for _, f in kept) or len(kept) == 1:
            return kept[0][1]
        if len(kept) == 2 and kept[0][0] is self.neg(kept[1][0]):
            either = self._either(kept[0], kept[1]) or self._either(kept[1], kept[0])
            if either is not None:
                return either
        # more arms stay apart, because each of them says by its whole condition how its exit is reached
        return self.values("fcase", tuple(kept))

    def _either(self, one: tuple[Value, Value], other: tuple[Value, Value]) -> Value | None:
        """`one` or `other` holds, where one of them is always or never fulfilled."""
        condition, formula = one
        if formula is self.values.true:
            return self.disj((condition, other[1]))
        return self.conj((other[0], other[1])) if formula is self.values.false else None


def conjuncts(formula: Value) -> Iterator[Value]:
    """What must hold at least, through conjunctions and path conditions."""
    if formula.kind == "and":
        for part in formula.args[0]:
            yield from conjuncts(part)
    elif formula.kind == "pc":
        for _, part, _ in formula.args[0]:
            yield from conjuncts(part)
    else:
        yield formula


def literals(formula: Value) -> Iterator[Value]:
    """Every literal in a formula, those of conditions included; each once."""
    pending, seen = [formula], set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.kind in LITERALS:
            yield node
        elif node.kind == "not":
            pending.append(node.args[0])
        elif node.kind in ("and", "or"):
            pending.extend(node.args[0])
        elif node.kind == "pc":
            pending.extend(f for _, f, _ in node.args[0])
        elif node.kind == "fcase":
            for condition, part in node.args[0]:
                pending += (condition, part)
