"""When a budget is over: the tests, loops and handlers that stand for the end of tries or of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from anchorlint.domain.linear import Role
from anchorlint.python.budget_counters import Counter, Counters
from anchorlint.python.budget_loops import CLOCKS
from anchorlint.python.budget_paths import frames, loops, trying
from anchorlint.python.budget_suspects import ENDS, TIMEOUTS, WAITS_OVER, Suspects
from anchorlint.python.budget_terms import class_names, parts
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_DEPTH = 3  #: calls through which a test is followed
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "is": "is not", "is not": "is"}


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Spent(NamedTuple):
    """That a budget is over on a path: `chain` is where this is known, `limit` the term it is held against or -1.

    kind: count, time, loop (all turns were taken), handler (somebody else's budget) or waits.
    """

    kind: str
    function: Ref
    chain: int
    term: int = NONE
    limit: int = NONE
    counter: Counter | None = None
    loop: int = NONE


class Ends(Counters):
    """Finds the ends of budgets in one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.suspects = program.part(Suspects)
        self._asks: dict[tuple[Ref, bool, bool], Spent | None] = {}

    # the end of a budget

    def spent_on(self, view: View, chain: int, timed: bool = True, depth: int = 0) -> Iterator[Spent]:
        """The ends of budgets that a path stands under, innermost first."""
        if not self.suspects.stands(view.module, view.number, chain):
            return
        tested = False
        for number, frame in frames(view.facts, chain):
            if frame[0] == "test":
                found = self.spent(view, frame[1], frame[2], depth, timed)
                if found is not None:
                    yield found._replace(chain=number)
                tested = True
            elif frame[0] == "after" and self._over(view, frame[1], tested):
                yield Spent("loop", Ref("fn", view.module, view.number), number, loop=frame[1])
            elif frame[0] == "join" and tested:
                found = self._joined(view, frame)
                if found is not None:
                    yield found._replace(chain=number)
            elif frame[0] == "exc" and self.is_end(view, frame[1], frame[2]):
                yield Spent("handler", Ref("fn", view.module, view.number), number)

    def _joined(self, view: View, frame: tuple) -> Spent | None:
        """After `while tries < most: … break` one of the ways out is the budget's end; a later test tells which."""
        for chain in frame[1]:
            while chain > 0 and chain != frame[2]:
                inner = view.facts.chains[chain]
                if inner[1] == "test":
                    found = self.spent(view, inner[2], inner[3])
                    if found is not None:
                        return found
                chain = inner[0]
        return None

    def _over(self, view: View, loop: int, tested: bool) -> bool:
        """Whether the place behind a loop is reached by taking all its turns in vain."""
        if not self.hands_out(view, loop):
            return False
        left = [e for e in view.events("ret", "brk") if loop in loops(view.facts, e.chain)]
        if any(self._ends_within(view, e, loop) for e in view.events("raise", "ret")):
            return False
        return bool(left) and (tested or self._in_else(view, loop) or not any(e.kind == "brk" for e in left))

    def _ends_within(self, view: View, event: Event, loop: int) -> bool:
        """Whether the last turn is ended inside of the loop already, so that nothing is reached behind it."""
        for _, frame in frames(view.facts, event.chain):
            if frame[0] == "loop" and frame[1] == loop:
                return False
            if frame[0] == "test":
                found = self.spent(view, frame[1], frame[2], timed=False)
                if found is not None and found.counter is not None and found.counter.loop == loop:
                    return True
        return False

    def _in_else(self, view: View, loop: int) -> bool:
        return view.facts.loops[loop].last_line > max(
            (e.line for e in view.events("back", "cont") if e.a == loop), default=10**9
        )

    def is_end(self, view: View, number: int, handler: int) -> bool:
        """Whether a handler takes what a library raises when its budget is spent, or the end of a supply of waits."""
        types = view.facts.tries[number].handlers[handler].types
        if types == NONE:
            return False
        names = class_names(self.program, view.module, types)
        if not ENDS.isdisjoint(names):
            return True
        if not TIMEOUTS.isdisjoint(names) and self._retries_within(view, number):
            return True
        if not WAITS_OVER.isdisjoint(names):
            return self._asks_for_wait(view, number)
        return False

    def _retries_within(self, view: View, number: int) -> bool:
        """Whether a try holds a loop that tries again: what ends it from outside ends a budget of time."""
        record = view.facts.tries[number]
        for loop, one in enumerate(view.facts.loops):
            inner = one.function == view.number and one.kind == "while" and record.line <= one.line <= record.last_line
            if inner and self.tries_anew(view, loop):
                return True
        return False

    def _asks_for_wait(self, view: View, number: int) -> bool:
        for event in view.events("call"):
            if number in trying(view.facts, event.chain):
                term = view.terms[event.a]
                if view.terms[term[1]] == ("name", "next") and term[2] and self._supplies(view, term[2][0]):
                    return True
        return False

    def spent(self, view: View, term: int, holds: bool, depth: int = 0, timed: bool = True) -> Spent | None:
        """The budget that is over where a condition holds (or does not); those of time only if they are asked for."""
        kind, *rest = view.terms[term]
        if kind == "un" and rest[0] == "not":
            return self.spent(view, rest[1], not holds, depth, timed)
        if kind == "bool":
            return next((s for part in rest[1] if (s := self.spent(view, part, holds, depth, timed))), None)
        if kind == "cmp":
            return self._compared(view, rest, holds, timed)
        counter = self.counter(view, term)
        if counter is not None and counter.step <= 0 and not holds:
            return self._end(view, "count", term, NONE, counter)
        return self._asked(view, term, holds, depth, timed)

    def _end(self, view: View, kind: str, term: int, limit: int, counter: Counter | None) -> Spent:
        return Spent(kind, Ref("fn", view.module, view.number), 0, term, limit, counter)

    def _compared(self, view: View, rest: list[Any], holds: bool, timed: bool) -> Spent | None:
        op, left, right = rest[0], rest[1], rest[2]
        op = op if holds else _FLIPPED.get(op, "")
        for side, other, direction in ((left, right, op), (right, left, _MIRRORED.get(op, op))):
            counter = self.counter(view, side)
            if counter is None:
                continue
            if counter.step == 0:
                if direction in ("is", "==") and view.terms[other][:2] == ("const", "NoneType"):
                    return self._end(view, "waits", side, NONE, counter)
            elif self._reached(view, counter, direction, other):
                return self._end(view, "count", side, other, counter)
        if timed and op in _MIRRORED and (self._reads_clock(view, left) or self._reads_clock(view, right)):
            return self._timed(view, left, right, op)
        return None

    def _reached(self, view: View, counter: Counter, direction: str, limit: int) -> bool:
        number = view.value(limit)
        known = number.args[1].number if number.kind == "lin" else None
        if counter.step > 0:
            if known is not None and (known < 1 or known < 2 and direction == "=="):
                return False
            return direction in (">", ">=", "==")
        return direction in ("<", "<=", "==") and (known is None or known <= 1)

    def _reads_clock(self, view: View, term: int) -> bool:
        """Whether a clock is read in an expression, as far as names tell: only then it is evaluated."""
        pending, seen = [term], 0
        while pending and seen < 40:
            number = pending.pop()
            seen += 1
            found = view.terms[number]
            if found[0] == "call":
                name = last_name(view.terms, found[1])
                if name in CLOCKS or name in self.program.words["clock"] or name in self.program.words["now"]:
                    return True
                called = self.calls.callees(view.module, view.number, number)
                if any(self._returns_clock(function) for function in called):
                    return True
            pending += parts(found)
        return False

    def _returns_clock(self, function: Ref) -> bool:
        facts = self.program.linked.modules[function.module]
        for event in facts.functions[function.number].events:
            if event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in CLOCKS - {"total", "sleep"}:
                return True
        return False

    def _timed(self, view: View, left: int, right: int, op: str) -> Spent | None:
        """`now > deadline`, `now - started > limit`, `deadline - now <= 0`: the later reading is on the larger side."""
        a, b = view.value(left), view.value(right)
        if self._about_item(a) or self._about_item(b):
            return None
        readings = [(*self._latest(a), 1), (*self._latest(b), -1)]
        line, sign, side = max(readings)
        if line < 0:
            return None
        larger = sign * side > 0
        if (op in (">", ">=")) == larger:
            return self._end(view, "time", left if side > 0 else right, right if side > 0 else left, None)
        return None

    def _about_item(self, value: Value) -> bool:
        """Whether an instant is a field of some record: an age limit of that record is no budget of tries."""
        if value.kind == "lin":
            keys = [atom.key for atom, _ in value.args[1].of_role(Role.ITEM)]
            return any(isinstance(key, Value) and self._about_item(key) for key in keys)
        if value.kind == "attr":
            base = value.args[0]
            return not (base.kind == "param" and base.args[2] == 0)
        return value.kind in ("item", "part", "iter")

    def _latest(self, value: Value) -> tuple[int, float]:
        if value.kind in ("case", "phi"):
            arms = [arm[1] if value.kind == "case" else arm for arm in value.args[0]]
            return max((self._latest(arm) for arm in arms), default=(-1, 0.0))
        if value.kind != "lin":
            return -1, 0.0
        found = [(-1, 0.0)]
        for atom, coefficient in value.args[1].of_role(Role.NOW):
            found.append((next((k for k in atom.key[2:] if isinstance(k, int)), 0), coefficient))
        return max(found)

    def _asked(self, view: View, term: int, holds: bool, depth: int, timed: bool) -> Spent | None:
        """A test that a function or property of the project makes: `if budget.spent:`, `if not job.may_retry():`."""
        if depth >= MOST_DEPTH:
            return None
        kind = view.terms[term][0]
        functions: tuple[Ref, ...] = ()
        if kind == "call":
            functions = self.calls.callees(view.module, view.number, term)
        elif kind == "attr":
            getter = self.getter(view, term)
            functions = (getter,) if getter is not None else ()
        for function in functions:
            key = (function, holds, timed)
            if key not in self._asks:
                self._asks[key] = None  # a ring of questions ends here
                self._asks[key] = self._answered(self.program.view(function), holds, depth + 1, timed)
            found = self._asks[key]
            if found is not None:
                return found
        return None

    def _answered(self, view: View, holds: bool, depth: int, timed: bool) -> Spent | None:
        for event in view.events("ret"):
            if event.a == NONE:
                continue
            term = view.terms[event.a]
            if term[0] == "const" and term[1] == "bool":
                if term[2] == holds:
                    found = next(self.spent_on(view, event.chain, timed, depth), None)
                    if found is not None:
                        return found
            else:
                found = self.spent(view, event.a, holds, depth, timed)
                if found is not None:
                    return found
        return None
