"""Values: what a term stands for under given arguments, hash-consed so that equal values are one object.

  lin (dim, Linear)      a number, instant or duration; dim is num, dt or td
  str (text)  none ()    literals; booleans are the formulas true and false
  seq (kind, values)     map (((key, value), …))     fstr (values)
  obj (class value, ((field, value), …))             an instance whose fields are known
  case (((condition, value), …))                     exactly one condition holds
  phi (values)           one of these, unknown which
  minmax ("max" | "min", values, place)
  fn (module, function, self or None, view or None)  cls (module, class)  mod (module)  ext (dotted name)
  partial (callable, args, kwargs)                   comp (kind, element, iterables)
What nothing more is known about, a path from a root:
  param (module, function, position, name)           iter (iterable, module, loop, name)
  result (callable, args, kwargs)                    loopvar (module, loop, name, before)
  global (module, name)  cell (module, function, name)  exc (module, try, handler)
  attr (base, name)      item (base, key)            part (base, position)
  unknown (module, line, column)
  typed (path, class value)                          a path as self of a method; what it holds is the path's
Formulas:
  true ()  false ()  and (formulas)  or (formulas)  not (literal)
  fcase (((condition, formula), …))                  exactly one condition holds
  pc (((entered, formula, place), …))                a path condition, outermost frame first
Literals:
  gate (op, Linear, place)    `Linear op 0` with one or more readings of a clock in it
  cmp (op, left, right, place)  isnone (value)  truthy (value)  eq (value, value)  isinstance (value, class)
  raised (view, try, handler)
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from anchorlint.domain.linear import Linear

FORMULAS = frozenset({"true", "false", "and", "or", "not", "fcase", "pc", "gate", "cmp", "isnone", "truthy", "eq",
                      "isinstance", "raised"})  # fmt: skip
LITERALS = frozenset({"gate", "cmp", "isnone", "truthy", "eq", "isinstance", "raised"})
PATHS = frozenset({"param", "iter", "result", "loopvar", "global", "cell", "exc", "attr", "item", "part", "unknown",
                   "typed"})  # fmt: skip


#: where the kinds of paths that have a name of their own hold it
_NAME_AT = {"param": 3, "iter": 3, "loopvar": 2, "global": 1, "cell": 2, "attr": 1}


class Value:
    """One node; compared by identity, because equal nodes are made only once."""

    __slots__ = ("_inner", "_size", "args", "kind")

    def __init__(self, kind: str, args: tuple[Any, ...]) -> None:
        self.kind = kind
        self.args = args
        self._size = 0
        self._inner: list[Value] | None = None

    @property
    def size(self) -> int:
        """How many nodes the value is written with, shared ones counted each time."""
        if not self._size:
            self._size = 1 + _size_of(self.args)
        return self._size

    @property
    def inner(self) -> list[Value]:
        """The values that this one is made of directly, in their order."""
        if self._inner is None:
            self._inner = _inner_of(self.args)
        return self._inner

    def __repr__(self) -> str:
        return f"{self.kind}{self.args!r}" if self.args else self.kind


def _inner_of(args: tuple[Any, ...]) -> list[Value]:
    found: list[Value] = []
    for arg in args:
        kind = type(arg)
        if kind is Value:
            found.append(arg)
        elif kind is tuple:
            found += _inner_of(arg)
        elif kind is Linear:
            found += [atom.key for atom in arg.terms if isinstance(atom.key, Value)]
    return found


def _size_of(args: tuple[Any, ...]) -> int:
    total = 0
    for arg in args:
        kind = type(arg)
        if kind is Value:
            total += arg._size or arg.size
        elif kind is tuple:
            for inner in arg:  # the pairs of a case and the parts of a sequence, without a call for each
                if type(inner) is Value:
                    total += inner._size or inner.size
                elif type(inner) is tuple:
                    total += _size_of(inner)
    return total


class Values:
    """Makes values; one for a program."""

    def __init__(self) -> None:
        self._made: defaultdict[str, dict[tuple[Any, ...], Value]] = defaultdict(dict)
        self.true = self("true")
        self.false = self("false")
        self.none = self("none")
        self.ring = self("unknown", -1, 0, 0)  #: ends a ring of terms, and stands where the fuel is spent

    def __call__(self, kind: str, *args: Any) -> Value:
        made = self._made[kind]
        value = made.get(args)
        if value is None:
            value = made[args] = Value(kind, args)
        return value

    def number(self, value: float) -> Value:
        """A plain number."""
        return self("lin", "num", Linear((), float(value)))

    def truth(self, holds: bool) -> Value:
        """True or false as a formula."""
        return self.true if holds else self.false


def said(value: Value) -> str:
    """How a value is called in the source: `entry.deadline`, `self.keep`, `row["at"]`."""
    kind, args = value.kind, value.args
    if kind in ("param", "iter", "loopvar", "global", "cell"):
        return _root(kind, args)
    if kind == "typed":
        return said(args[0])
    if kind == "attr":
        return f"{said(args[0])}.{args[1]}"
    if kind == "item":
        # a mapping's key reads like a field; a computed key keeps its brackets
        return f"{said(args[0])}.{args[1].args[0]}" if args[1].kind == "str" else f"{said(args[0])}[{said(args[1])}]"
    if kind == "part":
        if args[0].kind == "iter" and args[0].args[3].count(", ") >= args[1] >= 0:
            return str(args[0].args[3].split(", ")[args[1]])
        return f"{said(args[0])}[{args[1]}]"
    if kind == "result":
        return _called(args)
    if kind == "lin":
        return repr(args[1])
    if kind == "ext":
        return str(args[0])
    if kind == "str":
        return repr(args[0])
    if kind in ("case", "phi"):
        arms = args[0]
        first = arms[0][1] if kind == "case" else arms[0]
        return said(first)
    if kind == "obj":
        return "the object"
    return "a value" if kind == "unknown" else kind


def _root(kind: str, args: tuple[Any, ...]) -> str:
    if kind == "param":
        return str(args[3])
    if kind == "iter":
        return str(args[3]).replace(", ", "/") or "an element"
    if kind == "loopvar":
        return str(args[2])
    return str(args[-1])


def _called(args: tuple[Any, ...]) -> str:
    callee = args[0]
    if callee.kind == "attr" and callee.args[1] in ("get", "pop") and args[1] and args[1][0].kind == "str":
        return f"{said(callee.args[0])}.{args[1][0].args[0]}"
    name = said(callee)
    return f"{name}(…)" if args[1] or args[2] else f"{name}()"


def own_name(value: Value) -> str:
    """The name under which the source has a path: of the parameter, field, variable or element; "" for any other."""
    at = _NAME_AT.get(value.kind)
    return str(value.args[at]) if at is not None else ""


def root(value: Value) -> Value:
    """The value that a path starts from."""
    while value.kind in ("attr", "item", "part", "typed"):
        value = value.args[0]
    return value


def plain(value: Value) -> Value:
    """The path itself, without the class that a method knows of it."""
    return value.args[0] if value.kind == "typed" else value


def parts(value: Value, *kinds: str) -> list[Value]:
    """The parts of a value, itself included, that are of these kinds; each once."""
    found, pending, seen = [], [value], {value}
    while pending:
        node = pending.pop()
        if node.kind in kinds:
            found.append(node)
        for inner in node.inner:
            if inner not in seen:
                seen.add(inner)
                pending.append(inner)
    return found


def within(value: Value, what: Value) -> bool:
    """Whether `what` is `value` or a part of it."""
    if value is what:
        return True
    pending, seen = [value], {value}
    while pending:
        for inner in pending.pop().inner:
            if inner is what:
                return True
            if inner not in seen:
                seen.add(inner)
                pending.append(inner)
    return False
