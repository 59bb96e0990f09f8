"""Attributes and elements: what `a.b`, `a["b"]` and one turn of `for x in a` stand for."""

from __future__ import annotations

import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from anchorlint.python.dispatch import MOST_CHOICES
from anchorlint.python.facts import NONE
from anchorlint.python.inheritance import overrides
from anchorlint.python.link import Ref
from anchorlint.python.types_of import Types
from anchorlint.python.value import PATHS, Value, own_name, plain
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

MOST_PATH = 60  #: nodes of a path beyond which what it is of is not looked up
MOST_METHODS = 4  #: implementations of one method that are told apart
BUILTIN = frozenset().union(
    *(dir(t) for t in (str, list, dict, set, int, bytes, datetime.datetime, datetime.timedelta))
)
_SAME_ELEMENTS = {"builtins.list", "builtins.tuple", "builtins.sorted", "builtins.reversed", "builtins.set",
                  "builtins.iter", "builtins.frozenset"}  # fmt: skip


class Attributes(Types):
    """Looks into values; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        super().__init__(engine)
        self._known: dict[tuple[Value, str], Value] = {}
        self._implementing: dict[tuple[Ref, str], tuple[Ref, ...]] = {}

    def attribute(self, base: Value, name: str, view: View) -> Value:
        """What `base.name` stands for."""
        key = (base, name)
        found = self._known.get(key)
        if found is None:
            found = self._attribute(base, name, view)
            if base.kind not in ("ext", "mod") and self.engine.fuel > 0:  # those hang on who asks
                self._known[key] = found
        return found

    def _attribute(self, base: Value, name: str, view: View) -> Value:
        kind = base.kind
        if kind in ("case", "phi"):
            return self.engine.arithmetic.mapped(base, lambda arm: self.attribute(arm, name, view))
        if kind == "mod":
            ref = self.engine.linked.attribute(Ref("mod", base.args[0]), name, view.module)
            return self.engine.names.of_ref(ref, name) if ref else self._path(base, name)
        if kind == "ext":
            return self._outside(base, name, view)
        if kind == "cls":
            return self._of_class(base, name)
        if kind == "lin":
            return self.engine.calls.library.attribute(base, name)
        if kind == "obj":
            for field, value in base.args[1]:
                if field == name:
                    return value
        return self._of_instance(base, name)

    def _path(self, base: Value, name: str) -> Value:
        return self.engine.values("attr", plain(base), name)

    def _outside(self, base: Value, name: str, view: View) -> Value:
        ref = self.engine.linked.attribute(Ref("ext", dotted=base.args[0]), name, view.module)
        return self.engine.names.of_ref(ref, name) if ref else self._path(base, name)

    def _of_class(self, base: Value, name: str) -> Value:
        engine, cls = self.engine, Ref("cls", *base.args)
        method = engine.linked.method(cls, name)
        if method is not None:
            bound = base if "builtins.classmethod" in self.decorators(method) else None
            return engine.values("fn", method.module, method.number, bound, None)
        field = engine.linked.field(cls, name)
        if self.construct.is_column(cls, name):
            return self._path(engine.values("global", -1, engine.linked.cls(cls).name), name)
        if field is None or field[1] == NONE or self.construct.is_enum(cls):
            return self._path(base, name)
        return self._default(cls, name, field)

    def _default(self, cls: Ref, name: str, field: tuple[int, int, int]) -> Value:
        engine = self.engine
        owner = engine.view(field[0], engine.linked.cls(cls).function if field[0] == cls.module else 0)
        value = self.construct.default(owner.value(field[1]), owner)
        text = f"{engine.linked.cls(cls).name}.{name}"
        return engine.names.named(value, text, field[0], self._field_line(cls, name))

    def _field_line(self, cls: Ref, name: str) -> int:
        for ref in self.engine.linked.mro(cls):
            if ref.kind == "cls":
                for field, _, _, line in self.engine.linked.cls(ref).fields:
                    if field == name:
                        return line
        return 1

    def _of_instance(self, base: Value, name: str) -> Value:
        engine = self.engine
        if base.size > MOST_PATH:
            return self._path(base, name)
        cls = self.type_of(base)
        if cls is not None and cls.kind == "cls":
            method = engine.linked.method(cls, name)
            if method is not None:
                return self._method(base, cls, method, name, view=None)
            known = self.construct.field(cls, name, own=self._is_self(base))
            return known if known is not None else self._path(base, name)
        if cls is None and base.kind in PATHS:
            common = name in BUILTIN or name in self.engine.words["generic"]
            single = None if common else self._only_class(name)
            single = single or engine.linked.called_like(own_name(base), name)
            if single is not None:
                return self._method(base, single, engine.linked.method(single, name), name, view=None)
        return self._path(base, name)

    def _only_class(self, name: str) -> Ref | None:
        """The one class of the project that defines a method of this name."""
        classes = self.engine.linked.methods.get(name, ())
        concrete = [c for c in classes if not self.is_abstract(self.engine.linked.method(c, name))]
        chosen = concrete or list(classes)
        return chosen[0] if len(chosen) == 1 else None

    def _method(self, base: Value, cls: Ref, method: Any, name: str, view: View | None) -> Value:
        engine = self.engine
        found = self._implementations(cls, method, name) if base.kind != "obj" else (method,)
        values = []
        for ref in found:
            base = self._as_self(base, ref)
            decorators = self.decorators(ref)
            if decorators & {
                "builtins.property",
                "functools.cached_property",
                "django.utils.functional.cached_property",
            }:
                values.append(engine.calls.function(ref, (base,), (), None))
            elif "builtins.staticmethod" in decorators:
                values.append(engine.values("fn", ref.module, ref.number, None, None))
            else:
                values.append(engine.values("fn", ref.module, ref.number, base, None))
        return values[0] if len(values) == 1 else engine.arithmetic.phi(values)

    def _as_self(self, base: Value, method: Ref) -> Value:
        """What a method is called on, seen as an instance of the class that defines the method."""
        base = base if base.kind == "obj" else plain(base)
        if base.kind not in PATHS:
            return base
        owner = Ref("cls", method.module, self.engine.linked.function(method).cls)
        cls = self.type_of(base)
        if cls is not None and owner in self.engine.linked.mro(cls):
            return base
        return self.engine.values("typed", base, self.engine.values("cls", owner.module, owner.number))

    def _implementations(self, cls: Ref, method: Ref, name: str) -> tuple[Ref, ...]:
        """The method and those that override it in subclasses; an abstract one only stands for its overrides."""
        found = self._implementing.get((cls, name))
        if found is None:
            found = self._implementing[cls, name] = self._all_implementations(cls, method, name)
        return found

    def _all_implementations(self, cls: Ref, method: Ref, name: str) -> tuple[Ref, ...]:
        linked = self.engine.linked
        found = list(islice(overrides(linked, cls, name), MOST_METHODS + 1))
        if not self.is_abstract(method):
            found.insert(0, method)
        elif not found:
            others = [c for c in linked.methods.get(name, ()) if not self.is_abstract(linked.method(c, name))]
            found = [linked.method(c, name) for c in others] if len(others) == 1 else []
        unique = tuple(sorted(set(found)))
        return unique if unique and len(unique) <= MOST_METHODS else (method,)

    def _is_self(self, value: Value) -> bool:
        return value.kind == "param" and value.args[2] == 0

    # elements

    def element(self, base: Value, key: Value) -> Value:
        """What `base[key]` stands for."""
        base, engine = plain(base), self.engine
        kind = base.kind
        if kind in ("case", "phi"):
            return engine.arithmetic.mapped(base, lambda arm: self.element(arm, key))
        if key.kind in ("case", "phi") and len(key.args[0]) <= MOST_METHODS:
            return engine.arithmetic.mapped(key, lambda arm: self.element(base, arm))
        if kind == "map":
            found = self.lookup(base, key)
            if found is not None:
                return found
        number = key.args[1].number if key.kind == "lin" else None
        if number is not None and kind in ("seq", "obj"):
            return self.part(base, int(number))
        if number is not None and base.kind in PATHS:
            return engine.values("part", base, int(number))
        return engine.values("item", base, key)

    def lookup(self, base: Value, key: Value) -> Value | None:
        """The entry of a known mapping, any of those of a table of functions; None where it cannot be told."""
        entries = base.args[0]
        for name, value in entries:
            if name is key:
                return value
        if 0 < len(entries) <= MOST_CHOICES and key.kind in PATHS and all(value.kind == "fn" for _, value in entries):
            return self.engine.arithmetic.phi([value for _, value in entries])
        return None

    def part(self, base: Value, position: int) -> Value:
        """The element at a position."""
        if base.kind in ("case", "phi"):
            return self.engine.arithmetic.mapped(base, lambda arm: self.part(arm, position))
        if base.kind == "seq" and -len(base.args[1]) <= position < len(base.args[1]):
            return base.args[1][position]
        if base.kind == "obj" and -len(base.args[1]) <= position < len(base.args[1]):
            return base.args[1][position][1]
        return self.engine.values("part", base, position)

    def turn(self, iterable: Value, module: int, loop: int, name: str) -> Value:
        """What one turn of a loop over `iterable` is about."""
        if iterable.kind == "comp" and iterable.args[0] != "DictComp":
            return iterable.args[1]
        if iterable.kind == "result" and iterable.args[0].kind == "ext" and iterable.args[1]:
            callee = iterable.args[0].args[0]
            if callee in _SAME_ELEMENTS:
                return self.turn(iterable.args[1][0], module, loop, name)
            if callee == "builtins.enumerate":
                names = name.split(", ") if ", " in name else ["", name]
                number = self.engine.values("iter", iterable, module, loop, names[0])
                return self.engine.values(
                    "seq", "tuple", (number, self.turn(iterable.args[1][0], module, loop, names[1]))
                )
        return self.engine.values("iter", iterable, module, loop, name)
