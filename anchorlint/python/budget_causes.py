"""What failed last, and whether an ending says so: values that derive from a failure, and where failures are lost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_counters import Counters, Spent, class_names, parts
from anchorlint.python.budget_paths import above, frames, goes_on, handlers, inside, is_control, loops, place, tries_in
from anchorlint.python.budget_places import Places
from anchorlint.python.budget_refunds import Refunds
from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_TERMS = 500  #: terms of one value that are looked through
MOST_DEPTH = 2
_OWN = {"ValueError", "TypeError", "TimeoutError", "timeout", "?"}  #: says nothing about why the wait was in vain
_COMES_BACK = "what failed comes back here"
_SUCCESS = {"ok", "is_success", "success", "succeeded", "is_error", "failed", "error", "errors", "is_ok", "successful"}
_EXPLAINS = {"format_exc", "format_exception", "exc_info", "print_exc", "exception", "format_tb"}
_KEEPS = {"append", "add", "setdefault", "appendleft", "insert", "put", "extend", "update"}


class Failure(NamedTuple):
    """A failure that goes before an ending: where it is caught or seen; `answer` is the call that told, or -1."""

    module: int
    place: tuple[int, int, int, int]
    text: str
    answer: int = NONE


class Causes:
    """Follows failures to the values that are made of them, in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.counters = program.part(Counters)
        self.refunds = program.part(Refunds)
        self.words = program.words["cause"]
        self._params: dict[tuple[int, int, int], bool] = {}
        self._fills: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self._binds: dict[tuple[int, int], dict[str, tuple[int, ...]]] = {}

    # values that derive from a failure

    def derives(self, view: View, term: int, answers: frozenset[int] = frozenset(), depth: int = 0) -> bool:
        """Whether a value is made of a failure: a caught exception, one of these answers, a place that keeps one."""
        seen: set[int] = set()
        pending = [term]
        while pending and len(seen) < MOST_TERMS:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            if number in answers or self._tells(view, number, depth):
                return True
            pending += self._further(view, number)
        return False

    def _further(self, view: View, number: int) -> list[int]:
        term = view.terms[number]
        if term[0] == "loop":
            return [*parts(term), *self._bound(view).get(term[1], ())]
        if term[0] in ("map", "seq", "comp"):
            return [*parts(term), *self._filled(view).get(number, ())]
        if term[0] == "outer":
            return [term[2]]
        if term[0] == "call" and view.terms[term[1]] in (("name", "len"), ("name", "sum"), ("name", "bool")):
            return []
        if term[0] == "call":  # what a call returns is made of its arguments and of what it is called on
            callee = view.terms[term[1]]
            return [*term[2], *(v for _, v in term[3]), *([callee[1]] if callee[0] == "attr" else [])]
        if term[0] == "sub":
            return [term[1]]
        return parts(term)

    def _filled(self, view: View) -> dict[int, tuple[int, ...]]:
        """Local collections with what is put into them."""
        key = (view.module, view.number)
        found = self._fills.get(key)
        if found is None:
            all_: dict[int, list[int]] = {}
            for event in view.events("set", "call"):
                term = view.terms[event.a]
                if event.kind == "set" and term[0] == "sub":
                    all_.setdefault(term[1], []).append(event.b)
                elif event.kind == "call" and view.terms[term[1]][0] == "attr" and view.terms[term[1]][2] in _KEEPS:
                    all_.setdefault(view.terms[term[1]][1], []).extend(term[2])
            found = self._fills[key] = {base: tuple(terms) for base, terms in all_.items()}
        return found

    def _bound(self, view: View) -> dict[str, tuple[int, ...]]:
        key = (view.module, view.number)
        found = self._binds.get(key)
        if found is None:
            all_: dict[str, list[int]] = {}
            for event in view.events("bind"):
                all_.setdefault(event.a, []).append(event.b)
            found = self._binds[key] = {name: tuple(terms) for name, terms in all_.items()}
        return found

    def _tells(self, view: View, number: int, depth: int) -> bool:
        term = view.terms[number]
        kind = term[0]
        if kind == "exc":
            return True
        if kind == "param":
            return self.is_failure(view, term[1], term[2])
        if kind == "call":
            name = last_name(view.terms, term[1])
            if name in _EXPLAINS:
                return True
            if depth < MOST_DEPTH:
                return any(self._returns(f, depth + 1) for f in self.calls.callees(view.module, view.number, number))
            return False
        if kind in ("attr", "sub"):
            found = self.places.place(view, number, owned=False)
            if found is None:
                return False
            if found.kind in ("field", "entry") and self.words.weight(found.name) >= 3:
                return True
            return (found.kind, found.name) in self.kept
        return kind == "cell" and ("cell", term[2]) in self.kept

    def is_itself(self, view: View, term: int) -> bool:
        """Whether a value is a failure as it was caught or handed over."""
        found = view.terms[term]
        return found[0] == "exc" or found[0] == "param" and self.is_failure(view, found[1], found[2])

    def _returns(self, function: Ref, depth: int) -> bool:
        view = self.program.view(function)
        return any(e.a != NONE and self.derives(view, e.a, depth=depth) for e in view.events("ret"))

    def is_failure(self, view: View, function: int, position: int) -> bool:
        """Whether a parameter is a failure: by its type, by its name, or because callers pass what they caught."""
        key = (view.module, function, position)
        if key not in self._params:
            self._params[key] = False
            self._params[key] = self._is_failure(*key)
        return self._params[key]

    def _is_failure(self, module: int, function: int, position: int) -> bool:
        facts = self.linked.modules[module]
        param = facts.functions[function].params[position]
        if param.annotation != NONE:
            ref = self.linked.expression(module, param.annotation)
            if ref is not None and self._is_exception(ref):
                return True
        if self.words.weight(param.name) >= 3 or self._handled_as_failure(facts, function, position):
            return True
        return any(self._passes_failure(call, position) for call in self.calls.callers(Ref("fn", module, function))[:4])

    def _handled_as_failure(self, facts: Facts, function: int, position: int) -> bool:
        """Whether a parameter is raised, or put into a traceback, in its function."""
        for event in facts.functions[function].events:
            if event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in _EXPLAINS - {"exception"}:
                if any(facts.terms[a] == ("param", function, position) for a in facts.terms[event.a][2]):
                    return True
            elif event.kind == "raise" and event.a >= 0 and facts.terms[event.a] == ("param", function, position):
                return True
        return False

    def _passes_failure(self, call: object, position: int) -> bool:
        module, event = call.module, call.event  # type: ignore[attr-defined]
        terms = self.linked.modules[module].terms
        _, callee, args, _, *_ = terms[event.a]
        at = position - 1 if terms[callee][0] == "attr" else position
        return 0 <= at < len(args) and terms[args[at]][0] == "exc"

    def _is_exception(self, ref: Ref) -> bool:
        for one in self.linked.mro(ref):
            name = one.dotted.rpartition(".")[2]
            if one.kind == "ext" and (name.endswith(("Error", "Exception")) or name == "BaseException"):
                return True
        return False

    # places that keep failures

    @cached_property
    def kept(self) -> frozenset[tuple[str, str]]:
        """The (kind, name) of fields, entries and shared variables into which what was caught is stored somewhere."""
        found: set[tuple[str, str]] = set()
        for module, facts in enumerate(self.linked.modules):
            for number in range(len(facts.functions)):
                found |= set(self._kept_by(self.program.engine.view(module, number)))
        return frozenset(found)

    def _kept_by(self, view: View) -> Iterator[tuple[str, str]]:
        for event in view.events("set", "call"):
            if event.kind == "set":
                target, values = event.a, [event.b]
            else:
                _, callee, args, kwargs, *_ = view.terms[event.a]
                yield from (("field", name) for name, value in kwargs if name and self._plainly(view, value))
                if view.terms[callee][0] != "attr" or view.terms[callee][2] not in _KEEPS:
                    continue
                target, values = view.terms[callee][1], [*args, *(v for _, v in kwargs)]
            if any(self._plainly(view, v) for v in values):
                found = self.places.place(view, target, owned=False)
                if found is not None and found.kind != "local":
                    yield found.kind, found.name

    def _plainly(self, view: View, term: int) -> bool:
        """Whether an exception or a traceback stands in the expression itself."""
        seen: set[int] = set()
        pending = [term]
        while pending and len(seen) < 60:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            found = view.terms[number]
            if found[0] == "exc" or found[0] == "param" and self._named_failure(view, found):
                return True
            if found[0] == "call" and last_name(view.terms, found[1]) in _EXPLAINS - {"exception"}:
                return True
            pending += parts(found)
        return False

    def _named_failure(self, view: View, term: tuple) -> bool:
        param = view.facts.functions[term[1]].params[term[2]]
        if self.words.weight(param.name) >= 3:
            return True
        ref = self.linked.expression(view.module, param.annotation) if param.annotation != NONE else None
        return ref is not None and self._is_exception(ref)

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
            or self._caught_outside(Ref("fn", view.module, view.number))
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

    def _caught_outside(self, function: Ref, depth: int = 0) -> list[Failure]:
        found: list[Failure] = []
        for call in self.calls.callers(function):
            facts = self.linked.modules[call.module]
            around = handlers(facts, call.event.chain)
            if around:
                found.append(self._handler(call.module, *around[0]))
            elif depth < MOST_DEPTH:
                found += self._caught_outside(Ref("fn", call.module, call.function), depth + 1)
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
                    if record.function == write.function.number:
                        for handler in range(len(record.handlers)):
                            if not self._raises(facts, number, handler) and not is_control(facts, number, handler):
                                found.append(self._handler(write.function.module, number, handler))
        return found[:3]

    def _raises(self, facts: object, number: int, handler: int) -> bool:
        function = facts.tries[number].function  # type: ignore[attr-defined]
        view = self.program.engine.view(self.linked.modules.index(facts), function)  # type: ignore[arg-type]
        return any(e.kind == "raise" for e in self._in_handler(view, number, handler))

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


def same_path(facts: object, one: Event, other: Event) -> bool:
    """Whether two events of a function stand on one path: what holds at one holds at the other."""
    return above(facts, one.chain, other.chain) or above(facts, other.chain, one.chain)  # type: ignore[arg-type]


__all__ = ["Causes", "Failure", "place", "same_path"]
