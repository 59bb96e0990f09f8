"""Sums, products and extremes of values: mapped over cases and brought to linear forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.formula import Formulas
from anchorlint.python.value import FORMULAS, PATHS, Value, Values, plain, said

MOST_ARMS = 8
MOST_SIZE = 4000  #: nodes of a value whose arms are still told apart
Place = tuple[Any, ...]


class Sums:
    """Operations on the values of one program."""

    def __init__(self, values: Values, formulas: Formulas) -> None:
        self.values = values
        self.formulas = formulas
        self._atoms: dict[Value, Atom] = {}

    # linear forms

    def item(self, path: Value) -> Atom:
        """The atom of a path: a value that a record carries."""
        path = plain(path)
        atom = self._atoms.get(path)
        if atom is None:
            role = Role.OPAQUE if path.kind == "unknown" else Role.ITEM
            atom = self._atoms[path] = Atom(role, path, said(path))
        return atom

    def linear(self, value: Value) -> tuple[str, Linear] | None:
        """Dimension and linear form of a number, an instant, a duration or a path."""
        if value.kind == "lin":
            return value.args
        if value.kind in PATHS:
            return "any", Linear(((self.item(value), 1.0),))
        if value.kind == "true":
            return "num", Linear((), 1.0)
        if value.kind == "ext" and is_foreign_column(value.args[0]):
            return "any", Linear(((self.item(value), 1.0),))
        return None

    def lin(self, dim: str, form: Linear) -> Value:
        """The value of a linear form; a single path with coefficient 1 is the path itself."""
        if len(form.terms) == 1 and not form.constant and dim == "any":
            (atom, coefficient), *_ = form.terms.items()
            if coefficient == 1.0 and atom.role is Role.ITEM and isinstance(atom.key, Value):
                return atom.key
        return self.values("lin", dim, form)

    def mapped(self, value: Value, operation: Callable[[Value], Value]) -> Value:
        """The operation on each arm of a case, or an opaque value where there are too many."""
        arms = value.args[0]
        if value.size > MOST_SIZE:
            return self.opaque("large", value)
        if value.kind == "phi":
            return self.phi([operation(arm) for arm in arms])
        return self.case([(condition, operation(arm)) for condition, arm in arms])

    def case(self, arms: list[tuple[Value, Value]]) -> Value:
        """A value that depends on conditions of which exactly one holds."""
        flat: list[tuple[Value, Value]] = []
        false, conj = self.values.false, self.formulas.conj
        for condition, value in arms:
            if condition is false:
                continue
            if value.kind == "case" and len(flat) < MOST_ARMS:
                for inner, arm in value.args[0]:
                    both = conj((condition, inner))
                    if both is not false:
                        flat.append((both, arm))
            else:
                flat.append((condition, value))
        if not flat:
            return self.values("unknown", -1, 0, 0)
        values = {value for _, value in flat}
        if len(values) == 1:
            return flat[0][1]
        if FORMULAS.issuperset([value.kind for value in values]):
            return self.formulas.cases(flat)
        return self.values("case", tuple(flat[: 3 * MOST_ARMS]))

    def phi(self, values: list[Value]) -> Value:
        """One of these values, unknown which."""
        kept: dict[Value, None] = {}
        for value in values:
            for part in value.args[0] if value.kind == "phi" else (value,):
                kept[part] = None
        return next(iter(kept)) if len(kept) == 1 else self.values("phi", tuple(kept)[:MOST_ARMS])

    # sums and products

    def opaque(self, op: str, *values: Value) -> Value:
        """A result that nothing is known about but that equal operands give again."""
        return self.values("result", self.values("ext", op), tuple(values), ())

    def add(self, left: Value, right: Value, sign: float) -> Value:
        """`left + sign * right`."""
        for one in (left, right):
            if one.kind in ("case", "phi") and len(one.args[0]) <= MOST_ARMS:
                if one is left:
                    return self.mapped(left, lambda arm: self.add(arm, right, sign))
                return self.mapped(right, lambda arm: self.add(left, arm, sign))
        if left.kind == "minmax":
            which, parts, place = left.args
            return self.extreme(which, [self.add(p, right, sign) for p in parts], place)
        if right.kind == "minmax":
            which, parts, place = right.args
            turned = which if sign > 0 else {"max": "min", "min": "max"}[which]
            return self.extreme(turned, [self.add(left, p, sign) for p in parts], place)
        a, b = self.linear(left), self.linear(right)
        if a is None or b is None:
            return self._joined(left, right, sign)
        return self.lin(_summed(a[0], b[0], sign), a[1] + b[1] * sign)

    def _joined(self, left: Value, right: Value, sign: float) -> Value:
        if sign > 0 and left.kind == right.kind == "str":
            return self.values("str", left.args[0] + right.args[0])
        if sign > 0 and left.kind == right.kind == "seq":
            return self.values("seq", left.args[0], left.args[1] + right.args[1])
        return self.opaque("+" if sign > 0 else "-", left, right)

    def scale(self, value: Value, other: Value, inverse: bool) -> Value:
        """`value * other`, or `value / other` with `inverse`."""
        for one in (value, other):
            if one.kind in ("case", "phi") and len(one.args[0]) <= MOST_ARMS:
                if one is value:
                    return self.mapped(value, lambda arm: self.scale(arm, other, inverse))
                return self.mapped(other, lambda arm: self.scale(value, arm, inverse))
        a, b = self.linear(value), self.linear(other)
        if a is None or b is None:
            return self.opaque("/" if inverse else "*", value, other)
        number = b[1].number
        if number is not None and (number or not inverse):
            return self._scaled(value, a, 1 / number if inverse else number, b[0])
        number = a[1].number
        if number is not None and not inverse:
            return self._scaled(other, b, number, a[0])
        return self.opaque("/" if inverse else "*", value, other)

    def _scaled(self, value: Value, form: tuple[str, Linear], factor: float, other: str) -> Value:
        dim = form[0]
        if dim == "num" and other == "td" or dim == "any" and other == "td":
            dim = "td"
        elif dim == other == "td":
            dim = "num"
        return self.lin("num" if dim == "any" else dim, form[1] * factor)

    def power(self, left: Value, right: Value) -> Value:
        """`left ** right` where both are small numbers."""
        numbers = [f[1].number if (f := self.linear(v)) else None for v in (left, right)]
        if numbers[0] is None or numbers[1] is None or abs(numbers[1]) > 64 or abs(numbers[0]) > 1e6:
            return self.opaque("**", left, right)
        try:
            result = numbers[0] ** numbers[1]
        except (OverflowError, ZeroDivisionError):
            return self.opaque("**", left, right)
        return self.values.number(result) if isinstance(result, float) else self.opaque("**", left, right)

    def extreme(self, which: str, parts: list[Value], place: Place) -> Value:
        """`max` or `min` of several values: decided where numbers decide, without literal floors and caps."""
        for at, part in enumerate(parts):
            if part.kind in ("case", "phi") and len(part.args[0]) <= MOST_ARMS:
                return self.mapped(
                    part, lambda arm, at=at: self.extreme(which, [*parts[:at], arm, *parts[at + 1 :]], place)
                )
        kept: list[Value] = []
        for part in parts:
            flat = part.args[1] if part.kind == "minmax" and part.args[0] == which else (part,)
            for one in flat:
                self._keep(which, kept, one)
        if len(kept) > 1:
            kept = self._without_literals(kept)
        return kept[0] if len(kept) == 1 else self.values("minmax", which, tuple(kept), place)

    def _keep(self, which: str, kept: list[Value], new: Value) -> None:
        form = self.linear(new)
        for at, old in enumerate(kept):
            other = self.linear(old)
            if form is None or other is None:
                continue
            gap = (form[1] - other[1]).number
            if gap is not None:
                if (gap > 0) == (which == "max"):
                    kept[at] = new
                return
        kept.append(new)

    def _without_literals(self, parts: list[Value]) -> list[Value]:
        """`max(0, x)` is x where x is an instant or hangs on a record: the floor is a guard, not a bound."""
        moving = [p for p in parts if (f := self.linear(p)) is None or f[1].number is None]
        return moving if moving and len(moving) < len(parts) else parts

    def size_of(self, value: Value) -> Value:
        """`abs(value)`: the greater of the value and its contrary."""
        form = self.linear(value)
        if form is None:
            return self.opaque("abs", value)
        if form[1].number is not None:
            return self.lin(form[0], Linear((), abs(form[1].number)))
        return self.values("minmax", "max", (value, self.lin(form[0], -form[1])), ("abs",))


def is_foreign_column(dotted: str) -> bool:
    """Whether a name from outside is a field of a class, as `tables.Task.beat_at` is."""
    owner, _, name = dotted.rpartition(".")
    return owner.rpartition(".")[2][:1].isupper() and name.islower() and not owner.startswith("builtins")


def _summed(left: str, right: str, sign: float) -> str:
    if left == right:
        return "td" if left == "dt" and sign < 0 else left
    pair = {left, right}
    if pair == {"dt", "td"}:
        return "dt"
    if "num" in pair:
        return "num"
    return "any"
