"""Misses: what a program does when something that forgets says no, told by trying that answer on its conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from anchorlint.python.asked import Ask, Asked
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref
from anchorlint.python.missed import Missed, Near
from anchorlint.python.value import Value, parts, root
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

Truth = bool | None
GONE, UNREACHABLE = "?gone", "?unreachable"
STATUS_OF_A_MISS = 404.0


class Misses:
    """What one program does about misses; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        linked, models, words = program.linked, program.models, program.words
        scratch = Asked(Evaluator(linked, models, words, lambda function: False))
        self.relevance = Near(program, scratch)
        self.engine = Evaluator(linked, models, words, self._looks_into)
        self.asked = Asked(self.engine, scratch.starts)
        self.retries = Missed(self.engine, self.relevance, self.asked)
        self._known: dict[tuple[Value, Value], Truth] = {}

    def _looks_into(self, function: Ref) -> bool:
        """Whether a function's answer hangs on something that forgets, on a clock, or on a failure that it caught."""
        if self.relevance.answers(function) or self.program.retries.relevance.answers(function):
            return True
        return function in self._catching

    @cached_property
    def _catching(self) -> frozenset[Ref]:
        modules = enumerate(self.program.linked.modules)
        return frozenset(Ref("fn", n, record.function) for n, facts in modules for record in facts.tries)

    @cached_property
    def failures(self) -> Failures:
        """What is raised, reads of what forgets included."""
        return self.retries.failures

    def asks(self, literal: Value, views: Iterable[View] = ()) -> Iterator[Ask]:
        """What a literal asks about that may have been forgotten; a caught failure is one of what its try has asked."""
        for part in parts(literal, "result", "attr"):
            ask = self.asked.of(part)
            if ask is not None:
                yield ask
        if literal.kind != "raised":
            for caught in parts(literal, "exc"):
                yield from self._caught(caught, views)

    def _caught(self, caught: Value, views: Iterable[View]) -> Iterator[Ask]:
        module, number, handler = caught.args
        owner = self.engine.linked.modules[module].tries[number].function
        for view in views:
            if (view.module, view.number) == (module, owner):
                for _, _, condition in self.failures.reaching(view, number, handler):
                    for part in parts(condition, "result"):
                        ask = self.asked.of(part)
                        if ask is not None:
                            yield ask

    # a formula under a miss

    def truth(self, formula: Value, ask: Ask) -> Truth:
        """Whether a formula holds once what is asked for is gone; None where that does not decide it."""
        key = (formula, ask.value)
        if key not in self._known:
            self._known[key] = None  # ends a ring of failures
            self._known[key] = self._truth(formula, ask)
        return self._known[key]

    def _truth(self, formula: Value, ask: Ask) -> Truth:
        kind, args = formula.kind, formula.args
        if kind in ("true", "false"):
            return kind == "true"
        if kind == "not":
            inner = self.truth(args[0], ask)
            return None if inner is None else not inner
        if kind == "pc":
            return _all(self.truth(f, ask) for _, f, _ in args[0])
        if kind == "and":
            return _all(self.truth(f, ask) for f in args[0])
        if kind == "or":
            found = _all(_not(self.truth(f, ask)) for f in args[0])
            return _not(found)
        if kind == "fcase":
            return self._case(args[0], ask)
        if kind == "raised":
            return self._raised(formula, ask)
        return self._literal(formula, ask)

    def _case(self, arms: tuple[tuple[Value, Value], ...], ask: Ask) -> Truth:
        found = set()
        for condition, inner in arms:
            holds = self.truth(condition, ask)
            if holds is True:
                return self.truth(inner, ask)
            if holds is None:
                found.add(self.truth(inner, ask))
        return found.pop() if len(found) == 1 else None

    def _raised(self, literal: Value, ask: Ask) -> Truth:
        view, number, handler = literal.args
        for at in range(len(view.facts.tries[number].handlers)):
            for _, _, condition in self.failures.reaching(view, number, at):
                if self.truth(condition, ask) is True:
                    return at == handler
        return None

    def _literal(self, literal: Value, ask: Ask) -> Truth:
        kind, args = literal.kind, literal.args
        if kind == "isnone" and args[0] is ask.value:
            return {*ask.misses} & {"none", "default"} != set() or None
        if kind == "truthy":
            if args[0] is ask.value:
                return False if {*ask.misses} & {"none", "default", "empty", "false", "zero"} else None
            if args[0].kind == "attr" and args[0].args[0] is ask.value and args[0].args[1] in ("ok", "is_success"):
                return False if ask.http else None
        if kind == "eq":
            return self._equal(args[0], args[1], ask)
        if kind == "cmp" and ask.http and self.asked.status(args[1]) is ask:
            form = self.engine.arithmetic.linear(args[2])
            limit = form[1].number if form is not None else None
            return None if limit is None else _ordered(args[0], STATUS_OF_A_MISS, limit)
        if kind == "isinstance" and args[0].kind == "exc" and ask.raises:
            classes = self.failures.classes(args[1])
            error = Ref("ext", dotted=ask.raises[0])
            return any(self.failures.is_a(error, c) for c in classes) if classes else None
        return None

    def _equal(self, left: Value, right: Value, ask: Ask) -> Truth:
        if right.kind == "ext" and right.args[0] in (GONE, UNREACHABLE):
            return right.args[0] == GONE if left is ask.value else None
        said = self.said(right)
        if left is ask.value:
            answers = {m.partition(":")[2] for m in ask.misses if m.startswith("eq:")}
            return said in answers if answers and said is not None else None
        if said is None:
            return None
        if ask.http and self.asked.status(left) is ask:
            return said in ask.codes
        if root(left).kind == "exc" and ask.codes:
            return said in ask.codes
        return None

    def said(self, value: Value) -> str | None:
        """A constant as text: a status, an error code, a state."""
        if value.kind == "str":
            return str(value.args[0])
        if value.kind == "lin" and value.args[1].number is not None:
            return f"{value.args[1].number:g}"
        return str(value.args[1]) if value.kind == "attr" else None

    def leaves_open(self, formula: Value, ask: Ask) -> bool:
        """Whether a test of the caught failure is in a formula that may tell the miss from others in an unknown way."""
        from anchorlint.python.formula import literals

        return any(
            literal.kind != "raised" and self.truth(literal, ask) is None and parts(literal, "exc")
            for literal in literals(formula)
        )


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _all(truths: Iterator[Truth]) -> Truth:
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True


def _ordered(op: str, left: float, right: float) -> bool:
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]
