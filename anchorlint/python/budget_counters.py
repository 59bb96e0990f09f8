"""When a budget is spent: what counts tries or time, and which tests, loops and handlers stand for its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from anchorlint.domain.linear import Role
from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_paths import frames, goes_on, handlers, is_control, loops, tries_in, trying
from anchorlint.python.budget_places import Place, Places
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_DEPTH = 3  #: calls through which a counter or a test is followed
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "is": "is not", "is not": "is"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NO_WORK = {"sleep", "wait", "min", "max", "range", "str", "format", "pow", "float", "uniform", "round", "int"}
_CLOCKS = {"sleep", "total", "time", "monotonic", "now", "utcnow", "perf_counter", "time_ns", "monotonic_ns"}
_COUNTS = {"incr", "incrby", "hincrby", "zincrby", "increment", "incr_by"}


class Counter(NamedTuple):
    """What counts tries: `step` says in which direction (0: a supply of waits that runs dry)."""

    step: int
    place: Place | None
    loop: int = NONE


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


class Counters:
    """Finds the ends of budgets in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.attempt = program.words["attempt"]
        self._asks: dict[tuple[Ref, bool, bool], Spent | None] = {}
        self._counters: dict[tuple[int, int, int], Counter | None] = {}

    # counters

    def counter(self, view: View, term: int, depth: int = 0) -> Counter | None:
        """What an expression counts, None if it counts no tries."""
        key = (view.module, view.number, term)
        if key not in self._counters:
            self._counters[key] = None
            self._counters[key] = self._counter(view, term, depth)
        return self._counters[key]

    def _counter(self, view: View, number: int, depth: int) -> Counter | None:
        term = view.terms[number]
        kind = term[0]
        counted = self.places.counted.get((view.module, number))
        if counted is not None and kind == "bin":
            return Counter(counted.step, counted.place)
        if kind == "bin" and term[1] in "+-" and self._is_one(view, term[3]):
            inner = self.counter(view, term[2], depth)
            return inner or self._by_name(view, term[2], 1 if term[1] == "+" else -1)
        if kind == "iter" and self.hands_out(view, term[2]):
            return Counter(1, None, term[2])
        if kind in ("if", "phi"):
            arms = term[2:] if kind == "if" else term[1]
            found = [c for arm in arms if (c := self.counter(view, arm, depth))]
            return next((c for c in found if c.place and self.places.of(c.place)), found[0] if found else None)
        if kind == "idx":
            return self._part(view, term, depth)
        if kind == "param":
            return self._param(view, number, term)
        if kind == "call":
            return self._call(view, number, term, depth)
        return self._place(view, number, depth)

    def _is_one(self, view: View, number: int) -> bool:
        return view.terms[number][:2] == ("const", "int") and abs(view.terms[number][2]) == 1

    def _place(self, view: View, number: int, depth: int) -> Counter | None:
        place = self.places.place(view, number)
        if place is None:
            return None
        steps = [w.step for w in self.places.of(place) if w.step and not w.grows]
        if steps:
            return Counter(steps[0], place)
        if view.terms[number][0] == "attr":
            inner = self._property(view, number, depth)
            if inner is not None:
                return inner
        left = place.name.lower().rpartition("_")[2] in ("left", "remaining", "remain")
        return self._by_name(view, number, -1 if left else 1)

    def _by_name(self, view: View, number: int, step: int) -> Counter | None:
        """A field or entry that somebody else counts: a broker, a framework, a database; its name is all there is."""
        place = self.places.place(view, number)
        if place is not None and place.kind in ("field", "entry") and self.attempt.weight(place.name) >= 2:
            limit = self.program.words.weight("config", place.name) or place.name.lower().startswith(("max", "limit"))
            return None if limit else Counter(step, place)
        return None

    def _property(self, view: View, number: int, depth: int) -> Counter | None:
        getter = self.getter(view, number)
        return self._returned(getter, depth) if getter is not None and depth < MOST_DEPTH else None

    def getter(self, view: View, number: int) -> Ref | None:
        """The function behind an attribute that is a property of a class of the project."""
        _, base, name = view.terms[number]
        owner = self.calls.types.of(view.module, view.number, base)
        if owner is None or owner.kind != "cls":
            return None
        method = self.program.linked.method(owner, name)
        if method is None or not self.program.linked.function(method).decorators:
            return None
        return method

    def _returned(self, function: Ref, depth: int) -> Counter | None:
        view = self.program.view(function)
        for event in view.events("ret"):
            found = self.counter(view, event.a, depth + 1) if event.a != NONE else None
            if found is not None:
                return found
        return None

    def _part(self, view: View, term: tuple, depth: int) -> Counter | None:
        inner = view.terms[term[1]]
        if inner[0] == "iter" and term[2] == 0 and self._numbers(view, inner[1]):
            return self.counter(view, term[1], depth)
        return None

    def _numbers(self, view: View, iterable: int) -> bool:
        term = view.terms[iterable]
        return term[0] == "call" and view.terms[term[1]] == ("name", "enumerate")

    def _param(self, view: View, number: int, term: tuple) -> Counter | None:
        """A parameter that the function raises by one when it calls itself, or that is called like a count of tries."""
        function = view.facts.functions[term[1]]
        param = function.params[term[2]]
        for event in function.events:
            if event.kind == "call" and last_name(view.terms, view.terms[event.a][1]) == function.name:
                _, _, args, kwargs, *_ = view.terms[event.a]
                for passed in (*args, *(v for _, v in kwargs)):
                    value = view.terms[passed]
                    if value[0] == "bin" and value[1] in "+-" and number in value[2:4]:
                        return Counter(1 if value[1] == "+" else -1, None)
        if self.attempt.weight(param.name) >= 3 and not param.name.lower().startswith(("max", "limit")):
            return Counter(1, None)
        return None

    def _call(self, view: View, number: int, term: tuple, depth: int) -> Counter | None:
        name, args = last_name(view.terms, term[1]), term[2]
        callee = view.terms[term[1]]
        if callee == ("name", "next") and args:
            return Counter(0, self.places.place(view, args[0])) if self._supplies(view, args[0]) else None
        if callee == ("name", "len") and args:
            place = self.places.place(view, args[0])
            return Counter(1, place) if place is not None and self._grows_by_failures(place) else None
        if callee[0] == "name" and name in ("int", "sum", "max", "min", "abs") and args:
            return self.counter(view, args[0], depth)
        if name in _COUNTS:
            return Counter(1, None)
        if depth < MOST_DEPTH:
            for function in self.calls.callees(view.module, view.number, number):
                found = self._returned(function, depth)
                if found is not None:
                    return found
        return self._place(view, number, depth)

    def _grows_by_failures(self, place: Place) -> bool:
        """Whether a collection gets something where a failure is handled."""
        for write in self.places.of(place):
            facts = self.program.linked.modules[write.function.module]
            if write.step and write.grows and handlers(facts, write.event.chain):
                return True
        return False

    def _supplies(self, view: View, iterator: int) -> bool:
        """Whether an iterator hands out pauses: it is made of numbers, or what it gives is slept."""
        return self._gives_waits(view.value(iterator))

    def _gives_waits(self, value: Value) -> bool:
        if value.kind in ("phi", "case"):
            return any(self._gives_waits(arm[1] if value.kind == "case" else arm) for arm in value.args[0])
        if value.kind == "loopvar":
            return self._gives_waits(value.args[3])
        if value.kind == "result" and value.args[0].kind == "ext" and value.args[0].args[0] == "builtins.iter":
            inner = value.args[1][0] if value.args[1] else value
            if inner.kind == "seq":
                return all(part.kind == "lin" for part in inner.args[1])
            return inner.kind in ("global", "attr", "param", "result")
        return value.kind == "result" and value.args[0].kind == "fn"

    # loops that hand out a number of tries

    def hands_out(self, view: View, loop: int) -> bool:
        """Whether a for loop gives a number of tries to one piece of work, and fails over from one to the next."""
        record = view.facts.loops[loop]
        return record.kind == "for" and self._is_supply(view, record.subject) and self._tries_again(view, loop)

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
        return last_name(view.terms, rest[0]) in _CLOCKS

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

    # the end of a budget

    def spent_on(self, view: View, chain: int, timed: bool = True, depth: int = 0) -> Iterator[Spent]:
        """The ends of budgets that a path stands under, innermost first."""
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
        if any(name in _ENDS for name in names):
            return True
        if {"TimeoutError", "Timeout", "TimeoutExpired"} & set(names) and self._retries_within(view, number):
            return True
        if "StopIteration" in names or "StopAsyncIteration" in names:
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
                if name in _CLOCKS or name in self.program.words["clock"] or name in self.program.words["now"]:
                    return True
                called = self.calls.callees(view.module, view.number, number)
                if any(self._returns_clock(function) for function in called):
                    return True
            pending += parts(found)
        return False

    def _returns_clock(self, function: Ref) -> bool:
        facts = self.program.linked.modules[function.module]
        for event in facts.functions[function.number].events:
            if event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in _CLOCKS - {"total", "sleep"}:
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


#: what libraries raise when their own budget is spent: tenacity and requests, celery, urllib3
_ENDS = frozenset({"RetryError", "MaxRetriesExceededError", "MaxRetryError"})


def class_names(program: Program, module: int, types: int, depth: int = 0) -> list[str]:
    """The last names of the classes that an except clause takes, through tuples that have a name."""
    if types < 0:
        return ["Exception"]
    terms = program.linked.modules[module].terms
    term = terms[types]
    if term[0] == "seq":
        return [name for one in term[2] for name in class_names(program, module, one, depth)]
    ref = program.linked.expression(module, types)
    if ref is not None and ref.kind == "val" and depth < 3:
        return class_names(program, ref.module, ref.number, depth + 1)
    if ref is not None and ref.kind == "cls":
        return [program.linked.cls(ref).name]
    return [ref.dotted.rpartition(".")[2] if ref is not None else last_name(terms, types)]


def parts(term: tuple) -> list[int]:
    """The terms that a term is made of."""
    kind, *rest = term
    if kind in ("attr", "idx", "rest"):
        return [rest[0]]
    if kind == "sub":
        return rest[:2]
    if kind == "call":
        return [rest[0], *rest[1], *(v for _, v in rest[2])]
    if kind in ("bin", "cmp"):
        return rest[1:3]
    if kind == "un":
        return [rest[1]]
    if kind == "bool" or kind == "seq":
        return list(rest[1])
    if kind == "if":
        return rest[:3]
    if kind in ("phi", "fstr"):
        return list(rest[0])
    if kind == "loop":
        return [rest[1]]
    if kind == "iter":
        return [rest[0]]
    if kind == "map":
        return [n for pair in rest[0] for n in pair if n >= 0]
    if kind in ("star", "entered"):
        return [rest[0]]
    if kind == "comp":
        return [rest[1], *(i for i, _ in rest[2]), *rest[3]]
    return []
