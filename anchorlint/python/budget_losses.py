"""Failures that go before an ending: where they are caught, handed over, or seen in an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.budget_causes import Causes
from anchorlint.python.budget_ends import Spent
from anchorlint.python.budget_paths import (
    frames,
    goes_on,
    goes_up,
    handlers,
    inside,
    is_control,
    is_passed,
    loops,
    place,
    raises,
    tries_in,
)
from anchorlint.python.budget_terms import class_names
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.view import View

MOST_DEPTH = 2  #: callers of callers
_OWN = {"ValueError", "TypeError", "TimeoutError", "timeout", "?"}  #: says nothing about why the wait was in vain
_COMES_BACK = "what failed comes back here"

_SUCCESS = {"ok", "is_success", "success", "succeeded", "is_error", "failed", "error", "errors", "is_ok", "successful"}


class Failure(NamedTuple):
    """A failure that goes before an ending: where it is caught or seen; `answer` is the call that told, or -1."""

    module: int
    place: tuple[int, int, int, int]
    text: str
    answer: int = NONE


class Losses(Causes):
    """Finds the failures that an ending may have lost, in one program."""

    # failures that go before an ending

    def failures(self, view: View, event: Event, spent: Spent) -> list[Failure]:
        """What failed before this ending, as far as the code shows it; empty where nothing did."""
        if spent.kind == "callback":
            return self._state(view)
        if not self._counts_failures(spent):
            return []
        return (
            self._caught_here(view, event)
            or self._caught_in_loop(view, event, spent)
            or self._given(view, event)
            or self._caught_outside(Ref("fn", view.module, view.number), returns=event.kind != "raise")
            or self._caught_where_counted(spent)
            or (self._answered(view, event) if spent.kind != "time" else [])
            or self._answered_in_turns(view, event, spent)
            or self._answered_before_call(view)
        )

    def _state(self, view: View) -> list[Failure]:
        where = (view.function.line, view.function.column, view.function.line, view.function.column + 1)
        return [Failure(view.module, where, "what failed last is in the state that is handed over")]

    def _around(self, view: View, event: Event, spent: Spent) -> list[int]:
        """The loop whose turns are over, or the one that the event stands in."""
        after = [f[1] for _, f in frames(view.facts, event.chain) if f[0] == "after"]
        around = loops(view.facts, event.chain)
        return list(dict.fromkeys([*([spent.loop] if spent.loop >= 0 else []), *around[:1], *after[:1]]))

    def _answered_in_turns(self, view: View, event: Event, spent: Spent) -> list[Failure]:
        """Answers that a loop was left for when they were good, and exceptions that came back as answers."""
        found: list[Failure] = []
        for loop in self._around(view, event, spent):
            for other in view.events("ret", "brk", "call"):
                if not inside(view.facts, other, loop):
                    continue
                if other.kind != "call":
                    found += self._answered(view, other) if spent.kind != "time" else []
                elif any(n == "return_exceptions" for n, _ in view.terms[other.a][3]):
                    found.append(Failure(view.module, place(other), _COMES_BACK, other.a))
        return found[:3]

    def _answered_before_call(self, view: View) -> list[Failure]:
        """Answers that a function tests, or failures that it catches, before it calls itself again."""
        found: list[Failure] = []
        for event in view.events("call"):
            if last_name(view.terms, view.terms[event.a][1]) == view.function.name:
                found += self._caught_here(view, event) or self._answered(view, event)
        return found[:3]

    def _counts_failures(self, spent: Spent) -> bool:
        """Whether what counts up counts failures: where it is counted something is caught, or an answer tested."""
        place = spent.counter.place if spent.counter is not None else None
        uses = [w for w in self.places.of(place) if w.step] if place is not None else []
        if spent.term >= 0 and self.linked.modules[spent.function.module].terms[spent.term][0] == "param":
            return bool(self._answered_before_call(self.program.view(spent.function)))
        if self.refunds.is_gauge(tuple(uses)):
            return False
        if not uses or place is None or self.program.words.weight("attempt", place.name) >= 3:
            return True
        for use in uses:
            view = self.program.view(use.function)
            if self.refunds.tried(use) or self._given(view, use.event):
                return True
            if self._answered(view, use.event) and self._pauses(view, use.event):
                return True
            in_turns = self._answered_in_turns(view, use.event, spent)
            if any(f.text == _COMES_BACK for f in in_turns) or in_turns and self._pauses(view, use.event):
                return True
        return False

    def _pauses(self, view: View, event: Event) -> bool:
        """Whether the loop around an event waits in each turn, as one does that tries again."""
        around = loops(view.facts, event.chain)[:1]
        return any(
            last_name(view.terms, view.terms[e.a][1]) in ("sleep", "wait") and loops(view.facts, e.chain)[:1] == around
            for e in view.events("call")
            if around
        )

    def _caught_here(self, view: View, event: Event) -> list[Failure]:
        found = []
        for number, handler in handlers(view.facts, event.chain)[:2]:
            if not is_control(view.facts, number, handler) or self.counters.is_end(view, number, handler):
                found.append(self._handler(view.module, number, handler))
        return found

    def _handler(self, module: int, number: int, handler: int) -> Failure:
        record = self.linked.modules[module].tries[number].handlers[handler]
        where = (record.line, record.column, record.end_line, record.end_column)
        return Failure(module, where, "what failed is caught here")

    def _caught_in_loop(self, view: View, event: Event, spent: Spent) -> list[Failure]:
        found = []
        for loop in self._around(view, event, spent):
            for number in tries_in(view.facts, loop):
                for handler in range(len(view.facts.tries[number].handlers)):
                    if self._loses(view, loop, number, handler, spent):
                        found.append(self._handler(view.module, number, handler))
            found += self._swallowed_in(view, loop)
        return found

    def _loses(self, view: View, loop: int, number: int, handler: int, spent: Spent) -> bool:
        """Whether a handler goes on to the next turn; where time runs out, also without a look at what it caught."""
        if not goes_on(view.facts, loop, number, handler) or is_control(view.facts, number, handler):
            return False
        if any(e.kind == "bind" and self._is_answer(view, e.b) for e in self._in_handler(view, number, handler)):
            return False
        if spent.kind != "time":
            return True
        if set(class_names(self.program, view.module, view.facts.tries[number].handlers[handler].types)) <= _OWN:
            return False
        return not any(e.kind == "bind" and self._plainly(view, e.b) for e in self._in_handler(view, number, handler))

    def _is_answer(self, view: View, term: int) -> bool:
        """Whether a value is what somebody has made of the caught exception: `result = fallback(error)`."""
        found = view.terms[term]
        if found[0] != "call" or last_name(view.terms, found[1]) in ("str", "repr", "type", "to_text", "format"):
            return False
        return any(view.terms[a][0] == "exc" for a in found[2]) and bool(self.counters.answers(view, term))

    def _swallowed_in(self, view: View, loop: int) -> list[Failure]:
        """Failures that a function called in the loop turns into an answer."""
        found: list[Failure] = []
        for event in view.events("call"):
            if len(found) < 3 and inside(view.facts, event, loop):
                for function in self.calls.callees(view.module, view.number, event.a):
                    found += self._swallowed(function, event.a)
        return found

    def _swallowed(self, function: Ref, answer: int) -> list[Failure]:
        facts = self.linked.modules[function.module]
        view = self.program.view(function)
        found = []
        for number, record in enumerate(facts.tries):
            if record.function == function.number and record.kind == "try":
                for handler in range(len(record.handlers)):
                    inside_ = list(self._in_handler(view, number, handler))
                    if any(e.kind == "ret" for e in inside_) and not any(self._hands_on(view, e) for e in inside_):
                        found.append(self._handler(function.module, number, handler)._replace(answer=answer))
        return found

    def _hands_on(self, view: View, event: Event) -> bool:
        """Whether an event in a handler passes what was caught to somebody who is no log."""
        if event.kind == "ret":
            return self._plainly(view, event.a)
        if event.kind != "call" or self.calls.is_log(view.module, event, view.number):
            return event.kind == "raise"
        term = view.terms[event.a]
        return any(view.terms[a][0] == "exc" for a in (*term[2], *(v for _, v in term[3])))

    def _in_handler(self, view: View, number: int, handler: int) -> Iterator[Event]:
        for event in view.function.events:
            if (number, handler) in handlers(view.facts, event.chain):
                yield event

    def _given(self, view: View, event: Event) -> list[Failure]:
        absent = self._absent(view, event)
        for position, param in enumerate(view.function.params):
            if position not in absent and param.kind in "pk/" and self.is_failure(view, view.number, position):
                where = (view.function.line, view.function.column, view.function.line, view.function.column + 1)
                return [Failure(view.module, where, f"what failed is handed over as {param.name}")]
        return []

    def _absent(self, view: View, event: Event) -> set[int]:
        """The parameters that are known to be None or empty where an event happens."""
        found: set[int] = set()
        for _, frame in frames(view.facts, event.chain):
            if frame[0] != "test":
                continue
            term, holds = view.terms[frame[1]], frame[2]
            if term[0] == "un" and term[1] == "not":
                term, holds = view.terms[term[2]], not holds
            if term[0] == "cmp" and view.terms[term[3]][:2] == ("const", "NoneType"):
                holds = holds if term[1] == "is not" else not holds
                term = view.terms[term[2]]
            if term[0] == "param" and term[1] == view.number and not holds:
                found.add(term[2])
        return found

    def _caught_outside(self, function: Ref, returns: bool, depth: int = 0) -> list[Failure]:
        """What the callers of a function catch before they call it, unless they raise it again once it `returns`."""
        found: list[Failure] = []
        for call in self.calls.callers(function):
            facts = self.linked.modules[call.module]
            around = handlers(facts, call.event.chain)
            if around and not (returns and goes_up(facts, call.event)):
                found.append(self._handler(call.module, *around[0]))
            elif not around and depth < MOST_DEPTH:
                found += self._caught_outside(Ref("fn", call.module, call.function), returns, depth + 1)
        return found[:3]

    def _caught_where_counted(self, spent: Spent) -> list[Failure]:
        """Handlers in the functions that use the budget up."""
        if spent.counter is None or spent.counter.place is None or spent.counter.place.kind == "local":
            return []
        found: list[Failure] = []
        for write in self.places.of(spent.counter.place):
            if write.step and not write.grows:
                facts = self.linked.modules[write.function.module]
                around = handlers(facts, write.event.chain)
                if around:
                    found += [self._handler(write.function.module, *o) for o in around[:1] if not is_control(facts, *o)]
                    continue
                for number, record in enumerate(facts.tries):
                    if record.function == write.function.number and not is_passed(facts, number, write.event):
                        for handler in range(len(record.handlers)):
                            if not raises(facts, number, handler) and not is_control(facts, number, handler):
                                found.append(self._handler(write.function.module, number, handler))
        return found[:3]

    def _answered(self, view: View, event: Event) -> list[Failure]:
        """Answers that were tested for what they say on the way to the ending."""
        found: list[Failure] = []
        for _, frame in frames(view.facts, event.chain):
            if frame[0] == "test":
                for number in self._status_tests(view, frame[1]):
                    _, *at = view.terms[number][3:]
                    found.append(Failure(view.module, tuple(at), "this answer told what was wrong", number))
        return found[:4]

    def _status_tests(self, view: View, term: int) -> list[int]:
        """The calls whose answers are compared with constants, or asked for a field, in a condition."""
        kind, *rest = view.terms[term]
        if kind == "bool":
            return [n for part in rest[1] for n in self._status_tests(view, part)]
        if kind == "un":
            return self._status_tests(view, rest[1])
        subjects = []
        if kind == "cmp":
            subjects = [s for s, o in ((rest[1], rest[2]), (rest[2], rest[1])) if self._is_constant(view, o)]
        elif kind == "attr" and rest[1] in _SUCCESS:
            subjects = [term]
        found = []
        for subject in subjects:
            if view.terms[subject][0] in ("attr", "sub", "idx"):
                found += self.counters.answers(view, subject)
        return found

    def _is_constant(self, view: View, number: int) -> bool:
        """Whether a term is a literal, a constant or an enum member, or a collection of these."""
        term = view.terms[number]
        if term[0] == "const":
            return term[1] in ("str", "int", "bytes")
        if term[0] == "seq":
            return all(self._is_constant(view, part) for part in term[2])
        ref = self.linked.expression(view.module, number)
        if ref is not None and ref.kind == "val":
            value = self.linked.modules[ref.module].terms[ref.number]
            return value[0] in ("const", "seq", "bin", "call")
        if term[0] == "attr":
            base = self.linked.expression(view.module, term[1])
            return base is not None and base.kind in ("cls", "ext")
        return False
