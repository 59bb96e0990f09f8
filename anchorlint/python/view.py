"""A view: one function seen under given arguments. It turns terms into values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anchorlint.python.conditions import Conditions
from anchorlint.python.facts import NONE
from anchorlint.python.refs import Ref
from anchorlint.python.terms import place
from anchorlint.python.value import PATHS, Value

if TYPE_CHECKING:
    pass

MOST_FRAMES = 40  #: frames of one path condition that are evaluated, the innermost ones


class View(Conditions):
    """One function under given arguments; without arguments its parameters stand for themselves."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self.facts.path}:{self.function.qualname}{self.args!r}"

    # terms

    def value(self, number: int) -> Value:
        """What a term of this function's module stands for here."""
        found = self._values.get(number)
        if found is not None:
            return found
        engine, known = self.engine, self._values
        found = known[number] = engine.values.ring
        engine.fuel -= 1
        if engine.fuel > 0:
            term = self.terms[number]
            method = _TERMS.get(term[0])
            found = method(self, term) if method else engine.values("unknown", self.module, number, 0)
            known[number] = found
        if engine.fuel <= 0:
            engine.spent.add(engine.asking)
            known.pop(number, None)  # a question with more fuel may know more
        return found

    def values(self, numbers: tuple[int, ...]) -> tuple[Value, ...]:
        """The values of several terms."""
        return tuple([self.value(n) for n in numbers])

    def _const(self, term: tuple) -> Value:
        made, (_, kind, value) = self.engine.values, term
        if kind == "bool":
            return made.truth(value)
        if kind in ("int", "float"):
            return made.number(value) if abs(value) < 1e300 else made("unknown", self.module, 0, 0)
        if kind == "NoneType":
            return made.none
        if kind == "bytes":
            return made("str", value.decode("latin-1"))
        return made("str", value) if kind == "str" else made("unknown", self.module, 0, 0)

    def _name(self, term: tuple) -> Value:
        return self.engine.names.global_value(self.module, term[1])

    def _import(self, term: tuple) -> Value:
        return self.engine.names.of_ref(self.engine.linked.imported(self.module, term[1], term[2], term[3]))

    def _param(self, term: tuple) -> Value:
        view = self._owner(term[1])
        if view is None:
            function = self.facts.functions[term[1]]
            return self.engine.parameter(self.module, term[1], term[2], function.params[term[2]].name)
        given = view.args[term[2]] if term[2] < len(view.args) else None
        if given is not None:
            return given
        return self.engine.parameter(self.module, term[1], term[2], view.function.params[term[2]].name)

    def _owner(self, function: int) -> View | None:
        view: View | None = self
        while view is not None and view.number != function:
            view = view.closure
        return view

    def _outer(self, term: tuple) -> Value:
        view = self._owner(term[1])
        if view is None:
            view = self.engine.view(self.module, term[1])
        return view.value(term[2])

    def _cell(self, term: tuple) -> Value:
        return self.engine.values("cell", self.module, term[1], term[2])

    def _attr(self, term: tuple) -> Value:
        return self.engine.attributes.attribute(self.value(term[1]), term[2], self)

    def _sub(self, term: tuple) -> Value:
        return self.engine.attributes.element(self.value(term[1]), self.value(term[2]))

    def _call(self, term: tuple) -> Value:
        engine, callee = self.engine, self.value(term[1])
        args = []
        for number in term[2]:
            inner = self.terms[number]
            if inner[0] == "star":
                spread = self.value(inner[1])
                args += spread.args[1] if spread.kind == "seq" else self._spread(callee, spread, term, number)
            else:
                args.append(self.value(number))
        kwargs: list[tuple[str, Value]] = []
        for name, number in term[3]:
            value = self.value(number)
            if name:
                kwargs.append((name, value))
            elif value.kind == "map":
                kwargs += [(k.args[0], v) for k, v in value.args[0] if k is not None and k.kind == "str"]
            else:
                kwargs.append(("**", value))
        return engine.calls.call(callee, tuple(args), tuple(kwargs), (self.module, *place(term)), self)

    def _spread(self, callee: Value, spread: Value, call: tuple, number: int) -> list[Value]:
        """What `*row` gives: a record takes as many parts of it as it has fields that no other argument fills."""
        engine = self.engine
        if callee.kind == "cls" and spread.kind in PATHS:
            taken = engine.attributes.construct.taken_by_place(Ref("cls", *callee.args))
            parts = range(taken - (len(call[2]) - 1) - len(call[3]))
            if parts:
                return [engine.attributes.part(spread, n) for n in parts]
        return [engine.values("unknown", self.module, number, 1)]

    def _bin(self, term: tuple) -> Value:
        op, left, right = term[1], self.value(term[2]), self.value(term[3])
        arithmetic = self.engine.arithmetic
        if op in "+-":
            return arithmetic.add(left, right, 1.0 if op == "+" else -1.0)
        if op == "*":
            return arithmetic.scale(left, right, inverse=False)
        if op in ("/", "//"):
            return arithmetic.scale(left, right, inverse=True)
        if op == "%" and left.kind in ("str", "fstr"):
            return self.engine.values("fstr", (left, right))
        if op == "**":
            return arithmetic.power(left, right)
        if op == "|" and left.kind == right.kind == "map":
            return self.engine.values("map", left.args[0] + right.args[0])
        return arithmetic.opaque(op, left, right)

    def _unary(self, term: tuple) -> Value:
        value = self.value(term[2])
        if term[1] == "not":
            return self.engine.formulas.neg(self.engine.arithmetic.truth(value))
        if term[1] == "-":
            return self.engine.arithmetic.scale(value, self.engine.values.number(-1), inverse=False)
        return value if term[1] == "+" else self.engine.arithmetic.opaque("~", value)

    def _bool(self, term: tuple) -> Value:
        """`a and b`, `a or b`: a formula where all are, else a case; `given or now()` is a reading of now."""
        engine, parts = self.engine, self.values(term[2])
        result = parts[-1]
        for part in reversed(parts[:-1]):
            result = self._both(part, result) if term[1] == "and" else self._else(part, result)
        return result if result is not None else engine.values.none

    def _both(self, left: Value, right: Value) -> Value:
        engine, truth = self.engine, self.engine.arithmetic.truth
        left_truth = truth(left)
        if left_truth is engine.values.true:
            return right
        if left_truth is engine.values.false:
            return left
        if engine.is_formula(left) and engine.is_formula(right):
            return engine.formulas.conj((left_truth, right))
        # in a condition only its truth matters; elsewhere a falsy left side is what comes out
        arms = [(left_truth, right), (engine.formulas.neg(left_truth), engine.falsy(left))]
        return engine.arithmetic.case(arms)

    def _else(self, left: Value, right: Value) -> Value:
        engine = self.engine
        holds = engine.arithmetic.truth(left)
        if holds is engine.values.true:
            return left
        if holds is engine.values.false:
            return right
        if engine.is_formula(left) and engine.is_formula(right):
            return engine.formulas.disj((left, right))
        if left.kind == "param" and engine.is_now(right):
            return right
        return engine.arithmetic.case([(holds, left), (engine.formulas.neg(holds), right)])

    def _cmp(self, term: tuple) -> Value:
        left, right = self.value(term[2]), self.value(term[3])
        return self.engine.arithmetic.compare(term[1], left, right, (self.module, *place(term)))

    def _if(self, term: tuple) -> Value:
        engine = self.engine
        test = engine.arithmetic.truth(self.value(term[1]))
        if test is engine.values.true:
            return self.value(term[2])
        if test is engine.values.false:
            return self.value(term[3])
        then, other = self.value(term[2]), self.value(term[3])
        for given, now in ((then, other), (other, then)):
            if given.kind == "param" and engine.is_now(now) and engine.about(test, given):
                return now
        return engine.arithmetic.case([(test, then), (engine.formulas.neg(test), other)])

    def _phi(self, term: tuple) -> Value:
        return self.engine.arithmetic.phi([self.value(n) for n in term[1]])

    def _loop(self, term: tuple) -> Value:
        return self.engine.values("loopvar", self.module, term[3], term[1], self.value(term[2]))

    def _iter(self, term: tuple) -> Value:
        iterable = self.value(term[1])
        return self.engine.attributes.turn(iterable, self.module, term[2], term[3])

    def _idx(self, term: tuple) -> Value:
        return self.engine.attributes.part(self.value(term[1]), term[2])

    def _rest(self, term: tuple) -> Value:
        return self.engine.arithmetic.opaque(f"rest {term[2]}", self.value(term[1]))

    def _seq(self, term: tuple) -> Value:
        if term[1] == "slice":
            return self.engine.arithmetic.opaque("slice", *[self.value(n) for n in term[2] if n != NONE])
        parts: list[Value] = []
        for number in term[2]:
            inner = self.terms[number]
            if inner[0] == "star":
                spread = self.value(inner[1])
                parts += spread.args[1] if spread.kind == "seq" else [self.engine.arithmetic.opaque("spread", spread)]
            else:
                parts.append(self.value(number))
        return self.engine.values("seq", term[1], tuple(parts))

    def _map(self, term: tuple) -> Value:
        entries: dict[Value | None, Value] = {}
        for key, value in term[1]:
            if key == NONE:
                merged = self.value(value)
                if merged.kind == "map":
                    entries |= dict(merged.args[0])
                else:
                    entries = {None: merged}
            else:
                entries[self.value(key)] = self.value(value)
        return self.engine.values("map", tuple(entries.items()))

    def _fstr(self, term: tuple) -> Value:
        parts = self.values(term[1])
        if all(p.kind == "str" for p in parts):
            return self.engine.values("str", "".join(p.args[0] for p in parts))
        return self.engine.values("fstr", parts)

    def _comp(self, term: tuple) -> Value:
        iterables = tuple([self.value(i) for i, _ in term[3]])
        tests = tuple([self.engine.arithmetic.truth(self.value(t)) for t in term[4]])
        return self.engine.values("comp", term[1], self.value(term[2]), iterables, tests)

    def _def(self, term: tuple) -> Value:
        function = self.facts.functions[term[1]]
        closure = self if function.outer == self.number and self.number else None
        return self.engine.values("fn", self.module, term[1], None, closure)

    def _classdef(self, term: tuple) -> Value:
        return self.engine.values("cls", self.module, term[1])

    def _exc(self, term: tuple) -> Value:
        return self.engine.values("exc", self.module, term[1], term[2])

    def _raised(self, term: tuple) -> Value:
        return self.engine.values("raised", self, term[1], term[2])

    def _entered(self, term: tuple) -> Value:
        return self.engine.calls.entered(self.value(term[1]), self)


_TERMS: dict[str, Any] = {
    "const": View._const, "name": View._name, "import": View._import, "param": View._param, "outer": View._outer,
    "cell": View._cell, "attr": View._attr, "sub": View._sub, "call": View._call, "bin": View._bin,
    "un": View._unary, "bool": View._bool, "cmp": View._cmp, "if": View._if, "phi": View._phi, "loop": View._loop,
    "iter": View._iter, "idx": View._idx, "rest": View._rest, "seq": View._seq, "map": View._map,
    "fstr": View._fstr, "comp": View._comp, "def": View._def, "classdef": View._classdef, "exc": View._exc,
    "raised": View._raised, "entered": View._entered,
}  # fmt: skip
