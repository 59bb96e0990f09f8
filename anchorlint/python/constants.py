"""Constants: which terms may stand for the same answer every time, told before anything is evaluated."""

from __future__ import annotations

from anchorlint.python.callees import Callees
from anchorlint.python.facts import NONE
from anchorlint.python.link import Linked, Ref

#: kinds of terms that hold what is made anew each time, what a caller gives, or a truth
_NEVER = frozenset({"fstr", "comp", "param", "entered", "yielded", "exc", "cell", "rest", "cmp", "def", "classdef"})


class Constants:
    """Tells terms that no value of a constant can come from; one for a program.

    What is made or asked of constants alone may be one; what is given anything else, by a caller for one, is none.
    """

    def __init__(self, linked: Linked, callees: Callees) -> None:
        self.linked = linked
        self.callees = callees
        self._answers: dict[Ref, bool] = {}

    def may_be(self, module: int, number: int) -> bool:
        """Whether a term may stand for a constant."""
        terms = self.linked.modules[module].terms
        term = terms[number]
        kind = term[0]
        if kind == "call":
            return self._may_give(module, term)
        if kind == "const":
            return term[1] != "bool"
        if kind in ("seq", "bin", "map"):
            inner = [value for _, value in term[1]] if kind == "map" else term[2] if kind == "seq" else term[2:4]
            return all(self._may_be_part(module, part) for part in inner if part != NONE)
        if kind in ("if", "phi", "bool"):
            arms = term[2:4] if kind == "if" else term[-1]
            return any(self.may_be(module, arm) for arm in arms)
        if kind in ("sub", "idx"):
            return self._may_be_part(module, term[1])
        if kind == "attr" and terms[term[1]][0] == "call":
            return bool(self.callees.of(module, terms[term[1]][1])) or self._is_ours(module, terms[term[1]][1])
        return kind not in _NEVER and term[:2] != ("un", "not")

    def _may_be_part(self, module: int, number: int) -> bool:
        """Whether a part of a collection may be a constant; here truths are some."""
        term = self.linked.modules[module].terms[number]
        return term[:2] == ("const", "bool") or self.may_be(module, number)

    def _may_give(self, module: int, call: tuple) -> bool:
        """Whether a function of ours answers with a constant, or something is made of nothing else."""
        if any(self._may_answer(function) for function in self.callees.of(module, call[1])):
            return True
        given = (*call[2], *[number for _, number in call[3]])
        if not given:
            made = self.linked.expression(module, call[1])
            return made is not None and (made.kind in ("cls", "val") or made.dotted.startswith("builtins."))
        return all(self._may_be_part(module, number) for number in given)

    def _is_ours(self, module: int, callee: int) -> bool:
        ref = self.linked.expression(module, callee)
        return ref is not None and ref.kind in ("cls", "val")

    def _may_answer(self, function: Ref) -> bool:
        found = self._answers.get(function)
        if found is None:
            self._answers[function] = False  # ends a ring of functions
            record = self.linked.function(function)
            found = self._answers[function] = record.name != "__init__" and any(
                event.kind == "end" or event.a == NONE or self.may_be(function.module, event.a)
                for event in record.events
                if event.kind in ("ret", "end")
            )
        return found
