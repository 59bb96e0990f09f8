"""Types: the class that a value is of, where annotations, constructors or models say so."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from anchorlint.python.construct import Construct
from anchorlint.python.facts import NONE
from anchorlint.python.link import Ref
from anchorlint.python.value import Value

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

MOST_PATH = 60  #: nodes of a path beyond which what it is of is not looked up
MOST_METHODS = 4  #: implementations of one method that are told apart
BUILTIN = frozenset().union(
    *(dir(t) for t in (str, list, dict, set, int, bytes, datetime.datetime, datetime.timedelta))
)
_SAME_ELEMENTS = {"builtins.list", "builtins.tuple", "builtins.sorted", "builtins.reversed", "builtins.set",
                  "builtins.iter", "builtins.frozenset"}  # fmt: skip


class Types:
    """Knows the classes of values; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self.construct = Construct(engine)
        self._types: dict[Value, Ref | None] = {}
        self._abstract: dict[Ref, bool] = {}
        self._decorators: dict[Ref, frozenset[str]] = {}

    def is_abstract(self, method: Ref | None) -> bool:
        """Whether a method only says that somebody else has it: `...`, `pass`, or `raise NotImplementedError`."""
        if method is None:
            return True
        found = self._abstract.get(method)
        if found is None:
            found = self._abstract[method] = self._is_abstract(method)
        return found

    def _is_abstract(self, method: Ref) -> bool:
        events = [e for e in self.engine.linked.function(method).events if e.kind != "call"]
        facts = self.engine.linked.modules[method.module]
        if not events or (len(events) == 1 and events[0].kind == "end"):
            return not any(e.kind == "call" for e in self.engine.linked.function(method).events)
        if len(events) == 1 and events[0].kind == "raise" and events[0].a != NONE:
            term = facts.terms[events[0].a]
            callee = facts.terms[term[1]] if term[0] == "call" else term
            return callee == ("name", "NotImplementedError")
        return False

    def decorators(self, function: Ref) -> frozenset[str]:
        """What decorates a function, as dotted names."""
        known = self._decorators.get(function)
        if known is not None:
            return known
        linked, found = self.engine.linked, set()
        for number in linked.function(function).decorators:
            term = linked.modules[function.module].terms[number]
            ref = linked.expression(function.module, term[1] if term[0] == "call" else number)
            if ref is not None:
                found.add(ref.dotted)
        known = self._decorators[function] = frozenset(found)
        return known

    def type_of(self, value: Value) -> Ref | None:
        """The class of a value, of the project or from outside; None where nothing says it."""
        known = self._types
        if value not in known:
            known[value] = None
            known[value] = self._type_of(value)
        return known[value]

    def _type_of(self, value: Value) -> Ref | None:
        kind, args, linked = value.kind, value.args, self.engine.linked
        if kind == "obj":
            return Ref("cls", *args[0].args)
        if kind == "typed":
            return Ref("cls", *args[1].args)
        if kind == "param":
            return self._param_type(*args[:3])
        if kind == "result":
            return self._result_type(args[0], args[1])
        if kind == "attr":
            cls = self.type_of(args[0])
            if cls is None or cls.kind != "cls":
                return None
            field = linked.field(cls, args[1])
            if field is not None and field[2] != NONE:
                return linked.expression(field[0], field[2])
            return self.construct.stored_type(cls, args[1])
        if kind == "iter":
            return self._element_type(args[0])
        return None

    def _param_type(self, module: int, function: int, position: int) -> Ref | None:
        record = self.engine.linked.modules[module].functions[function]
        param = record.params[position]
        is_first = position == 0 and record.cls >= 0 and param.annotation == NONE
        if is_first and "builtins.staticmethod" not in self.decorators(Ref("fn", module, function)):
            return Ref("cls", module, record.cls)
        return self.engine.linked.expression(module, param.annotation)

    def _result_type(self, callee: Value, given: tuple[Value, ...] = ()) -> Ref | None:
        if callee.kind == "ext":
            texts = (str(value.args[0]) for value in given if value.kind == "str")
            made = self.engine.models.families.made(callee.args[0], *texts)
            return Ref("ext", dotted=made or callee.args[0])
        if callee.kind == "fn":
            ref = Ref("fn", callee.args[0], callee.args[1])
            return self.engine.linked.expression(ref.module, self.engine.linked.function(ref).returns)
        if callee.kind == "cls":
            return Ref("cls", *callee.args)
        return None

    def _element_type(self, iterable: Value) -> Ref | None:
        """The class in `list[X]`, where a parameter or a field says so."""
        linked, module, annotation = self.engine.linked, -1, NONE
        if iterable.kind == "param":
            module = iterable.args[0]
            annotation = linked.modules[module].functions[iterable.args[1]].params[iterable.args[2]].annotation
        elif iterable.kind == "attr":
            cls = self.type_of(iterable.args[0])
            field = linked.field(cls, iterable.args[1]) if cls is not None and cls.kind == "cls" else None
            module, annotation = (field[0], field[2]) if field else (-1, NONE)
        elif iterable.kind == "result" and iterable.args[0].kind == "fn":
            ref = Ref("fn", *iterable.args[0].args[:2])
            module, annotation = ref.module, linked.function(ref).returns
        if annotation == NONE:
            return None
        term = linked.modules[module].terms[annotation]
        if term[0] != "sub":
            return None
        inner = linked.modules[module].terms[term[2]]
        return linked.expression(module, inner[2][0] if inner[0] == "seq" and inner[2] else term[2])
