"""Scenarios: whether the code that tries again can tell that the instant has passed from a failure that passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anchorlint.domain.gate import Gate
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.failures import Failures
from anchorlint.python.formula import literals
from anchorlint.python.gates import Gates, Seen
from anchorlint.python.value import LITERALS, Value

MOST_LITERALS = 14  #: undecided literals that are tried both ways
MOST_STEPS = 4000
Truth = bool | None
Window = Callable[[Gate, Seen, bool], Truth]


class Scenarios:
    """Answers questions about a path condition by trying the truth of its literals."""

    def __init__(self, engine: Evaluator, gates: Gates, failures: Failures) -> None:
        self.engine = engine
        self.gates = gates
        self.failures = failures
        self._expanded: dict[Value, Value] = {}

    def is_distinguished(self, condition: Value, leaf: Seen) -> bool:
        """Whether another exit takes the state in which the leaf's instant has passed.

        It does if the retry is possible while only this test fails (the item's other gates not past), and not, all else
        equal, once the item has closed. It does too if the retry is impossible then in any case. Both are asked for the
        time right after the instant and for the time after every later gate of the item: an end that comes only then
        does not excuse what is tried in between, and a wait for a later instant does not excuse what is tried after it.
        """
        whole = self._expand(condition, 0)
        names = self._free(whole, leaf)
        if len(names) > MOST_LITERALS:
            return False

        def passing(literal: Value) -> Truth:
            return self._reads(literal, leaf, self._only_this)

        for window in (self._just_closed, self._long_closed):

            def closed(literal: Value, window: Window = window) -> Truth:
                return self._reads(literal, leaf, window)

            if self._possible(whole, names, closed) and not self._differs(whole, names, passing, closed):
                return False
        return True

    # what gates on the item read

    def _reads(self, literal: Value, leaf: Seen, past: Window) -> Truth:
        seen = self.gates.of(literal)
        if seen is None or seen.gate.item != leaf.gate.item:
            return None
        truth = past(seen.gate, leaf, seen.place == leaf.place)
        return None if truth is None else truth != seen.gate.closing

    def _only_this(self, gate: Gate, leaf: Seen, here: bool) -> Truth:
        if here:
            return True
        return None if self._earlier(gate, leaf.gate) else False

    def _just_closed(self, gate: Gate, leaf: Seen, here: bool) -> Truth:
        return here or not self._later(gate, leaf.gate)

    def _long_closed(self, gate: Gate, leaf: Seen, here: bool) -> Truth:
        return True

    def _gap(self, gate: Gate, than: Gate) -> float | None:
        return (gate.instant - than.instant).number if gate.factor == than.factor else None

    def _later(self, gate: Gate, than: Gate) -> bool:
        gap = self._gap(gate, than)
        return gap is not None and gap > 0

    def _earlier(self, gate: Gate, than: Gate) -> bool:
        gap = self._gap(gate, than)
        return gap is not None and gap < 0

    # truth

    def _expand(self, formula: Value, depth: int) -> Value:
        """The formula with each caught failure replaced by what raises it, where all of that is seen."""
        if depth > 4:
            return formula
        found = self._expanded.get(formula)
        if found is None:
            found = self._expanded[formula] = self._replaced(formula, depth)
        return found

    def _replaced(self, formula: Value, depth: int) -> Value:
        formulas, kind = self.engine.formulas, formula.kind
        if kind == "raised":
            view, number, handler = formula.args
            parts = [c for _, _, c in self.failures.reaching(view, number, handler)]
            gated = [p for p in parts if any(True for _ in self.gates.within(p))]
            return formulas.disj([*(self._expand(p, depth + 1) for p in gated), formula]) if gated else formula
        if kind == "not":
            return formulas.neg(self._expand(formula.args[0], depth))
        if kind in ("and", "or"):
            parts = [self._expand(p, depth) for p in formula.args[0]]
            return formulas.conj(parts) if kind == "and" else formulas.disj(parts)
        if kind == "pc":
            return formulas.conj([self._expand(f, depth) for _, f, _ in formula.args[0]])
        if kind == "fcase":
            return formulas.cases([(self._expand(c, depth), self._expand(f, depth)) for c, f in formula.args[0]])
        return formula

    def _canonical(self, literal: Value) -> tuple[Value, bool]:
        """A literal and its contrary under one name, with the sign that this one has."""
        if literal.kind == "not":
            return literal.args[0], False
        if literal.kind in ("gate", "cmp") and literal.args[0] in (">", ">="):
            return self.engine.formulas.neg(literal), False
        return literal, True

    def _free(self, formula: Value, leaf: Seen) -> list[Value]:
        names: dict[Value, None] = {}
        for literal in literals(formula):
            seen = self.gates.of(literal)
            is_other = seen is None or seen.gate.item != leaf.gate.item
            if is_other or self._only_this(seen.gate, leaf, seen.place == leaf.place) is None:
                names[self._canonical(literal)[0]] = None
        return list(names)

    def truth(self, formula: Value, known: dict[Value, bool], reads: Callable[[Value], Truth]) -> Truth:
        """True, False, or None while it hangs on literals that are not decided yet."""
        kind, args = formula.kind, formula.args
        if kind in ("true", "false"):
            return kind == "true"
        if kind in LITERALS or kind == "not":
            return self._literal(formula, known, reads)
        if kind in ("and", "pc"):
            parts = args[0] if kind == "and" else [f for _, f, _ in args[0]]
            return self._every(parts, known, reads)
        if kind == "or":
            every = self._every([self.engine.formulas.neg(p) for p in args[0]], known, reads)
            return None if every is None else not every
        return self._case(args[0], known, reads)

    def _literal(self, formula: Value, known: dict[Value, bool], reads: Callable[[Value], Truth]) -> Truth:
        inner = formula.args[0] if formula.kind == "not" else formula
        read = reads(inner)
        if read is None:
            name, sign = self._canonical(inner)
            read = known.get(name)
            read = None if read is None else read == sign
        return None if read is None else read != (formula.kind == "not")

    def _every(self, parts: Any, known: dict[Value, bool], reads: Callable[[Value], Truth]) -> Truth:
        result: Truth = True
        for part in parts:
            truth = self.truth(part, known, reads)
            if truth is False:
                return False
            if truth is None:
                result = None
        return result

    def _case(self, arms: Any, known: dict[Value, bool], reads: Callable[[Value], Truth]) -> Truth:
        open_arms = []
        for condition, inner in arms:
            holds = self.truth(condition, known, reads)
            if holds is True:
                return self.truth(inner, known, reads)
            if holds is None:
                open_arms.append(inner)
        truths = {self.truth(inner, known, reads) for inner in open_arms}
        return truths.pop() if len(truths) == 1 else None if truths else False

    # search

    def _possible(self, formula: Value, names: list[Value], reads: Callable[[Value], Truth]) -> bool:
        return self._search(names, lambda known: self.truth(formula, known, reads))

    def _differs(
        self, formula: Value, names: list[Value], passing: Callable[[Value], Truth], closed: Callable[[Value], Truth]
    ) -> bool:
        def both(known: dict[Value, bool]) -> Truth:
            first = self.truth(formula, known, passing)
            if first is False:
                return False
            second = self.truth(formula, known, closed)
            if second is True:
                return False
            return True if first is True and second is False else None

        return self._search(names, both)

    def _search(self, names: list[Value], question: Callable[[dict[Value, bool]], Truth]) -> bool:
        """Whether some truth of the names makes the question true."""
        steps = 0
        pending: list[tuple[int, dict[Value, bool]]] = [(0, {})]
        while pending:
            at, known = pending.pop()
            steps += 1
            if steps > MOST_STEPS:
                return False
            answer = question(known)
            if answer is True:
                return True
            if answer is False or at == len(names):
                continue
            for choice in (False, True):
                pending.append((at + 1, {**known, names[at]: choice}))
        return False
