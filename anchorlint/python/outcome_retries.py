"""Retries without an end: decorators, recursion and give-backs that take a lasting failure round for ever."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from anchorlint.python.facts import Event
from anchorlint.python.fields import Fields
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_again import REQUEUING, Again
from anchorlint.python.outcome_letters import DeadLetters
from anchorlint.python.outcome_loops import LASTING, Endless, EndlessLoops
from anchorlint.python.outcome_policies import Policies
from anchorlint.python.outcome_terms import FUEL, frames, handler_here, handlers_on, inside, outside_calls, tests
from anchorlint.python.outcomes import Outcomes, Place
from anchorlint.python.sites import Sites
from anchorlint.python.view import View

_GIVING_BACK = frozenset({"nack", "requeue", "basic_nack", "reject", "basic_reject"})
_PUTTING = frozenset({"put", "put_nowait", "append", "appendleft", "lpush", "rpush"})


class EndlessRetries:
    """Finds retries of one program that nothing ends."""

    def __init__(self, outcomes: Outcomes, sites: Sites) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine
        self.sites = sites
        self.policies = Policies(outcomes)
        self.loops = EndlessLoops(outcomes)
        self.again = Again(sites)
        self.fields = Fields(outcomes.engine.linked)
        self.letters = DeadLetters(outcomes.engine.linked)
        self._sites: dict[Ref, set[tuple[str, Event]]] = {}

    def functions(self, module: int) -> set[int]:
        """The functions of a module that are decorated, try something in a loop, or call what may ask for another try;
        in the others `of` finds nothing."""
        index = self.engine.linked.indexes[module]
        facts = index.facts
        found = {number for number, record in enumerate(facts.functions) if record.decorators}
        found.update([one.function for one in facts.tries if self.loops.around(facts, one) is not None])
        for name, calls in index.calls.items():
            if name in self._asking:
                found.update([number for number, _ in calls])
            elif name in self.engine.linked.function_names:  # the function itself
                found.update([number for number, _ in calls if facts.functions[number].name == name])
        return found

    @cached_property
    def _asking(self) -> frozenset[str]:
        """The names of calls that may ask for another try."""
        return frozenset({"retry"}) | self._retry_objects | _GIVING_BACK | _PUTTING | REQUEUING

    def of(self, function: Ref) -> Iterator[Endless]:
        """The endless retries of one function."""
        facts = self.engine.linked.modules[function.module]
        record = facts.functions[function.number]
        yield from self._decorated(function)
        self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
        view = self.engine.view(function.module, function.number)
        if function.number == 0 and not self._retry_objects & self._called_in(view):
            return
        yield from self.loops.of(view)
        for event in record.events:
            if event.kind == "call":
                yield from self._call(view, event)

    # decorators and retry objects

    def _decorated(self, function: Ref) -> Iterator[Endless]:
        engine, linked = self.engine, self.engine.linked
        record = linked.function(function)
        terms = linked.modules[function.module].terms
        for number in record.decorators:
            term = terms[number]
            owner = engine.view(function.module, max(record.outer, 0))
            name = self._decorator_name(function.module, owner, number)
            model = engine.models.retry_decorator(name) if name else None
            if model is None or (term[0] == "call" and any(not k for k, _ in term[3])):
                continue
            args = tuple(owner.value(n) for n in term[2]) if term[0] == "call" else ()
            kwargs = tuple((k, owner.value(n)) for k, n in term[3] if k) if term[0] == "call" else ()
            if model.needs and not any(k in model.needs for k, _ in kwargs):
                yield from self._asked_in_body(function, term, model, args, kwargs)
            elif self.policies.is_endless(model, args, kwargs) and self.policies.lasting(model, args, kwargs):
                place = term[4:8] if term[0] == "call" else (record.line, record.column, record.line, record.column + 1)
                yield Endless("decorator", function.module, place, None)

    def _decorator_name(self, module: int, owner: View, number: int) -> str:
        term = owner.terms[number]
        callee = term[1] if term[0] == "call" else number
        ref = self.engine.linked.expression(module, callee)
        if ref is not None and ref.kind != "val":
            return ref.dotted.removeprefix("builtins.") if ref.kind == "ext" else ""
        value = owner.value(callee)
        return self.engine.calls.target(value) if value.kind in ("ext", "attr") else ""

    def _asked_in_body(self, function: Ref, term: tuple, model: Any, args: Any, kwargs: Any) -> Iterator[Endless]:
        """A task without autoretry whose own `self.retry(…)` has no limit."""
        if term[0] != "call" or not any(k == "max_retries" and v.kind == "none" for k, v in kwargs):
            return
        view = self.engine.view(function.module, function.number)
        for event in view.events("call"):
            called = view.terms[event.a]
            if last_name(view.terms, called[1]) != "retry" or any(k == "max_retries" for k, _ in called[3]):
                continue
            if self._after_lasting(view, event):
                yield Endless("decorator", function.module, term[4:8], _place(event))
                return

    def _after_lasting(self, view: View, event: Event) -> bool:
        """Whether an event stands in an except clause that takes lasting failures, with no way out beside it."""
        for number, handler in handlers_on(view.facts, event.chain):
            kinds = self.outcomes.caught.kinds(view, number, handler)
            if kinds and kinds & LASTING and not self.loops.has_fatal(view, number, handler):
                return not self.outcomes.asks(view, event, number, handler)
        return False

    # calls

    def _call(self, view: View, event: Event) -> Iterator[Endless]:
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name == view.function.name:
            yield from self._recursion(view, event, term)
        elif name == "retry":
            yield from self._retried_without_cap(view, event, term)
        elif name in self._retry_objects:
            yield from self._object(view, event, term)
        elif name in _GIVING_BACK:
            yield from self._given_back(view, event)
        elif name in _PUTTING:
            yield from self._put_back(view, event, term)
        if name in REQUEUING:
            yield from self._called_later(view, event, term)

    def _retried_without_cap(self, view: View, event: Event, term: tuple) -> Iterator[Endless]:
        """`self.retry(max_retries=None)`."""
        given = dict(term[3]).get("max_retries")
        if given is None or view.value(given) is not self.engine.values.none:
            return
        if self._after_lasting(view, event) and self._is_site(view, event, "call"):
            yield Endless("call", view.module, _place(event), None)

    def _called_in(self, view: View) -> set[str]:
        return {last_name(view.terms, view.terms[event.a][1]) for event in view.events("call")}

    @cached_property
    def _retry_objects(self) -> frozenset[str]:
        return frozenset(c.rpartition(".")[2] for model in self.engine.models.retries.loops for c in model.calls)

    def _object(self, view: View, event: Event, term: tuple) -> Iterator[Endless]:
        callee = view.value(term[1])
        if callee.kind != "ext" or any(not k for k, _ in term[3]):
            return
        model = self.engine.models.retry_loop(callee.args[0])
        args = tuple(view.value(n) for n in term[2])
        kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
        if model is None or not self.policies.is_endless(model, args, kwargs):
            return
        if self.policies.lasting(model, args, kwargs):
            yield Endless("object", view.module, term[4:8], None)

    def _recursion(self, view: View, event: Event, term: tuple) -> Iterator[Endless]:
        if not self._same_arguments(view, term) or not self._on_failure(view, event):
            return
        inner = self.outcomes.failures.called(view, event)
        if inner is None or (inner.module, inner.number) != (view.module, view.number):
            return
        if self._is_flagged(view, event) or self._is_limited_here(view):
            return
        yield Endless("recursion", view.module, _place(event), None)

    def _is_limited_here(self, view: View) -> bool:
        return self.loops.has_limit(view)

    def _same_arguments(self, view: View, term: tuple) -> bool:
        """Whether a call hands on the caller's own parameters and nothing else: no count, no flag, no other item."""
        params = view.function.params
        own = [("param", view.number, at) for at in range(len(params))]
        bound = 1 if view.function.cls >= 0 and view.terms[term[1]][0] == "attr" else 0
        for at, number in enumerate(term[2]):
            given = view.terms[number]
            given = view.terms[given[1]] if given[0] == "star" else given
            if given not in own or (view.terms[number][0] != "star" and given != own[min(at + bound, len(own) - 1)]):
                return False
        names = {param.name: own[at] for at, param in enumerate(params)}
        return all(view.terms[n] == names.get(k) or (not k and view.terms[n] in own) for k, n in term[3])

    def _on_failure(self, view: View, event: Event) -> bool:
        if self._after_lasting(view, event):
            return True
        return any(frame[3] and self.loops.is_refusal(view, frame[2]) for frame in tests(view.facts, event.chain))

    def _is_flagged(self, view: View, event: Event) -> bool:
        """Whether a test on the way asks something that the function itself changes, or a parameter."""
        changed = {e.a for e in view.function.events if e.kind == "set"}
        own = {
            ("param", view.number, at) for at in range(1 if view.function.cls >= 0 else 0, len(view.function.params))
        }
        for frame in tests(view.facts, event.chain):
            for one in outside_calls(view.facts, frame[2]):
                if one in changed or view.terms[one] in own or view.terms[one][0] == "cell":
                    return True
        return False

    # what is given back

    def _put_back(self, view: View, event: Event, term: tuple) -> Iterator[Endless]:
        for number, handler in handlers_on(view.facts, event.chain):
            kinds = self.outcomes.caught.kinds(view, number, handler)
            if not kinds or not kinds & LASTING or self.loops.has_fatal(view, number, handler):
                continue
            if (
                self._is_taken_out(view, term)
                and self._is_uncounted(view, event, term)
                and self._is_site(view, event, "requeue")
            ):
                clause = view.facts.tries[number].handlers[handler]
                place = (clause.line, clause.column, clause.end_line, clause.end_column)
                yield Endless("put back", view.module, _place(event), place)
                return

    def _called_later(self, view: View, event: Event, term: tuple) -> Iterator[Endless]:
        """`queue.enqueue_in(pause, deliver, key)` where `deliver` failed."""
        around = set(handlers_on(view.facts, event.chain))
        if not any(handler_here(view.facts, event, *one) for one in around) or not self._after_lasting(view, event):
            return
        if self._is_uncounted(view, event, term) and self.again.requeues(view, event):
            yield Endless("called later", view.module, _place(event), None)

    def _is_taken_out(self, view: View, term: tuple) -> bool:
        """Whether what is put somewhere is the very item that this function took out or was handed."""
        kinds = [view.terms[number] for number in term[2]]
        return any(
            kind[0] == "param"
            or (
                kind[0] == "call"
                and (last_name(view.terms, kind[1]) in self.engine.words["consume"] or self._gets(view, kind))
            )
            for kind in kinds
        )

    def _gets(self, view: View, term: tuple) -> bool:
        return last_name(view.terms, term[1]) == "get" and len(term[2]) <= 1

    def _is_site(self, view: View, event: Event, kind: str) -> bool:
        """Whether an event is a retry site of this kind."""
        ref = Ref("fn", view.module, view.number)
        if ref not in self._sites:
            self._sites[ref] = {(site.kind, site.event) for site in self.sites.of(ref)}
        return (kind, event) in self._sites[ref]

    def _is_uncounted(self, view: View, event: Event, term: tuple) -> bool:
        """Whether no count and no clock stands between the failure and the way back into the queue."""
        counters = self.sites.fields.counters
        for other in view.function.events:
            if other.kind == "set" and view.terms[other.a][0] in ("attr", "sub") and self.loops.counts(view, other):
                target = view.terms[other.a]
                name = target[2] if target[0] == "attr" else view.terms[target[2]][-1]
                if name in counters:
                    return False
        for number in term[2]:
            if view.terms[number][0] in ("bin", "map", "seq") or any(
                view.terms[n][0] == "bin" for n in inside(view.facts, number, 30)
            ):
                return False
        return not any(
            frame[1] == "test" and frame[0] >= 0 and self._asks_count(view, frame[2])
            for frame in frames(view.facts, event.chain)
        )

    def _asks_count(self, view: View, number: int) -> bool:
        for one in inside(view.facts, number):
            term = view.terms[one]
            if term[0] == "cmp" and term[1] in ("<", "<=", ">", ">="):
                return True
            if term[0] == "call" and self.loops.is_clock(view, term):
                return True
        return False

    def _given_back(self, view: View, event: Event) -> Iterator[Endless]:
        if not self.letters.have_no_place or any(self._asks_count(view, f[2]) for f in tests(view.facts, event.chain)):
            return
        if self._after_lasting(view, event) and self._is_site(view, event, "call"):
            yield Endless("nack", view.module, _place(event), None)


def _place(event: Event) -> Place:
    return event.line, event.column, event.end_line, event.end_column
