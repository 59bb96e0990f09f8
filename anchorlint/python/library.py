"""What calls of libraries do with time, by the models; everything else stays an opaque result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.knowledge.tables import SECONDS
from anchorlint.python.arguments import argument
from anchorlint.python.builtin_calls import Builtins
from anchorlint.python.value import PATHS, Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.knowledge.tables import Duration, Gate, Identity
    from anchorlint.python.facts import Event

Args = tuple[Value, ...]
Kwargs = tuple[tuple[str, Value], ...]


class Library(Builtins):
    """Evaluates what is not the project's own; one for a program."""

    # calls

    def call(self, dotted: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value:
        """The value of a call of something from outside, by its dotted name."""
        name = dotted.removeprefix("builtins.")
        own = self._builtins.get(name)
        if own is not None:
            value = own(name, args, kwargs, place, view)
            if value is not None:
                return value
        if name.rpartition(".")[2] in self.methods:
            value = self._modelled(name, "", None, args, kwargs, place)
            if value is not None:
                return value
        return self.engine.calls.result(self.engine.values("ext", dotted), args, kwargs)

    def method(self, callee: Value, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value:
        """The value of a method call whose receiver is no class of the project."""
        base, name = callee.args
        if name == "get" and args:
            value = self._get(base, args)
            if value is not None:
                return value
        calls = self.engine.calls
        if name in self.methods:  # by the last word alone: most methods have nothing to do with time
            value = self._modelled(calls.target(callee), calls.receiver(callee), base, args, kwargs, place)
            if value is not None:
                return value
        value = self.injected_clock(callee, args, kwargs, place)
        return value if value is not None else calls.result(callee, args, kwargs)

    def attribute(self, base: Value, name: str) -> Value:
        """An attribute of an instant or a duration."""
        models, dim = self.engine.models, base.args[0]
        if dim == "td" and name == "days":
            return self.engine.values("lin", "num", base.args[1] * (1 / 86400))
        if models.is_cyclic(f"*.{name}"):
            return self.engine.arithmetic.opaque(f"cyclic {name}", base)
        identity = models.identity(f"*.{name}")
        if identity is not None and identity.attribute:
            return self._same(identity, base)
        return self.engine.values("attr", base, name)

    def _modelled(
        self, name: str, receiver: str, base: Value | None, args: Args, kwargs: Kwargs, place: tuple
    ) -> Value | None:
        models, engine = self.engine.models, self.engine
        moment = base is None or base.kind == "lin" or base.kind in PATHS or base.kind in ("case", "phi", "minmax")
        clock = models.clock(name, receiver)
        if clock is not None and clock.kind != "text" and (not args or base is None):
            return self.now(clock.clock, clock.per_second, clock.kind, place)
        duration = models.duration(name, receiver)
        if duration is not None:
            return self._duration(duration, args, kwargs)
        if not moment:
            return None
        if models.is_cyclic(name, receiver) and base is not None:
            return engine.arithmetic.opaque(f"cyclic {name}", base)
        shift = models.shift(name, receiver)
        if shift is not None and base is not None and self._is_moment(base):
            moved = self._duration(shift, args, kwargs)
            return engine.arithmetic.add(base, moved, float(shift.sign)) if moved is not None else None
        identity = models.identity(name, receiver)
        if identity is not None:
            return self._identity(identity, base, args, kwargs)
        return self._predicate(name, receiver, base, args, kwargs, place)

    def _is_moment(self, base: Value) -> bool:
        return base.kind in ("lin", "minmax", "case") or base.kind in PATHS

    # clocks

    def now(self, clock: str, per_second: float, dim: str, place: tuple) -> Value:
        """A reading of a clock at a place in the source."""
        atom = Atom(Role.NOW, (clock, *place), "now")
        kind = "dt" if dim in ("dt", "date") else "num"
        return self.engine.values("lin", kind, Linear(((atom, per_second),)))

    def injected_clock(self, callee: Value, args: Args, kwargs: Kwargs, place: tuple) -> Value | None:
        """A call without arguments of something that is named like a clock: `self._clock()`, `clock.now()`."""
        if args or kwargs or callee.kind not in ("attr", "param", "cell", "global"):
            return None
        words, receiver = self.engine.words["clock"], self.engine.calls.receiver(callee)
        name = callee.args[1] if callee.kind == "attr" else str(callee.args[-1])
        if name in words or (name in ("time", "now", "utcnow", "today") and receiver in words):
            return self.now("wall", 1000.0 if name.endswith("_ms") else 1.0, "any", place)
        if name == "monotonic" and receiver in words:
            return self.now("mono", 1.0, "num", place)
        return None

    # durations and instants

    def _duration(self, model: Duration | Any, args: Args, kwargs: Kwargs) -> Value | None:
        engine = self.engine
        if len(args) > len(model.positions):
            return None
        total: Value = engine.values("lin", "td", Linear())
        named = list(zip(model.positions, args, strict=False)) + list(kwargs)
        for name, value in named:
            size = model.sizes.get(name)
            if size is None:
                return None if name in ("**", "tzinfo", "days_of_week") or size is None else total
            part = engine.arithmetic.scale(value, engine.values("lin", "td", Linear((), size)), inverse=False)
            total = engine.arithmetic.add(total, part, 1.0)
        return total

    def _identity(self, model: Identity, base: Value | None, args: Args, kwargs: Kwargs) -> Value | None:
        value = base if model.value == "self" else argument(model.value, args, kwargs)
        return self._same(model, value) if value is not None else None

    def _same(self, model: Identity, value: Value) -> Value:
        arithmetic = self.engine.arithmetic
        if value.kind in ("case", "phi"):
            return arithmetic.mapped(value, lambda arm: self._same(model, arm))
        if value.kind == "minmax":
            which, parts, place = value.args
            return self.engine.values("minmax", which, tuple(self._same(model, p) for p in parts), place)
        form = arithmetic.linear(value)
        if form is None:
            return value
        factor = (model.per_second or 1.0) / (model.from_per_second or 1.0)
        dim = {"date": "dt", "any": form[0], "text": form[0]}.get(model.kind, model.kind)
        if factor == 1.0 and value.kind in PATHS:
            return value
        return arithmetic.lin(dim, form[1] * factor)

    def _predicate(
        self, name: str, receiver: str, base: Value | None, args: Args, kwargs: Kwargs, place: tuple
    ) -> Value | None:
        model = self.engine.models.predicate(name, receiver)
        if model is None or model.attribute:
            return None
        engine = self.engine
        instant = base if model.instant == "self" else argument(model.instant, args, kwargs)
        if instant is None:
            return None
        if model.slack is not None:
            slack = argument(model.slack, args, kwargs) or engine.values.number(model.slack.default or 0.0)
            seconds = engine.values.number(SECONDS.get(model.slack.unit, 1.0))
            scaled = engine.arithmetic.scale(slack, seconds, inverse=False)
            instant = engine.arithmetic.add(instant, scaled, float(model.sign))
        now = self.now(model.clock, 1.0, "any", place)
        return engine.arithmetic.compare(model.op, now, instant, place)

    def expired(self, model: Gate, args: Args, kwargs: Kwargs, event: Event, view: View) -> Value | None:
        """The formula that a library's age check has closed: now is past the value's instant plus the slack."""
        engine = self.engine
        value = argument(model.value, args, kwargs)
        slack = argument(model.slack, args, kwargs) if model.slack is not None else None
        if value is None or value.kind not in PATHS or (slack is None and model.slack_required):
            return None
        instant: Value = engine.values("attr", value, model.instant)
        if slack is not None and slack.kind != "none":
            seconds = engine.values.number(SECONDS.get(model.slack.unit, 1.0) if model.slack else 1.0)
            scaled = (
                slack
                if slack.kind == "lin" and slack.args[0] == "td"
                else engine.arithmetic.scale(slack, seconds, False)
            )
            instant = engine.arithmetic.add(instant, scaled, float(model.sign))
        place = (view.module, event.line, event.column, event.end_line, event.end_column)
        return engine.arithmetic.compare(">", self.now("wall", 1.0, "any", place), instant, place)
