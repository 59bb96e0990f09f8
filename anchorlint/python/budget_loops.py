"""Loops that try again: which of them hand out a number of tries, and which answers they are left for."""

from __future__ import annotations

from typing import Any

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_paths import frames, goes_on, is_control, loops, tries_in, trying
from anchorlint.python.budget_places import Places
from anchorlint.python.budget_terms import parts
from anchorlint.python.link import last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

_NO_WORK = {"sleep", "wait", "min", "max", "range", "str", "format", "pow", "float", "uniform", "round", "int"}


CLOCKS = {"sleep", "total", "time", "monotonic", "now", "utcnow", "perf_counter", "time_ns", "monotonic_ns"}


class RetryLoops:
    """Tells loops that try one piece of work again from those that go from item to item."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.attempt = program.words["attempt"]
        self._hands_out: dict[tuple[int, int, int], bool] = {}

    # loops that hand out a number of tries

    def hands_out(self, view: View, loop: int) -> bool:
        """Whether a for loop gives a number of tries to one piece of work, and fails over from one to the next."""
        key = (view.module, view.number, loop)
        found = self._hands_out.get(key)
        if found is None:
            record = view.facts.loops[loop]
            found = record.kind == "for" and self._tries_again(view, loop) and self._is_supply(view, record.subject)
            self._hands_out[key] = found
        return found

    def _is_supply(self, view: View, subject: int) -> bool:
        term = view.terms[subject]
        if term[0] == "call":
            name, args = last_name(view.terms, term[1]), term[2]
            if name in ("range", "repeat") and view.terms[term[1]][0] in ("name", "import", "attr"):
                return True
            if name in ("enumerate", "reversed", "iter", "list", "tuple", "islice", "zip", "chain") and args:
                return any(self._is_supply(view, a) for a in args)
            ref = self.program.linked.expression(view.module, term[1])
            if ref is not None and ref.kind == "ext":
                return self.program.models.retry_loop(ref.dotted) is not None
        elif term[0] in ("seq", "name", "import", "attr", "outer", "param"):
            value = view.value(subject)
            if value.kind == "seq":
                return bool(value.args[1]) and all(part.kind in ("lin", "none") for part in value.args[1])
        return self._is_slept(view, subject)

    def _is_slept(self, view: View, subject: int) -> bool:
        """Whether what a loop goes through is handed to a sleep."""
        for event in view.events("call"):
            term = view.terms[event.a]
            if last_name(view.terms, term[1]) in ("sleep", "wait") and term[2]:
                value = view.terms[term[2][0]]
                if value[0] == "iter" and value[1] == subject:
                    return True
        return False

    def _tries_again(self, view: View, loop: int) -> bool:
        return self.tries_anew(view, loop) and not self._is_item(view, loop)

    def tries_anew(self, view: View, loop: int) -> bool:
        """Whether a failure within a loop leads to its next turn: a handler that stays, or a test of an answer."""
        facts = view.facts
        for number in tries_in(facts, loop):
            for handler in range(len(facts.tries[number].handlers)):
                if goes_on(facts, loop, number, handler) and not is_control(facts, number, handler):
                    return True
        return self._leaves_on_answer(view, loop)

    def _leaves_on_answer(self, view: View, loop: int) -> bool:
        """Whether a loop is left, under a test of what a call in it has answered, with success."""
        for event in view.events("ret", "brk"):
            if loop in loops(view.facts, event.chain):
                for _, frame in frames(view.facts, event.chain):
                    if frame[0] == "loop" and frame[1] == loop:
                        break
                    if frame[0] == "test" and self.answers(view, frame[1]):
                        return True
        return False

    def answers(self, view: View, term: int, depth: int = 0) -> list[int]:
        """The calls whose results an expression is about, builtins and clocks left out."""
        found: list[int] = []
        seen: set[int] = set()
        pending = [term]
        while pending and len(seen) < 400:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            kind, *rest = view.terms[number]
            if kind == "call" and not self._is_plain(view, number, rest):
                found.append(number)
            else:
                pending += parts(view.terms[number])
        return found

    def _is_plain(self, view: View, number: int, rest: list[Any]) -> bool:
        callee = view.terms[rest[0]]
        if callee[0] == "name" and self.program.linked.name(view.module, callee[1]).dotted.startswith("builtins."):
            return True
        if callee[0] == "attr" and callee[2] == "get":
            key = view.terms[rest[1][0]] if rest[1] else ("", "", "")
            owner = self.calls.types.of(view.module, view.number, callee[1])
            if owner is not None and owner.kind == "ext" and not owner.dotted.startswith("builtins."):
                return False  # a client's get asks its server
            return key[:2] == ("const", "str") and "/" not in key[2]
        if callee[0] == "attr" and callee[2] in ("lower", "upper", "strip", "startswith", "endswith", "split"):
            return True
        return last_name(view.terms, rest[0]) in CLOCKS

    def _is_item(self, view: View, loop: int) -> bool:
        """Whether the loop's variable is what the turn works on: then each turn is other work, not another try."""
        facts = view.facts
        tries = tries_in(facts, loop)
        for event in view.events("call"):
            if loop not in loops(facts, event.chain) or self.calls.is_log(view.module, event, view.number):
                continue
            in_try = trying(facts, event.chain)
            if not set(in_try) & set(tries) and tries:
                continue
            _, callee, args, kwargs, *_ = view.terms[event.a]
            if last_name(view.terms, callee) in _NO_WORK:
                continue
            for passed in (*args, *(v for _, v in kwargs)):
                if any(self._is_turn(view, n, loop) for n in (passed, *self._inner(view, passed))):
                    return True
        return False

    def _inner(self, view: View, term: int) -> list[int]:
        """What a text or a place is made with: `f"/disks/{i}"`, `names[i]`."""
        return parts(view.terms[term]) if view.terms[term][0] in ("fstr", "sub", "seq") else []

    def _is_turn(self, view: View, number: int, loop: int) -> bool:
        term = view.terms[number]
        return bool(term[0] == "iter" and term[2] == loop and self.attempt.weight(term[3]) <= 0)
