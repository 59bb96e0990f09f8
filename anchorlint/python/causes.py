"""Causes: from a retry site back to the literals that decide it, through conditions, returns and exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.failures import Failures
from anchorlint.python.formula import literals
from anchorlint.python.value import LITERALS, Value

MOST_LEAVES = 120  #: causes of one site
MOST_STEPS = 2500


class Cause(NamedTuple):
    """A literal that directly decides a retry, what else must hold, and the handlers and raising views on the way."""

    literal: Value
    others: tuple[Value, ...]
    through: tuple[Any, ...] = ()


class Causes:
    """Traces formulas back to their literals."""

    def __init__(self, engine: Evaluator, failures: Failures) -> None:
        self.engine = engine
        self.failures = failures
        self._steps = 0

    def of(self, formula: Value) -> list[Cause]:
        """The direct causes of a path condition."""
        self._steps = 0
        found: dict[tuple[Value, tuple[Value, ...]], Cause] = {}
        for cause in self._trace(formula, (), (), 0):
            found.setdefault((cause.literal, cause.others), cause)
            if len(found) >= MOST_LEAVES:
                break
        return list(found.values())

    def _trace(self, formula: Value, others: tuple[Value, ...], through: tuple, depth: int) -> Iterator[Cause]:
        self._steps += 1
        if self._steps > MOST_STEPS or depth > 30:
            return
        kind = formula.kind
        if kind == "pc":
            yield from self._path(formula, others, through, depth)
        elif kind == "and":
            parts = formula.args[0]
            for at, part in enumerate(parts):
                yield from self._trace(part, (*others, *parts[:at], *parts[at + 1 :]), through, depth + 1)
        elif kind == "or":
            for part in formula.args[0]:
                yield from self._trace(part, others, through, depth + 1)
        elif kind == "fcase":
            yield from self._arms(formula, others, through, depth)
        elif kind == "raised":
            yield Cause(formula, others, through)
            yield from self._failure(formula, others, through, depth)
        elif kind in LITERALS or kind == "not":
            yield Cause(formula, others, through)

    def _path(self, formula: Value, others: tuple[Value, ...], through: tuple, depth: int) -> Iterator[Cause]:
        """From the innermost frame outwards, up to the first that was entered and is more than a budget's test."""
        frames = formula.args[0]
        for at in range(len(frames) - 1, -1, -1):
            entered, inner, _ = frames[at]
            rest = tuple(f for n, (_, f, _) in enumerate(frames) if n != at)
            yield from self._trace(inner, (*others, *rest), through, depth + 1)
            if entered and not self.is_budget(inner):
                return

    def is_budget(self, formula: Value) -> bool:
        """Whether a test only asks how many tries are left."""
        found = list(literals(formula))
        return bool(found) and all(one.kind == "cmp" and self._counted(one) for one in found)

    def _counted(self, literal: Value) -> bool:
        sides = [self.engine.arithmetic.linear(v) for v in literal.args[1:3]]
        return all(s is not None and s[0] in ("num", "any") for s in sides)

    def _arms(self, formula: Value, others: tuple[Value, ...], through: tuple, depth: int) -> Iterator[Cause]:
        for condition, inner in formula.args[0]:
            if inner.kind == "false":
                continue
            if inner.kind == "true":
                yield from self._trace(condition, others, through, depth + 1)
            else:
                yield from self._trace(inner, (*others, condition), through, depth + 1)

    def _failure(self, literal: Value, others: tuple[Value, ...], through: tuple, depth: int) -> Iterator[Cause]:
        view, number, handler = literal.args
        if any(step is literal for step in through) or len(through) > 6:
            return
        for _, raised, condition in self.failures.reaching(view, number, handler):
            yield from self._trace(condition, (*others, literal), (*through, literal, raised.view), depth + 1)
