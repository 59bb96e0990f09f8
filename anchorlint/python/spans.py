"""Spans: how long the tries of a loop, a policy or a repeated task go on, summed from their pauses and limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from anchorlint.knowledge.tables import SECONDS, Argument, Retry, Waiting
from anchorlint.python.arguments import argument
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.policy import Policy
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_TRIES = 10_000  #: tries whose pauses are summed one by one
MOST_PAUSE_S = 1e9
Turn = Callable[[Value], float | None]


class Spans:
    """Sums pauses; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    # numbers

    def seconds(self, value: Value | None, turn: Turn, unit_s: float = 1.0) -> float | None:
        """A span in seconds at one turn, None where it is not known; what chance adds is left out."""
        if value is None:
            return None
        kind, args = value.kind, value.args
        known = turn(value)
        if known is not None:
            return known
        if kind == "lin":
            return self._sum(value, turn, unit_s)
        if kind == "minmax":
            return self._bound(args[0], [self.seconds(v, turn, unit_s) for v in args[1]])
        if kind == "item" and args[0].kind == "seq":
            at = self.seconds(args[1], turn)
            items = args[0].args[1]
            inside = at is not None and -len(items) <= at < len(items)
            return self.seconds(items[int(at)], turn, unit_s) if inside and at is not None else None
        if kind == "result":
            return self._computed(value, turn, unit_s)
        return None

    def _sum(self, value: Value, turn: Turn, unit_s: float) -> float | None:
        dim, form = value.args
        total = form.constant
        for atom, coefficient in form.terms.items():
            part = atom.value
            if part is None and isinstance(atom.key, Value):
                part = self.seconds(atom.key, turn)
            if part is None:
                return None
            total += coefficient * part
        return float(total) * (1.0 if dim == "td" else unit_s)

    def _bound(self, which: str, parts: list[float | None]) -> float | None:
        known = [p for p in parts if p is not None]
        if which == "min":
            return min(known) if len(known) == len(parts) else None
        return max(known) if len(known) == len(parts) else None

    def _computed(self, value: Value, turn: Turn, unit_s: float) -> float | None:
        target, args = self.engine.calls.target(value.args[0]), value.args[1]
        if target in ("random.random", "random.uniform", "random.randint", "random.randrange"):
            return self.seconds(args[0], turn) if args else 0.0
        parts = [self.seconds(a, turn) for a in args]
        if not parts or any(p is None for p in parts) or len(parts) != 2:
            return None
        left, right = float(parts[0] or 0.0), float(parts[1] or 0.0)
        if target == "**" or target in ("pow", "math.pow"):
            return min(left**right, MOST_PAUSE_S) * unit_s if abs(right) < 64 else MOST_PAUSE_S
        return left * right * unit_s if target == "*" else None

    # loops

    def of_loop(self, view: View, loop: int) -> tuple[float, int] | None:
        """Seconds from the first to the last try of a loop with a known number of turns, and that number.

        Pauses are counted between the tries, known limits of one try in full.
        """
        record = view.facts.loops[loop]
        if record.kind != "for":
            return None
        iterable = view.value(record.subject)
        count = self._turns(iterable)
        if count is None or not 1 < count <= MOST_TRIES:
            return None
        pauses = [view.value(view.terms[e.a][2][0]) for e in self._sleeps(view, loop)]
        if not pauses:
            return None
        limit = self._limit_s(view, loop)
        total = 0.0
        for at in range(count):
            each = [self.seconds(p, self._at(view.module, loop, iterable, at)) for p in pauses]
            if any(p is None for p in each):
                if at not in (0, count - 1):
                    return None
                continue  # the first turn of `PAUSES[n - 1]`, or a pause after the last try
            total += sum(p for p in each if p is not None) if at < count - 1 or self._pauses_first(view, loop) else 0.0
            total += limit if at < count - 1 else 0.0
        return total, count

    def _pauses_first(self, view: View, loop: int) -> bool:
        """Whether the pause of a turn comes before its try: it stands under a test of the turn's number."""
        return any(self._test_of(view, e.chain, loop) for e in self._sleeps(view, loop))

    def _test_of(self, view: View, chain: int, loop: int) -> bool:
        while chain > 0 and view.facts.chains[chain][1:3] != ("loop", loop):
            frame = view.facts.chains[chain]
            if frame[1] == "test" and frame[4]:
                return view.terms[frame[2]][0] in ("iter", "idx")
            chain = frame[0]
        return False

    def _sleeps(self, view: View, loop: int) -> Iterator[Event]:
        for event in view.events("call"):
            term = view.terms[event.a]
            if last_name(view.terms, term[1]) == "sleep" and term[2] and inside(view, event.chain, loop):
                yield event

    def _limit_s(self, view: View, loop: int) -> float:
        """The longest known limit of one try in a loop's body, in seconds."""
        found = 0.0
        for event in view.events("call"):
            if not inside(view, event.chain, loop):
                continue
            for name, number in view.terms[event.a][3]:
                if name == "timeout":
                    found = max(found, self._timeout_s(view.value(number)))
        return found

    def _timeout_s(self, value: Value) -> float:
        if value.kind == "result":
            total = dict(value.args[2]).get("total") or (value.args[1][0] if value.args[1] else None)
            value = total if total is not None else value
        seconds = self.seconds(value, lambda _: None)
        return seconds if seconds is not None and seconds > 0 else 0.0

    def _turns(self, iterable: Value) -> int | None:
        if iterable.kind == "seq":
            return len(iterable.args[1])
        if iterable.kind != "result" or not iterable.args[1]:
            return None
        target, args = self.engine.calls.target(iterable.args[0]), iterable.args[1]
        if target == "range":
            bounds = [self.seconds(a, lambda _: None) for a in args[:2]]
            if any(b is None for b in bounds):
                return None
            low, high = (0.0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
            return int((high or 0.0) - (low or 0.0))
        return self._turns(args[0]) if target == "enumerate" else None

    def _at(self, module: int, loop: int, iterable: Value, at: int) -> Turn:
        """What the variables of a loop are in one turn."""

        def turn(value: Value) -> float | None:
            if value.kind == "iter" and value.args[1:3] == (module, loop):
                return self._element(iterable, at)
            if value.kind == "part" and value.args[0].kind == "iter" and value.args[0].args[1:3] == (module, loop):
                inner = iterable.args[1][0] if iterable.kind == "result" and iterable.args[1] else iterable
                return self._element(inner, at) if value.args[1] == 1 else float(at)
            return None

        return turn

    def _element(self, iterable: Value, at: int) -> float | None:
        if iterable.kind == "seq":
            return self.seconds(iterable.args[1][at], lambda _: None) if at < len(iterable.args[1]) else None
        if iterable.kind == "result" and self.engine.calls.target(iterable.args[0]) == "range":
            args = iterable.args[1]
            low = self.seconds(args[0], lambda _: None) if len(args) > 1 else 0.0
            return None if low is None else low + at
        return None

    # policies

    def of_policy(self, policy: Policy) -> tuple[float, int] | None:
        """Seconds from the first to the last try of a decorated function, and the tries, where both are known."""
        model = policy.model
        attempts = policy.attempts()
        until = self._until_s(policy)
        waiting, args, kwargs = self._waiting(policy)
        if waiting is None:
            return None
        tries = int(attempts) if attempts is not None and math.isfinite(attempts) else None
        if tries is None:
            return (until, 0) if until is not None else None
        pauses = [self.pause_s(waiting, args, kwargs, n) for n in range(min(tries, MOST_TRIES) - 1)]
        if any(p is None for p in pauses) or model is None:
            return None
        total = math.fsum(p for p in pauses if p is not None)
        return (min(total, until) if until is not None else total), tries

    def _until_s(self, policy: Policy) -> float | None:
        given = policy.given(policy.model.until)
        if given is None and policy.model.stop is not None:
            given = self._stop_until(policy.given(policy.model.stop))
        return self.seconds(given, lambda _: None) if given is not None else None

    def _stop_until(self, stop: Value | None) -> Value | None:
        if stop is None or stop.kind != "result":
            return None
        model = self.engine.models.stop(self.engine.calls.target(stop.args[0]))
        where = model.until if model is not None else None
        return argument(where, stop.args[1], stop.args[2]) if where is not None else None

    def _waiting(self, policy: Policy) -> tuple[Waiting | None, tuple[Value, ...], tuple[tuple[str, Value], ...]]:
        waiting = policy.model.wait
        if waiting is None or waiting.shape != "object" or waiting.given is None:
            return waiting, policy.args, policy.kwargs
        given = policy.given(waiting.given)
        if given is None:
            return None, (), ()
        if given.kind == "result":
            model = self.engine.models.wait(self.engine.calls.target(given.args[0]))
            return (model.wait if model is not None else None), given.args[1], given.args[2]
        if given.kind == "ext":
            model = self.engine.models.wait(given.args[0])
            return (model.wait if model is not None else None), policy.args, policy.kwargs
        return None, (), ()

    def pause_s(self, waiting: Waiting, args: tuple, kwargs: tuple, n: int) -> float | None:
        """The longest pause in seconds after the n-th failed try, n from 0; what chance adds is left out."""

        def part(where: Argument | None, default: float | None = None) -> float | None:
            if where is None:
                return default
            value = argument(where, args, kwargs)
            if value is None:
                return where.default_s if where.default is not None else default
            return self.seconds(value, lambda _: None, SECONDS.get(where.unit, 1.0))

        first = part(waiting.first)
        if first is None:
            if waiting.instead is not None and argument(waiting.first, args, kwargs) is None:  # type: ignore[arg-type]
                return part(waiting.instead)
            return None
        if n < waiting.skipped:
            return 0.0
        cap, least = part(waiting.cap, math.inf), part(waiting.least, 0.0)
        pause = self._shaped(waiting.shape, first, part(waiting.step, 0.0), part(waiting.base, 2.0), n, cap)
        return None if pause is None or cap is None else max(min(pause, cap), least or 0.0)

    def _shaped(
        self, shape: str, first: float, step: float | None, base: float | None, n: int, cap: float | None
    ) -> float | None:
        if shape == "constant":
            return first
        if shape == "linear":
            return first + n * (step or 0.0)
        if shape == "exponential":
            return first * float(base or 2.0) ** min(n, 60)
        return cap if shape == "random" else None

    def of_calls(self, view: View, event: Event, model: Retry, retries: int) -> float | None:
        """Seconds of the pauses that a task asks for itself: `self.retry(countdown=60 * 2 ** self.request.retries)`."""
        term = view.terms[event.a]
        args = tuple(view.value(n) for n in term[2])
        kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
        delays = [argument(d, args, kwargs) for d in model.delay if not d.absolute]
        delay = next((d for d in delays if d is not None), None)
        if delay is None:
            return None

        def at(number: int) -> Turn:
            return lambda value: float(number) if value.kind == "attr" and value.args[1] == "retries" else None

        pauses = [self.seconds(delay, at(n)) for n in range(min(retries, MOST_TRIES))]
        return None if any(p is None for p in pauses) else math.fsum(p for p in pauses if p is not None)


def inside(view: View, chain: int, loop: int) -> bool:
    """Whether a place stands in a loop's body."""
    while chain > 0:
        frame = view.facts.chains[chain]
        if frame[1] == "loop" and frame[2] == loop:
            return True
        chain = frame[0]
    return False
