"""Outlived: tries that go on for longer than what each of them needs is valid or kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from anchorlint.domain.duration import spoken
from anchorlint.python.arguments import argument
from anchorlint.python.expiring import Dying, Expiring, is_made_inside
from anchorlint.python.facts import Event
from anchorlint.python.index import Index
from anchorlint.python.link import Ref, last_name
from anchorlint.python.lives import Lives, key_shape
from anchorlint.python.outlived_queues import Queues
from anchorlint.python.outlives import ALMOST, Outlives, Place
from anchorlint.python.policy import Policy
from anchorlint.python.program import Program
from anchorlint.python.spans import Spans, inside
from anchorlint.python.terms import place
from anchorlint.python.value import Value
from anchorlint.python.view import View

FUEL = 4000
MOST_CALLS = 40  #: calls of one task that are looked at
_LATER = frozenset({"delay", "apply_async", "s", "si", "send", "enqueue", "send_with_options"})
_PUTS_OFF = frozenset({"apply_async", "enqueue_in", "enqueue_at", "retry", "schedule", "send_with_options", "defer"})
_TELLS = _PUTS_OFF | {"sleep", "create_queue"}


class Outlived:
    """Finds them in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.lives = Lives(program.engine)
        self.queues = Queues(program.engine, self.lives)
        self.spans = Spans(program.engine)
        self.expiring = Expiring(self.lives, program.gates)

    def all(self) -> Iterator[Outlives]:
        """Every budget that outlives what its tries need."""
        for module, index in enumerate(self.engine.linked.indexes):
            if not self.program.is_asked(module):
                continue
            named = self._named(index)
            for number, record in enumerate(index.facts.functions):
                names, function = named.get(number, frozenset()), Ref("fn", module, number)
                if "sleep" in names:
                    yield from self._loops(function)
                if record.decorators:
                    yield from self._decorated(function, "retry" in names)
                if not names.isdisjoint(_PUTS_OFF):
                    yield from self._put_off(function)
                if "create_queue" in names:
                    yield from self.queues.of(function, self._view(function, "queues"))

    def _named(self, index: Index) -> Mapping[int, Set[str]]:
        """The functions of a file that wait, put work off or make a queue, with the names by which they do."""
        found: dict[int, set[str]] = {}
        for name in _TELLS & index.calls.keys():
            for number, _ in index.calls[name]:
                found.setdefault(number, set()).add(name)
        return found

    def _view(self, function: Ref, what: str) -> View:
        self.engine.ask(what, FUEL)
        return self.engine.view(function.module, function.number)

    # loops

    def _loops(self, function: Ref) -> Iterator[Outlives]:
        view = self._view(function, "loops that wait")
        for number, loop in enumerate(view.facts.loops):
            if loop.function != function.number or loop.kind != "for":
                continue
            span = self.spans.of_loop(view, number)
            dying = self._carried(view, number) if span is not None else None
            if span is None or dying is None or span[0] <= dying.life_s * ALMOST:
                continue
            where = (loop.line, loop.column, loop.end_line, loop.end_column)
            yield self._said(function.module, where, span, dying)

    def _carried(self, view: View, loop: int) -> Dying | None:
        """What dies first of the things that were taken before a loop and are used in it."""
        found = []
        for event in view.events("call"):
            if not inside(view, event.chain, loop) or last_name(view.terms, view.terms[event.a][1]) == "sleep":
                continue
            term = view.terms[event.a]
            for number in (*term[2], *(n for _, n in term[3])):
                if is_made_inside(view, number, loop):
                    continue
                dying = self.expiring.of(view.value(number))
                if dying is not None:
                    found.append(dying)
        return min(found, key=lambda one: one.life_s) if found else None

    def _said(self, module: int, where: Place, span: tuple[float, int], dying: Dying) -> Outlives:
        tries = f"{span[1]} tries take" if span[1] else "the tries take"
        return Outlives(
            module,
            where,
            f"{tries} up to {spoken(span[0])}, but {dying.text} that they use lives for {spoken(dying.life_s)}",
            "take it anew for each try, or let the tries end before it does",
        )

    # decorated functions and tasks

    def _decorated(self, function: Ref, asks: bool) -> Iterator[Outlives]:
        """A function that a decorator calls again, or one that `asks` for its own retry."""
        model = self.program.retries.sites.retry_of(function)
        span = None
        if model is not None:
            policy = Policy(self.engine, self.program.retries.failures, function, model)
            self.engine.ask("retry policies", FUEL)
            span = self.spans.of_policy(policy)
        span = span or (self._asked_again(function) if asks else None)
        if span is None:
            return
        dying = self._given(function)
        if dying is not None and span[0] > dying.life_s * ALMOST:
            record = self.engine.linked.function(function)
            yield self._said(function.module, (record.line, record.column, record.line, record.column + 4), span, dying)

    def _asked_again(self, function: Ref) -> tuple[float, int] | None:
        """The span of a task that asks for its own retries with growing pauses."""
        view = self._view(function, "retries of tasks")
        for event in view.events("call"):
            if last_name(view.terms, view.terms[event.a][1]) != "retry":
                continue
            callee = view.value(view.terms[event.a][1])
            receiver = self.engine.calls.receiver(callee)
            model = self.engine.models.retry_call(self.engine.calls.target(callee), receiver)
            if model is None and receiver == "self":
                model = self.engine.models.retry_call("self.retry", receiver)
            retries = self._most_retries(view, event)
            total = self.spans.of_calls(view, event, model, retries) if model is not None else None
            if total is not None:
                return total, retries + 1
        return None

    def _most_retries(self, view: View, event: Event) -> int:
        places = [view.terms[event.a][3]]
        places += [view.terms[n][3] for n in view.function.decorators if view.terms[n][0] == "call"]
        for kwargs in places:
            for name, number in kwargs:
                if name == "max_retries":
                    seconds = self.lives.seconds(self.engine.view(view.module, 0).value(number))
                    return int(seconds) if seconds is not None else 0
        return 3

    def _given(self, function: Ref) -> Dying | None:
        """What dies first of the things that callers hand to a function that is tried again."""
        linked = self.engine.linked
        name = linked.function(function).name
        found: list[Dying] = []
        for last in (name, *_LATER):
            for call in linked.calls.get(last, ())[:MOST_CALLS]:
                if (call.module, call.function) == (function.module, function.number):
                    continue
                view = self.engine.view(call.module, call.function)
                self.engine.ask("arguments of tasks", FUEL)
                term = view.terms[call.event.a]
                callee = view.value(term[1])
                if last != name and callee.kind == "attr":
                    callee = callee.args[0]
                if callee.kind != "fn" or callee.args[:2] != (function.module, function.number):
                    continue
                given = (view.value(n) for n in (*term[2], *(n for _, n in term[3])))
                found += [dying for value in given if (dying := self.expiring.of(value)) is not None]
        return min(found, key=lambda one: one.life_s) if found else None

    # work that is put off

    def _put_off(self, function: Ref) -> Iterator[Outlives]:
        view = self._view(function, "work that is put off")
        for event in view.events("call"):
            term = view.terms[event.a]
            if last_name(view.terms, term[1]) not in _PUTS_OFF:
                continue
            delay_s = self._delay_s(view, term)
            if delay_s is None:
                continue
            hidden = self._hidden_s(view, term)
            if hidden is not None and delay_s > hidden[1] * ALMOST:
                said = f"put off for {spoken(delay_s)}, but {hidden[0]} hands it out again after {spoken(hidden[1])}"
                advice = "keep what is due later in a table, or let the broker wait for longer than the longest delay"
                yield Outlives(function.module, place(term), said, advice)
            yield from self._forgotten_counts(view, event, delay_s)

    def _delay_s(self, view: View, term: tuple) -> float | None:
        """The longest known delay of a call that puts work off, in seconds."""
        values = [view.value(n) for k, n in term[3] if k in ("countdown", "delay")]
        if not values and last_name(view.terms, term[1]) == "enqueue_in" and term[2]:
            values = [view.value(term[2][0])]
        found = [s for v in values for s in self._choices(v)]
        return max(found) if found else None

    def _choices(self, value: Value) -> Iterator[float]:
        """The spans that a value may be: of `PAUSES[n]` each of them."""
        if value.kind in ("case", "phi"):
            for arm in value.args[0]:
                yield from self._choices(arm[1] if value.kind == "case" else arm)
            return
        pool = value.args[0].args[1] if value.kind == "item" and value.args[0].kind == "seq" else (value,)
        found = (self.spans.seconds(one, lambda _: None) for one in pool)
        yield from (seconds for seconds in found if seconds is not None)

    def _hidden_s(self, view: View, term: tuple) -> tuple[str, float] | None:
        """The broker of a delayed task, and after how many seconds it hands out what nobody has taken."""
        if last_name(view.terms, term[1]) not in ("apply_async", "retry"):
            return None
        models = self.engine.models
        redis = models.broker("redis")
        if redis is None or redis.visibility is None:
            return None
        set_s = self.lives.setting_s(redis.visibility.settings, 1.0)
        if set_s is not None:
            return "the broker", set_s
        scheme = self._broker_scheme()
        broker = models.broker(scheme) if scheme else None
        if broker is None or broker.visibility is None or broker.visibility.default_s is None:
            return None
        return f"the broker {scheme}", broker.visibility.default_s

    def _broker_scheme(self) -> str:
        """The scheme of the one broker that the project gives to Celery; "" where none or several are said."""
        found = set()
        for call in self.engine.linked.calls.get("Celery", ()):
            view = self.engine.view(call.module, call.function)
            self.engine.ask("brokers", FUEL)
            for name, number in view.terms[call.event.a][3]:
                value = view.value(number)
                if name == "broker" and value.kind in ("str", "fstr"):
                    text = value.args[0] if value.kind == "str" else value.args[0][0].args[0]
                    found.add(str(text).partition(":")[0])
        return found.pop() if len(found) == 1 else ""

    def _forgotten_counts(self, view: View, event: Event, delay_s: float) -> Iterator[Outlives]:
        """A count of tries that the next try reads, kept for less than the pause before it."""
        if not self._runs_itself(view, view.terms[event.a]):
            return
        read = {shape for v in self._near(view) for shape in self._read_shapes(v)}
        for near in self._near(view):
            for term, shape, life_s in self._kept(near):
                if shape in read and delay_s > life_s * ALMOST:
                    said = f"kept for {spoken(life_s)}, but the next try that reads it comes {spoken(delay_s)} later"
                    advice = "keep the count for longer than the longest pause, or hand it on with the work"
                    yield Outlives(near.module, place(term), said, advice)

    def _runs_itself(self, view: View, term: tuple) -> bool:
        given = [view.value(n) for n in (*term[2], *(n for _, n in term[3]))]
        callee = view.value(term[1])
        given.append(callee.args[0] if callee.kind == "attr" else callee)
        return any(v.kind == "fn" and v.args[:2] == (view.module, view.number) for v in given)

    def _near(self, view: View) -> Iterator[View]:
        """The function and those that it calls."""
        yield view
        for event in view.events("call"):
            inner = self.program.retries.failures.called(view, event) if view.engine is not self.engine else None
            callee = view.value(view.terms[event.a][1])
            if inner is None and callee.kind == "fn":
                yield self.engine.view(callee.args[0], callee.args[1])

    def _read_shapes(self, view: View) -> Iterator[str]:
        for event in view.events("call"):
            term = view.terms[event.a]
            callee = view.value(term[1])
            found = self.engine.models.store_read(self.engine.calls.target(callee), self.engine.calls.receiver(callee))
            if found is not None and found[1].key != "self":
                shape = key_shape(argument(found[1].key, tuple(view.value(n) for n in term[2]), ()))
                if shape:
                    yield shape

    def _kept(self, view: View) -> Iterator[tuple[tuple, str, float]]:
        models, calls = self.engine.models, self.engine.calls
        for event in view.events("call"):
            term = view.terms[event.a]
            callee = view.value(term[1])
            target, receiver = calls.target(callee), calls.receiver(callee)
            for table in ("store.writes", "store.expires"):
                for _, write in models.all_of(table, target, receiver):
                    for shape, life_s in self.lives.life_of(view, term, write):
                        if shape:
                            yield term, shape, life_s
