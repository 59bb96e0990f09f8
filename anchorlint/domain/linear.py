"""The linear form: every time value is a sum of coefficient × atom plus a constant, in seconds.

`time.time()` is 1 × NOW, `int(time.time() * 1000)` is 1000 × NOW, `timedelta(days=7)` is the constant 604800. Instants,
durations, ages and units are read off the coefficients, so there is no type for each of them.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable


class Role(enum.IntEnum):
    """What an atom stands for."""

    NOW = 1  #: a reading of a clock, which slides
    ITEM = 2  #: a value that a record carries, which stays
    NAMED = 3  #: a constant that has a name and perhaps a number
    OPAQUE = 4  #: a product or call that nothing is known about


class Atom:
    """One unknown of a linear form; two atoms are the same when role and key are."""

    __slots__ = ("_hash", "key", "origin", "role", "text", "value")

    def __init__(self, role: Role, key: object, text: str, value: float | None = None, origin: object = None) -> None:
        self.role = role
        self.key = key
        self.text = text
        self.value = value
        self.origin = origin
        self._hash = hash((role, key))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.role == other.role and self.key == other.key

    def __repr__(self) -> str:
        return f"{self.role.name}({self.text})"


class Linear:
    """`sum(coefficient * atom) + constant`; immutable, compared by value."""

    __slots__ = ("_hash", "constant", "terms")

    def __init__(self, terms: Iterable[tuple[Atom, float]] = (), constant: float = 0.0) -> None:
        kept = {atom: coefficient for atom, coefficient in terms if coefficient}
        self.terms: dict[Atom, float] = kept
        self.constant = constant
        self._hash = hash((frozenset(kept.items()), constant))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.constant == other.constant and self.terms == other.terms

    def __add__(self, other: Linear) -> Linear:
        merged = dict(self.terms)
        for atom, coefficient in other.terms.items():
            merged[atom] = merged.get(atom, 0.0) + coefficient
        return Linear(((a, c) for a, c in merged.items() if abs(c) > 1e-12), self.constant + other.constant)

    def __neg__(self) -> Linear:
        return self * -1.0

    def __sub__(self, other: Linear) -> Linear:
        return self + (-other)

    def __mul__(self, factor: float) -> Linear:
        return Linear(((a, c * factor) for a, c in self.terms.items()), self.constant * factor)

    @property
    def number(self) -> float | None:
        """The value if every atom is a named constant with a number, else None."""
        total = self.constant
        for atom, coefficient in self.terms.items():
            if atom.value is None:
                return None
            total += coefficient * atom.value
        return total

    def of_role(self, role: Role) -> list[tuple[Atom, float]]:
        """The atoms of this role with their coefficients, in the order in which they came."""
        return [(a, c) for a, c in self.terms.items() if a.role is role]

    def without(self, *atoms: Atom) -> Linear:
        """The form with these atoms left out."""
        return Linear(((a, c) for a, c in self.terms.items() if a not in atoms), self.constant)

    def __repr__(self) -> str:
        parts = [f"{coefficient:g}*{atom!r}" for atom, coefficient in self.terms.items()]
        return " + ".join([*parts, f"{self.constant:g}"])


def constant(value: float) -> Linear:
    """The form of a plain number."""
    return Linear((), value)


def single(atom: Atom, coefficient: float = 1.0) -> Linear:
    """The form of one atom."""
    return Linear(((atom, coefficient),))
