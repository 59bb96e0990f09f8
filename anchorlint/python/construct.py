"""Instances: what a constructor call fills in, and what a class always stores under a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.domain.linear import Role
from anchorlint.python.facts import NONE, Event
from anchorlint.python.inheritance import stored_on_self
from anchorlint.python.link import Ref
from anchorlint.python.value import Value
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

MOST_SITES = 4  #: constructor calls that are asked for an argument
_RECORDS = {"typing.NamedTuple", "pydantic.BaseModel", "pydantic_settings.BaseSettings", "pydantic.BaseSettings",
            "msgspec.Struct", "typing.TypedDict", "sqlmodel.SQLModel"}  # fmt: skip
_RECORD_DECORATORS = {"dataclasses.dataclass", "attr.s", "attr.attrs", "attrs.define", "attrs.frozen", "attr.define",
                      "attrs.mutable", "pydantic.dataclasses.dataclass"}  # fmt: skip
_CHOICES = ("TextChoices", "IntegerChoices")
_FILLED = {"dict", "set", "list", "OrderedDict", "defaultdict", "deque", "Counter", "SortedDict", "SortedList",
           "WeakValueDictionary", "SortedSet"}  # fmt: skip
_FIELDS = {"dataclasses.field", "pydantic.Field", "attr.ib", "attrs.field", "msgspec.field", "attr.attrib"}


class Construct:
    """Knows what instances of the project's classes hold."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self._fields: dict[tuple[Ref, str, bool], Value | None] = {}
        self._stores: dict[Ref, dict[str, list[tuple[Ref, Event]]]] = {}
        self._init_stores: dict[Ref, tuple[tuple[str, int], ...]] = {}
        self._enums: dict[Ref, bool] = {}
        self._records: dict[Ref, bool] = {}
        self._record_fields: dict[Ref, list[tuple[str, int, int, int]]] = {}
        self._defaults: dict[tuple[int, int], Value] = {}

    # classes

    def is_enum(self, cls: Ref) -> bool:
        """Whether a class is an enumeration."""
        found = self._enums.get(cls)
        if found is None:
            outside = [ref.dotted for ref in self.engine.linked.mro(cls)]
            found = self._enums[cls] = any(
                dotted.startswith("enum.") or dotted.rpartition(".")[2] in _CHOICES for dotted in outside
            )
        return found

    def is_record(self, cls: Ref) -> bool:
        """Whether a class takes its fields as constructor arguments."""
        found = self._records.get(cls)
        if found is None:
            found = self._records[cls] = any(self._makes_record(ref) for ref in self.engine.linked.mro(cls))
        return found

    def _makes_record(self, ref: Ref) -> bool:
        linked = self.engine.linked
        if ref.kind != "cls":
            return ref.dotted in _RECORDS
        for number in linked.cls(ref).decorators:
            term = linked.modules[ref.module].terms[number]
            found = linked.expression(ref.module, term[1] if term[0] == "call" else number)
            if found is not None and found.dotted in _RECORD_DECORATORS:
                return True
        return False

    def record_fields(self, cls: Ref) -> list[tuple[str, int, int, int]]:
        """The annotated fields of a record in constructor order: name, module, default term, annotation."""
        fields = self._record_fields.get(cls)
        if fields is None:
            linked, found = self.engine.linked, {}
            for ref in reversed([r for r in linked.mro(cls) if r.kind == "cls"]):
                for name, value, annotation, _ in linked.cls(ref).fields:
                    if annotation != NONE:
                        found[name] = (name, ref.module, value, annotation)
            fields = self._record_fields[cls] = list(found.values())
        return fields

    def taken_by_place(self, cls: Ref) -> int:
        """How many fields a record takes by their place; 0 for a class that is none or has its own constructor."""
        if not self.is_record(cls) or self.engine.linked.method(cls, "__init__") is not None:
            return 0
        return len(self.record_fields(cls))

    # constructor calls

    def instance(self, cls: Ref, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...]) -> Value:
        """What `Class(…)` makes."""
        engine = self.engine
        made = engine.values("cls", cls.module, cls.number)
        init = engine.linked.method(cls, "__init__")
        if init is not None:
            return engine.values("obj", made, self._by_init(init, args, kwargs))
        if not self.is_record(cls):
            return engine.values("obj", made, tuple((f"args[{i}]", a) for i, a in enumerate(args)))
        given = dict(kwargs)
        fields = []
        for position, (name, module, default, _) in enumerate(self.record_fields(cls)):
            if position < len(args):
                fields.append((name, args[position]))
            elif name in given:
                fields.append((name, given[name]))
            elif "**" in given:
                fields.append((name, engine.values("item", given["**"], engine.values("str", name))))
            elif default != NONE:
                fields.append((name, self._given_by_default(module, default)))
        return engine.values("obj", made, tuple(fields))

    def _given_by_default(self, module: int, default: int) -> Value:
        found = self._defaults.get((module, default))
        if found is None:
            owner = self.engine.view(module, 0)
            found = self.default(owner.value(default), owner)
            if self.engine.fuel > 0:
                self._defaults[module, default] = found
        return found

    def _by_init(
        self, init: Ref, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...]
    ) -> tuple[tuple[str, Value], ...]:
        engine = self.engine
        bound = engine.calls.bind(init, (engine.values.none, *args), kwargs)
        if bound is None:
            return ()
        view = engine.view(init.module, init.number, (None, *bound[1:]))
        return tuple((name, view.value(term)) for name, term in self._stored_by_init(init))

    def _stored_by_init(self, init: Ref) -> tuple[tuple[str, int], ...]:
        found = self._init_stores.get(init)
        if found is None:
            facts = self.engine.linked.modules[init.module]
            own = ("param", init.number, 0)
            stores = {}
            for event in facts.functions[init.number].events:
                if event.kind == "set" and facts.terms[event.a][0] == "attr":
                    _, base, name = facts.terms[event.a]
                    if facts.terms[base] == own:
                        stores[name] = event.b
            found = self._init_stores[init] = tuple(stores.items())
        return found

    def default(self, value: Value, view: View) -> Value:
        """A field's default: what `field(default=…)` or `field(default_factory=…)` gives."""
        if value.kind == "result" and value.args[0].kind == "ext" and value.args[0].args[0] in _FIELDS:
            given = dict(value.args[2])
            if "default" in given:
                return given["default"]
            factory = given.get("default_factory") or given.get("factory")
            if factory is not None:
                return self.engine.calls.call(factory, (), (), (view.module, 0, 0, 0, 0), view)
            return value.args[1][0] if value.args[1] else value
        return value

    # what a field always holds

    def stores(self, cls: Ref) -> dict[str, list[tuple[Ref, Event]]]:
        """Each attribute that the methods of a class and its bases store on self, with those stores."""
        found = self._stores.get(cls)
        if found is None:
            found = self._stores[cls] = stored_on_self(self.engine.linked, cls)
        return found

    def field(self, cls: Ref, name: str, own: bool) -> Value | None:
        """What every instance holds under a field; None where it differs or is not known."""
        key = (cls, name, own)
        if key not in self._fields:
            self._fields[key] = None  # a field that hangs on itself
            self._fields[key] = self._field(cls, name, own)
        return self._fields[key]

    def is_column(self, cls: Ref, name: str) -> bool:
        """Whether a field is declared as a column: `mapped_column(…)`, `models.DateTimeField(…)`, `Mapped[…]`."""
        linked = self.engine.linked
        field = linked.field(cls, name)
        if field is None or all(r.kind == "cls" or r.dotted == "builtins.object" for r in linked.mro(cls)):
            return False
        terms = linked.modules[field[0]].terms
        if field[2] != NONE and terms[field[2]][0] == "sub":
            outer = linked.expression(field[0], terms[field[2]][1])
            if outer is not None and outer.dotted.rpartition(".")[2] == "Mapped":
                return True
        if field[1] == NONE or terms[field[1]][0] != "call":
            return False
        made = linked.expression(field[0], terms[field[1]][1])
        return made is not None and made.kind == "ext" and made.dotted not in _FIELDS

    def _field(self, cls: Ref, name: str, own: bool) -> Value | None:
        engine = self.engine
        if self.is_column(cls, name):
            return None
        stores = self.stores(cls).get(name, [])
        if not stores:
            field = engine.linked.field(cls, name)
            if field is None or field[1] == NONE:
                return None
            value = engine.attributes._default(cls, name, field)
            return value if self._settled(value, own=False) else None
        if len({event.b for _, event in stores}) != 1 or len({method for method, _ in stores}) != 1:
            return None
        method, event = stores[0]
        term = engine.linked.modules[method.module].terms[event.b]
        if term[0] == "param" and term[1] == method.number:
            return self._given(cls, method, term[2], name, own)
        value = engine.view(method.module, method.number).value(event.b)
        text = f"{engine.linked.cls(cls).name}.{name}"
        value = engine.names.named(value, text, method.module, event.line)
        return value if self._settled(value, own) else None

    def _settled(self, value: Value, own: bool) -> bool:
        """Whether a stored value can stand for the field: a number, function or outside object; own clock readings."""
        if value.kind == "lin":
            return value.args[1].number is not None or (own and bool(value.args[1].of_role(Role.NOW)))
        if value.kind == "result":
            return value.args[0].kind in ("ext", "cls") and str(value.args[0].args[0]).rpartition(".")[2] not in _FILLED
        if value.kind in ("map", "seq") and not value.args[-1]:
            return False  # what begins empty is filled later
        return value.kind in ("fn", "cls", "ext", "partial", "str", "obj", "map", "seq")

    def _given(self, cls: Ref, method: Ref, position: int, name: str, own: bool) -> Value | None:
        """What a constructor parameter stands for: the same argument at every call, else the default's number."""
        engine = self.engine
        record = engine.linked.function(method).params[position]
        arguments = self.arguments(cls, method, position) if engine.linked.function(method).name == "__init__" else []
        if arguments and all(a is arguments[0] for a in arguments) and self._settled(arguments[0], own=False):
            return arguments[0]
        itself = engine.parameter(method.module, method.number, position, record.name)
        if not arguments and itself.kind == "lin":
            return itself if self._settled(itself, own) else None
        if record.default == NONE or (arguments and any(a.kind == "param" for a in arguments)):
            return None
        owner = engine.view(method.module, 0)
        value = owner.value(record.default)
        text = f"{engine.linked.cls(cls).name}.{name}"
        value = engine.names.named(value, text, method.module, engine.linked.function(method).line, "default")
        return value if self._settled(value, own=False) else None

    def arguments(self, cls: Ref, init: Ref, position: int) -> list[Value]:
        """The arguments that the project's constructor calls give for one parameter."""
        engine, found = self.engine, []
        for call in engine.linked.calls.get(engine.linked.cls(cls).name, ())[: 2 * MOST_SITES]:
            facts = engine.linked.modules[call.module]
            term = facts.terms[call.event.a]
            if engine.linked.expression(call.module, term[1]) != cls:
                continue
            view = engine.view(call.module, call.function)
            args = tuple(view.value(n) for n in term[2] if facts.terms[n][0] != "star")
            kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
            bound = engine.calls.bind(init, (engine.values.none, *args), kwargs)
            if bound is not None and position < len(bound):
                given = bound[position]
                found.append(given if given is not None else engine.values("unknown", call.module, call.event.line, 1))
        return found[:MOST_SITES]

    def stored_type(self, cls: Ref, name: str) -> Ref | None:
        """The class of what is stored under a field: a typed parameter or a constructor call."""
        for method, event in self.stores(cls).get(name, ())[:1]:
            value = self.engine.view(method.module, method.number).value(event.b)
            return self.engine.attributes.type_of(value)
        return None
