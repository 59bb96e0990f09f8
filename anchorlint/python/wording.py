"""Wording: which terms may stand for a text or a member of an enumeration, told from the terms alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.python.link import Ref, last_name

if TYPE_CHECKING:
    from anchorlint.python.program import Program

#: terms that never are one: numbers of their own, truths, collections, what the caller hands in
_NAMELESS = frozenset({"param", "cell", "cmp", "un", "seq", "map", "comp", "loop", "rest", "star", "def", "classdef",
                       "exc", "raised", "yielded", "unknown"})  # fmt: skip
_SAME = frozenset({"max", "min", "str", "int", "float", "round", "sum", "cast"})  #: builtins that answer what they get


class Wording:
    """Tells what may be a word without evaluating anything; one for a program."""

    def __init__(self, program: Program) -> None:
        self.linked = program.linked
        self.callees = program.relevance.callees
        self._known = program.engine.calls.library.methods | _SAME
        self._answers: dict[Ref, bool] = {}

    def may_be_word(self, module: int, number: int) -> bool:
        """Whether a term of a function may stand for a text or a member, its parameters standing for themselves."""
        terms = self.linked.modules[module].terms
        term = terms[number]
        kind = term[0]
        if kind in _NAMELESS:
            return False
        if kind == "const":
            return bool(term[1] == "str")
        if kind in ("name", "import"):
            ref = self.linked.expression(module, number)
            return ref is None or ref.kind in ("val", "ext")
        if kind in ("if", "bool", "phi"):
            arms = term[2:] if kind == "if" else term[2] if kind == "bool" else term[1]
            return any([self.may_be_word(module, arm) for arm in arms])
        if kind in ("bin", "fstr"):  # put together of texts only
            parts = term[1] if kind == "fstr" else term[2:4]
            return all([self.may_be_word(module, part) for part in parts])
        return kind != "call" or self._may_call(module, term)

    def _may_call(self, module: int, term: tuple) -> bool:
        callees = self.callees.of(module, term[1])
        if callees:
            return any([self._may_answer(function) for function in callees])
        terms = self.linked.modules[module].terms
        name = last_name(terms, term[1])
        if not name or name == "getattr":
            return True
        if name not in self._known:
            return False  # the answer of somebody else, of which nothing is known
        on = terms[term[1]]
        if on[0] == "attr" and (self._may_hold(module, on[1]) if name == "get" else self.may_be_word(module, on[1])):
            return True
        return any([self.may_be_word(module, n) for n in (*term[2], *(n for _, n in term[3]))])

    def _may_hold(self, module: int, number: int) -> bool:
        """Whether a term may be a mapping whose entries the source writes down."""
        term = self.linked.modules[module].terms[number]
        if term[0] == "call":
            return (
                bool(self.callees.of(module, term[1]))
                or last_name(self.linked.modules[module].terms, term[1]) == "dict"
            )
        return term[0] not in ("param", "iter", "loop", "cell", "const")

    def _may_answer(self, function: Ref) -> bool:
        """Whether a function may return a word, or what it is given."""
        found = self._answers.get(function)
        if found is None:
            self._answers[function] = False
            facts = self.linked.modules[function.module]
            found = self._answers[function] = any(
                facts.terms[event.a][0] == "param" or self.may_be_word(function.module, event.a)
                for event in facts.functions[function.number].events
                if event.kind == "ret" and event.a >= 0
            )
        return found
