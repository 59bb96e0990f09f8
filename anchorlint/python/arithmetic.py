"""The algebra on values: sums, products, extremes and comparisons, mapped over cases and brought to linear forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.formula import Formulas
from anchorlint.python.value import FORMULAS, PATHS, Value, Values, plain, said

MOST_ARMS = 8
MOST_SIZE = 4000  #: nodes of a value whose arms are still told apart
Place = tuple[Any, ...]
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Arithmetic:
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
        for condition, value in arms:
            if condition is self.values.false:
                continue
            if value.kind == "case" and len(flat) < MOST_ARMS:
                flat += [(self.formulas.conj((condition, inner)), arm) for inner, arm in value.args[0]]
            else:
                flat.append((condition, value))
        flat = [(c, v) for c, v in flat if c is not self.values.false]
        if not flat:
            return self.values("unknown", -1, 0, 0)
        if all(v is flat[0][1] for _, v in flat):
            return flat[0][1]
        if all(v.kind in FORMULAS for _, v in flat):
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

    # comparisons

    def compare(self, op: str, left: Value, right: Value, place: Place) -> Value:
        """The formula of a comparison."""
        if op in ("is", "is not", "!="):
            if op == "is":
                return self.compare("==", left, right, place)
            return self.formulas.neg(self.compare("==", left, right, place))
        if op in ("in", "not in"):
            found = self._member(left, right, place)
            return found if op == "in" else self.formulas.neg(found)
        for one in (left, right):
            if one.kind in ("case", "phi") and len(one.args[0]) <= 3 * MOST_ARMS:
                return self._compare_arms(op, one is left, one, right if one is left else left, place)
        if op == "==":
            return self._equal(left, right, place)
        if left.kind == "minmax":
            return self._compare_extreme(op, left, right, place, mirrored=False)
        if right.kind == "minmax":
            return self._compare_extreme(_MIRRORED[op], right, left, place, mirrored=True)
        return self._ordered(op, left, right, place)

    def _compare_arms(self, op: str, on_left: bool, cases: Value, other: Value, place: Place) -> Value:
        def one(arm: Value) -> Value:
            return self.compare(op, arm, other, place) if on_left else self.compare(op, other, arm, place)

        if cases.kind == "case":
            return self.formulas.cases([(c, one(v)) for c, v in cases.args[0]])
        parts = [one(v) for v in cases.args[0]]
        if all(p is parts[0] for p in parts):
            return parts[0]
        arms = [self.values("truthy", self.opaque(f"arm {n}", cases)) for n in range(len(parts) - 1)]
        return self.formulas.cases(self.partition(arms, parts))

    def partition(self, tests: list[Value], parts: list[Value]) -> list[tuple[Value, Value]]:
        """Arms for `parts` of which the first whose test holds is meant, the last one without a test."""
        found, before = [], []
        for test, part in zip(tests, parts, strict=False):
            found.append((self.formulas.conj([*before, test]), part))
            before.append(self.formulas.neg(test))
        return [*found, (self.formulas.conj(before), parts[-1])]

    def _compare_extreme(self, op: str, extreme: Value, other: Value, place: Place, mirrored: bool) -> Value:
        which, parts, _ = extreme.args
        each = [
            self.compare(_MIRRORED[op], other, p, place) if mirrored else self.compare(op, p, other, place)
            for p in parts
        ]
        all_of = (which == "max") == (op in ("<", "<="))
        return self.formulas.conj(each) if all_of else self.formulas.disj(each)

    def _ordered(self, op: str, left: Value, right: Value, place: Place) -> Value:
        a, b = self.linear(left), self.linear(right)
        if a is None or b is None:
            return self.values("cmp", op, left, right, place)
        difference = a[1] - b[1]
        number = difference.number
        if number is not None:
            decided = {"<": number < 0, "<=": number <= 0, ">": number > 0, ">=": number >= 0}[op]
            return self.values.truth(decided)
        if difference.of_role(Role.NOW):
            dim = "td" if "td" in (a[0], b[0]) else "dt" if "dt" in (a[0], b[0]) else "num"
            return self.values("gate", op, difference, place, dim)
        return self.values("cmp", op, left, right, place)

    def _equal(self, left: Value, right: Value, place: Place) -> Value:
        left, right = plain(left), plain(right)
        if left is right:
            return self.values.true
        if left.kind == "none" or (self.fixed(left) and not self.fixed(right)):
            left, right = right, left
        if right.kind == "none":
            return self.is_none(left)
        if self.fixed(left) and self.fixed(right):
            return self.values.truth(self._same(left, right))
        if right.kind in ("true", "false") and left.kind in FORMULAS:
            return left if right.kind == "true" else self.formulas.neg(left)
        if left.kind in FORMULAS or right.kind in FORMULAS:
            return self.values("truthy", self.opaque("==", left, right))
        return self.values("eq", left, right)

    def _same(self, left: Value, right: Value) -> bool:
        if left.kind == right.kind == "lin":
            return left.args[1].number == right.args[1].number
        return left is right

    def fixed(self, value: Value) -> bool:
        """Whether a value is a literal that differs from every other one: a text, a number, a member, None, a class."""
        if value.kind in ("str", "none", "true", "false", "cls", "fn"):
            return True
        if value.kind == "lin":
            return value.args[1].number is not None
        if value.kind == "attr":
            return value.args[0].kind == "cls"
        return value.kind == "seq" and all(self.fixed(v) for v in value.args[1])

    def _member(self, left: Value, right: Value, place: Place) -> Value:
        if left.kind in ("case", "phi") and len(left.args[0]) <= 3 * MOST_ARMS:
            return self._compare_arms("in", True, left, right, place)
        if right.kind == "seq" and (right.args[1] or right.args[0] == "tuple"):
            return self.formulas.disj([self.compare("==", left, one, place) for one in right.args[1]])
        if right.kind == "map" and self.fixed(left):
            keys = [key for key, _ in right.args[0]]
            if keys and all(k is not None and self.fixed(k) for k in keys):
                return self.values.truth(any(self._same(left, k) for k in keys))
        return self.values("truthy", self.opaque("in", left, right))

    def is_none(self, value: Value) -> Value:
        """Whether a value is None."""
        value = plain(value)
        if value.kind == "none":
            return self.values.true
        if value.kind in ("case", "phi"):
            return self._compare_arms("==", True, value, self.values.none, ())
        if value.kind in PATHS and value.kind != "unknown":
            return self.values("isnone", value)
        return self.values.false if value.kind != "unknown" else self.values("isnone", value)

    def truth(self, value: Value) -> Value:
        """The formula of a value in a condition."""
        value = plain(value)
        kind = value.kind
        if kind in FORMULAS:
            return value
        if kind == "none":
            return self.values.false
        if kind == "case":
            return self.formulas.cases([(c, self.truth(v)) for c, v in value.args[0]])
        if kind == "phi":
            parts = [self.truth(v) for v in value.args[0]]
            if all(p is parts[0] for p in parts):
                return parts[0]
            tests = [self.values("truthy", self.opaque(f"arm {n}", value)) for n in range(len(parts) - 1)]
            return self.formulas.cases(self.partition(tests, parts))
        if kind == "map" or (kind == "seq" and value.args[0] != "tuple"):
            # what was written empty may have been filled since
            return self.values.true if value.args[-1] else self.values("truthy", value)
        if kind in ("str", "seq"):
            return self.values.truth(bool(value.args[-1]))
        if kind in ("obj", "fn", "cls", "mod", "partial"):
            return self.values.true
        if kind == "lin":
            number = value.args[1].number
            return self.values.true if number is None else self.values.truth(number != 0)
        return self.values("truthy", value)


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
