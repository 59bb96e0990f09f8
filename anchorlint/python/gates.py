"""Gates of a program: which literal compares a clock with an instant that stays, and when it opens or closes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.domain.finding import Confidence
from anchorlint.domain.gate import Gate, instants, normal_form
from anchorlint.domain.linear import Atom, Role
from anchorlint.knowledge.words import Words
from anchorlint.python.formula import literals
from anchorlint.python.value import Value, parts

MOST_LOOKED = 400  #: nodes of a value that is looked through for a reading


class Seen(NamedTuple):
    """A gate as it stands in a formula: its place is (module, line, column, end line, end column)."""

    gate: Gate
    literal: Value
    place: tuple[int, int, int, int, int]
    confidence: Confidence


class Gates:
    """Brings literals to their normal form; the words decide only between several unknown values."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._seen: dict[Value, Seen | None] = {}

    def of(self, literal: Value) -> Seen | None:
        """The gate of a literal, None where it is none or where nothing tells which value is the instant."""
        if literal.kind == "not":
            return None
        if literal.kind != "gate":
            return None
        if literal not in self._seen:
            self._seen[literal] = self._of(literal)
        return self._seen[literal]

    def within(self, formula: Value) -> Iterator[Seen]:
        """Every gate of a formula."""
        for literal in literals(formula):
            seen = self.of(literal)
            if seen is not None:
                yield seen

    def _of(self, literal: Value) -> Seen | None:
        op, difference, place = literal.args[:3]
        now, against = instants(difference)
        if len(now) != 1 or not against:
            return None
        item, confidence = self._choose(against)
        if item is None:
            return None
        gate = normal_form(difference, op, now[0], item)
        if isinstance(now[0].key, tuple) and now[0].key[1] == "param" and confidence is Confidence.HIGH:
            confidence = Confidence.MEDIUM  # only its name says that the parameter is a reading of now
        return Seen(gate, literal, place, confidence)

    def _choose(self, against: list[Atom]) -> tuple[Atom | None, Confidence]:
        """The instant among the unknown values: the only one, else the one whose name says so."""
        if len(against) == 1:
            return against[0], Confidence.HIGH
        scored = sorted(((self.score(atom), -n, atom) for n, atom in enumerate(against)), reverse=True)
        if scored[0][0] == scored[1][0]:
            return None, Confidence.LOW
        return scored[0][2], Confidence.MEDIUM

    def score(self, atom: Atom) -> float:
        """How much the name of a value sounds like an instant; negative for a duration or a setting."""
        steps = [s.strip("()…_") for s in atom.text.replace("[", ".").replace("]", "").split(".") if s]
        last = steps[-1] if steps else ""
        words = self._words
        score = words.weight("instant", last) - words.weight("duration", last)
        if any(step in words["config"] for step in steps[:-1]):
            score -= 4
        return score - 3 if last.isupper() else score


def may_read_clock(value: Value) -> bool:
    """Whether a reading of a clock is in a value, or may be in one that is too large to be looked through."""
    return value.size > MOST_LOOKED or any(v.args[1].of_role(Role.NOW) for v in parts(value, "lin"))
