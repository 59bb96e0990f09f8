"""Comparisons of values: brought to gates, decided where numbers decide, and asked for their truth."""

from __future__ import annotations

from anchorlint.domain.linear import Role
from anchorlint.python.sums import MOST_ARMS, Place, Sums
from anchorlint.python.value import FORMULAS, PATHS, Value, plain

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
#: comparisons of a length that ask whether there is anything, and whether they hold where there is
_ASKING_LENGTH = {("==", 0): False, ("<", 1): False, ("<=", 0): False, (">", 0): True, (">=", 1): True}


class Arithmetic(Sums):
    """Operations on the values of one program."""

    def compare(self, op: str, left: Value, right: Value, place: Place) -> Value:
        """The formula of a comparison."""
        if op in ("is", "is not", "!="):
            if op == "is":
                return self.compare("==", left, right, place)
            return self.formulas.neg(self.compare("==", left, right, place))
        if op in ("in", "not in"):
            found = self._member(left, right, place)
            return found if op == "in" else self.formulas.neg(found)
        if left.kind == "result" and right.kind == "lin":
            filled = self._filled(op, left, right)
            if filled is not None:
                return filled
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

    def _filled(self, op: str, left: Value, right: Value) -> Value | None:
        """`len(found) == 0` and `len(found) > 0` ask what `not found` and `found` ask, of what is one of several."""
        if left.args[0].args[:1] != ("builtins.len",) or len(left.args[1]) != 1:
            return None
        asked = (op, right.args[1].number)
        if left.args[1][0].kind not in ("case", "phi") or asked not in _ASKING_LENGTH:
            return None
        filled = self.truth(left.args[1][0])
        return filled if _ASKING_LENGTH[asked] else self.formulas.neg(filled)

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
