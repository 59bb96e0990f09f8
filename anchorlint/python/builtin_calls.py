"""What the builtins and a few functions of the standard library do with values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.value import PATHS, Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

Args = tuple[Value, ...]
Kwargs = tuple[tuple[str, Value], ...]


class Builtins:
    """Evaluates builtins; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        models = engine.models
        known = (
            *models.clocks,
            *models.identities,
            *models.shifts,
            *models.durations,
            *models.predicates,
            *models.cyclic,
        )
        calls = {call for model in known for call in model.calls}
        calls |= {models.families.usual(call) for call in calls}
        self.methods = frozenset({"get", *(call.rpartition(".")[2] for call in calls)})
        self._builtins: dict[str, Callable[..., Value | None]] = {
            "max": self._extreme, "min": self._extreme, "abs": self._abs, "all": self._all, "any": self._any,
            "bool": self._bool, "isinstance": self._isinstance, "getattr": self._getattr, "dict": self._dict,
            "int": self._number, "float": self._number, "round": self._number, "str": self._text,
            "list": self._collection, "tuple": self._collection, "set": self._empty_set, "sum": self._sum,
            "functools.partial": self._partial, "typing.cast": self._second, "dataclasses.replace": self._replace,
            "os.getenv": self._setting, "os.environ.get": self._setting, "decouple.config": self._setting,
            "environ.get": self._setting,
        }  # fmt: skip

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
            if found is not None and args[0].kind in PATHS:  # one of several, or there is none of this name
                return engine.arithmetic.phi([found, args[1] if len(args) > 1 else engine.values.none])
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

    def _empty_set(self, name: str, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value | None:
        return None if args or kwargs else self.engine.values("seq", "set", ())

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
