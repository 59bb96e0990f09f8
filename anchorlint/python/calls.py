"""Calls: which function is meant, what it gets, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.python.facts import NONE, Param
from anchorlint.python.library import Library
from anchorlint.python.link import Ref
from anchorlint.python.value import Value, said
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

Args = tuple[Value, ...]
Kwargs = tuple[tuple[str, Value], ...]

MOST_ARGUMENTS = 400  #: nodes of an argument up to which it is looked into


class Calls:
    """Evaluates calls; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self.library = Library(engine)

    def call(self, callee: Value, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value:
        """The value of `callee(*args, **kwargs)`."""
        kind, engine = callee.kind, self.engine
        if kind in ("case", "phi"):
            if self._all_unknown(callee):
                return self.result(callee, args, kwargs)
            return engine.arithmetic.mapped(callee, lambda arm: self.call(arm, args, kwargs, place, view))
        if kind == "fn":
            module, number, bound, closure = callee.args
            given = args if bound is None else (bound, *args)
            return self.function(Ref("fn", module, number), given, kwargs, closure)
        if kind == "partial":
            return self.call(callee.args[0], (*callee.args[1], *args), (*callee.args[2], *kwargs), place, view)
        if kind == "cls":
            return self._class(callee, args, kwargs)
        if kind == "ext":
            return self.library.call(callee.args[0], args, kwargs, place, view)
        if kind == "attr" and not self._has_call(callee):
            return self.library.method(callee, args, kwargs, place, view)
        if kind == "lin" and not args and not kwargs and engine.is_now(callee):
            return self.library.now("wall", 1.0, "any", place)  # what is called `now` proves to be a clock
        if kind == "obj" or engine.attributes.type_of(callee) is not None:
            return self._object(callee, args, kwargs, place, view)
        return self._unknown(callee, args, kwargs, place)

    def _has_call(self, callee: Value) -> bool:
        """Whether a value is an instance of a project's class that can be called."""
        cls = self.engine.attributes.type_of(callee)
        return cls is not None and cls.kind == "cls" and self.engine.linked.method(cls, "__call__") is not None

    def _all_unknown(self, callee: Value) -> bool:
        """Whether a method is called on several things of which nothing is known: `query.filter(…)` after some ifs."""
        arms = [arm[1] if callee.kind == "case" else arm for arm in callee.args[0]]
        return all(arm.kind == "attr" and arm.args[1] not in self.library.methods for arm in arms)

    def _object(self, callee: Value, args: Args, kwargs: Kwargs, place: tuple, view: View) -> Value:
        method = self.engine.attributes.attribute(callee, "__call__", view)
        if method.kind == "fn":
            return self.call(method, args, kwargs, place, view)
        return self._unknown(callee, args, kwargs, place)

    def _unknown(self, callee: Value, args: Args, kwargs: Kwargs, place: tuple) -> Value:
        clock = self.library.injected_clock(callee, args, kwargs, place)
        return clock if clock is not None else self.result(callee, args, kwargs)

    def result(self, callee: Value, args: Args, kwargs: Kwargs) -> Value:
        """The result of a call that nothing is known about; the same call gives the same result."""
        engine = self.engine
        if sum([a.size for a in args]) + sum([v.size for _, v in kwargs]) > MOST_ARGUMENTS:
            args, kwargs = (engine.values("unknown", -1, hash((args, kwargs)), 2),), ()
        return engine.values("result", callee, args, kwargs)

    def _class(self, callee: Value, args: Args, kwargs: Kwargs) -> Value:
        cls, engine = Ref("cls", *callee.args), self.engine
        construct = engine.attributes.construct
        if construct.is_enum(cls):
            return engine.values("result", callee, args, kwargs)
        return construct.instance(cls, args, kwargs)

    # project functions

    def bind(self, function: Ref, args: Args, kwargs: Kwargs) -> tuple[Value | None, ...] | None:
        """The values of the parameters, defaults filled in; None where the arguments do not fit."""
        engine = self.engine
        record = engine.linked.function(function)
        if not kwargs and len(args) == len(record.params) and all([p.kind in "/p" for p in record.params]):
            return args  # the most frequent call needs no more
        bound: list[Value | None] = [None] * len(record.params)
        given, rest = dict(kwargs), list(args)
        for at, param in enumerate(record.params):
            if param.kind in "/p" and rest:
                bound[at] = rest.pop(0)
            elif param.kind == "*":
                bound[at], rest = engine.values("seq", "tuple", tuple(rest)), []
            elif param.kind in "pk" and param.name in given:
                bound[at] = given.pop(param.name)
            elif param.kind == "**":
                named = tuple((engine.values("str", k), v) for k, v in given.items() if k != "**")
                bound[at], given = engine.values("map", named), {}
            elif "**" not in given:
                bound[at] = self._default(function, param)
        return None if rest else tuple(bound)

    def _default(self, function: Ref, param: Param) -> Value | None:
        if param.default == NONE:
            return None
        record = self.engine.linked.function(function)
        outer = max(record.outer, 0)
        return self.engine.view(function.module, outer).value(param.default)

    def function(self, function: Ref, args: Args, kwargs: Kwargs, closure: View | None) -> Value:
        """What a function of the project returns for these arguments."""
        engine = self.engine
        record = engine.linked.function(function)
        bound = self.bind(function, args, kwargs)
        if bound is None or "g" in record.flags:
            callee = engine.values("fn", function.module, function.number, None, None)
            return self.result(callee, args, kwargs)
        if any([a is not None and a.size > MOST_ARGUMENTS for a in bound]):
            bound = tuple(a if a is None or a.size <= MOST_ARGUMENTS else self.token(a) for a in bound)
        return engine.returned(engine.view(function.module, function.number, bound, closure))

    def token(self, value: Value) -> Value:
        """A stand-in for an argument that is too large to be looked into."""
        return self.engine.arithmetic.opaque("large", self.engine.values("unknown", -1, id(value), 3))

    def entered(self, value: Value, view: View) -> Value:
        """What `with value as x` binds."""
        engine = self.engine
        cls = engine.attributes.type_of(value)
        if cls is not None and cls.kind == "cls":
            for name in ("__enter__", "__aenter__"):
                method = engine.linked.method(cls, name)
                if method is not None:
                    return self.function(method, (value,), (), None)
        return value

    def target(self, callee: Value) -> str:
        """The dotted name of what is called, `*.method` where the receiver has no known type."""
        if callee.kind == "ext":
            return callee.args[0].removeprefix("builtins.")
        if callee.kind == "attr":
            owner = self.engine.attributes.type_of(callee.args[0])
            if owner is not None and owner.kind == "ext":
                return f"{owner.dotted}.{callee.args[1]}"
            return f"*.{callee.args[1]}"
        return ""

    def receiver(self, callee: Value) -> str:
        """The source name of what a method is called on: the last word of `self.client`."""
        if callee.kind != "attr":
            return ""
        base = callee.args[0]
        if base.kind == "attr":
            return str(base.args[1])
        return said(base) if base.kind in ("param", "iter", "loopvar", "global", "cell") else ""
