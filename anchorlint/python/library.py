"""What calls of libraries and builtins do with time, by the models; everything else stays an opaque result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.knowledge.tables import SECONDS
from anchorlint.python.arguments import argument
from anchorlint.python.value import PATHS, Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.knowledge.tables import Duration, Gate, Identity
    from anchorlint.python.evaluate import Evaluator
    from anchorlint.python.facts import Event

Args = tuple[Value, ...]
Kwargs = tuple[tuple[str, Value], ...]


class Library:
    """Evaluates what is not the project's own; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        models = engine.models
        known = (*models.clocks, *models.identities, *models.shifts, *models.durations, *models.predicates, *models.cyclic)
        self.methods = frozenset({"get", *(c.rpartition(".")[2] for model in known for c in model.calls)})
        self._builtins: dict[str, Callable[..., Value | None]] = {
            "max": self._extreme, "min": self._extreme, "abs": self._abs, "all": self._all, "any": self._any,
            "bool": self._bool, "isinstance": self._isinstance, "getattr": self._getattr, "dict": self._dict,
            "int": self._number, "float": self._number, "round": self._number, "str": self._text,
            "list": self._collection, "tuple": self._collection, "sum": self._sum,
            "functools.partial": self._partial, "typing.cast": self._second, "dataclasses.replace": self._replace,
            "os.getenv": self._setting, "os.environ.get": self._setting, "decouple.config": self._setting,
            "environ.get": self._setting,
        }  # fmt: skip

    # calls

    def call(self, dotted: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value:
        """The value of a call of something from outside, by its dotted name."""
        name = dotted.removeprefix("builtins.")
        own = self._builtins.get(name)
        if own is not None:
            value = own(name, args, kwargs, place, view)
            if value is not None:
                return value
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
        target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
        value = self._modelled(target, receiver, base, args, kwargs, place)
        if value is not None:
            return value
        value = self.engine.calls.library.injected_clock(callee, args, kwargs, place)
        return value if value is not None else self.engine.calls.result(callee, args, kwargs)

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
        if model.value == "self":
            value = base
        else:
            value = argument(model.value, args, kwargs)
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
        """The formula that a library's age check has closed: now is past the instant inside the value plus the slack."""
        engine = self.engine
        value = argument(model.value, args, kwargs)
        slack = argument(model.slack, args, kwargs) if model.slack is not None else None
        if value is None or value.kind not in PATHS or (slack is None and model.slack_required):
            return None
        instant: Value = engine.values("attr", value, model.instant)
        if slack is not None and slack.kind != "none":
            seconds = engine.values.number(SECONDS.get(model.slack.unit, 1.0) if model.slack else 1.0)
            scaled = slack if slack.kind == "lin" and slack.args[0] == "td" else engine.arithmetic.scale(slack, seconds, False)
            instant = engine.arithmetic.add(instant, scaled, float(model.sign))
        place = (view.module, event.line, event.column, event.end_line, event.end_column)
        return engine.arithmetic.compare(">", self.now("wall", 1.0, "any", place), instant, place)

    # builtins

    def _extreme(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if len(args) == 1:
            parts = args[0].args[1] if args[0].kind == "seq" else ()
            if args[0].kind == "comp" and not kwargs:
                return args[0].args[1]  # the oldest or newest of the elements: one of them
        else:
            parts = args
        if not parts or any(k != "default" for k, _ in kwargs):
            return None
        return self.engine.arithmetic.extreme(name, list(parts), place)

    def _abs(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self.engine.arithmetic.size_of(args[0]) if args else None

    def _quantified(self, args: Args, every: bool) -> Value | None:
        if len(args) != 1 or args[0].kind not in ("comp", "seq"):
            return None
        engine = self.engine
        if args[0].kind == "seq":
            parts = [engine.arithmetic.truth(v) for v in args[0].args[1]]
            return engine.formulas.conj(parts) if every else engine.formulas.disj(parts)
        _, element, _, tests = args[0].args
        truth = engine.arithmetic.truth(element)
        if every:
            return engine.formulas.disj([*(engine.formulas.neg(t) for t in tests), truth])
        return engine.formulas.conj([*tests, truth])

    def _all(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self._quantified(args, every=True)

    def _any(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self._quantified(args, every=False)

    def _bool(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self.engine.arithmetic.truth(args[0]) if args else self.engine.values.false

    def _isinstance(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self.engine.values("isinstance", *args) if len(args) == 2 else None

    def _getattr(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if len(args) < 2 or args[1].kind != "str":
            return None
        found = self.engine.attributes.attribute(args[0], args[1].args[0], view)
        if len(args) == 3 and found.kind in PATHS:
            return self._with_default(found, args[2])
        return found

    def _get(self, base: Value, args: Args) -> Value | None:
        """`mapping.get(key, default)`: the entry; a number as default gives the path that number."""
        engine = self.engine
        if base.kind == "map":
            found = engine.attributes.lookup(base, args[0])
            if found is not None:
                return found
            if args[0].kind == "str" and all(k is not None and k.kind == "str" for k, _ in base.args[0]):
                return args[1] if len(args) > 1 else engine.values.none
            return None
        if args[0].kind != "str" or engine.attributes.type_of(base) is not None or base.kind not in PATHS:
            return None
        if engine.models.store_read("*.get", engine.calls.receiver(engine.values("attr", base, "get"))) is not None:
            return None
        entry = engine.values("item", base, args[0])
        return self._with_default(entry, args[1]) if len(args) > 1 else entry

    def _with_default(self, path: Value, default: Value) -> Value:
        """A setting that may be absent: its default is its number as far as the source knows."""
        form = default.args[1].number if default.kind == "lin" else None
        if form is None or path.kind not in PATHS:
            return path
        from anchorlint.python.value import said

        origin = next(iter(default.args[1].terms), None)
        text = said(path)
        atom = Atom(Role.NAMED, ("default", path), text, form, origin.origin if origin else None)
        return self.engine.values("lin", default.args[0], Linear(((atom, 1.0),)))

    def _setting(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if not args or args[0].kind != "str":
            return None
        default = args[1] if len(args) > 1 else dict(kwargs).get("default")
        number = self._read_number(default) if default is not None else None
        if number is None:
            return None
        path = self.engine.linked.modules[place[0]].path
        atom = Atom(Role.NAMED, ("env", args[0].args[0]), args[0].args[0], number, (path, place[1], "default"))
        return self.engine.values("lin", "num", Linear(((atom, 1.0),)))

    def _read_number(self, value: Value) -> float | None:
        if value.kind == "lin":
            return value.args[1].number
        if value.kind != "str":
            return None
        try:
            return float(value.args[0])
        except ValueError:
            return None

    def _number(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if not args:
            return self.engine.values.number(0)
        if args[0].kind == "str":
            number = self._read_number(args[0])
            return self.engine.values.number(number) if number is not None else None
        if args[0].kind in ("case", "phi"):
            return self.engine.arithmetic.mapped(
                args[0],
                lambda arm: self._number(name, (arm,), kwargs, place, view) or self.engine.arithmetic.opaque(name, arm),
            )
        return args[0]

    def _text(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if args and args[0].kind in ("str", "lin"):
            return args[0]  # str(14 * DAY) is still that number where it is read as one
        return self.engine.values("fstr", args) if args else None

    def _dict(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        entries = args[0].args[0] if args and args[0].kind == "map" else ()
        if args and args[0].kind != "map":
            return None
        named = tuple((self.engine.values("str", k), v) for k, v in kwargs if k != "**")
        return self.engine.values("map", tuple({**dict(entries), **dict(named)}.items()))

    def _collection(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return args[0] if args and args[0].kind in ("comp", "seq") else None

    def _sum(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if not args or args[0].kind != "seq" or not args[0].args[1]:
            return None
        total = args[0].args[1][0]
        for part in args[0].args[1][1:]:
            total = self.engine.arithmetic.add(total, part, 1.0)
        return total

    def _partial(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return self.engine.values("partial", args[0], args[1:], kwargs) if args else None

    def _second(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return args[1] if len(args) == 2 else None

    def _replace(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        if not args or args[0].kind != "obj":
            return None
        fields = {**dict(args[0].args[1]), **dict(kwargs)}
        return self.engine.values("obj", args[0].args[0], tuple(fields.items()))
