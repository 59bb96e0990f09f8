"""What counts tries: variables, fields, rows, supplies of waits, the turns of a loop."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.budget_loops import RetryLoops
from anchorlint.python.budget_paths import handlers
from anchorlint.python.budget_places import Place
from anchorlint.python.facts import NONE
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_DEPTH = 3  #: calls through which a counter or a test is followed
_COUNTS = {"incr", "incrby", "hincrby", "zincrby", "increment", "incr_by"}


class Counter(NamedTuple):
    """What counts tries: `step` says in which direction (0: a supply of waits that runs dry)."""

    step: int
    place: Place | None
    loop: int = NONE


class Counters(RetryLoops):
    """Tells what counts tries in one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
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
