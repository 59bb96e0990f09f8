"""Callees: the functions of the project that a call may run, told from names, annotations and classes alone."""

from __future__ import annotations

from functools import cached_property

from anchorlint.knowledge.words import Words
from anchorlint.python.dispatch import choices, dispatched
from anchorlint.python.facts import NONE, Event
from anchorlint.python.inheritance import overrides, stored_on_self
from anchorlint.python.link import Call, Linked, Ref, last_name
from anchorlint.python.types_of import BUILTIN

MOST_CALLS = 30  #: calls of a common name up to which it still stands for a method of ours
MOST_CLASSES = 6  #: classes that define a method up to which a call by its name may be of any of them
MOST_STEPS = 4  #: fields of fields whose class is looked up
#: receivers whose class is told by their own term, or by nothing that stands in their function
_TOLD = frozenset({"param", "name", "import", "call", "attr", "const", "fstr", "seq", "map"})
_NAME_AT = {"attr": 2, "iter": 3, "loop": 1, "cell": 2, "name": 1, "import": 2}
_ANYTHING = frozenset({"typing.Any", "builtins.object", "builtins.type"})
_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol", "abc.ABC"})


class Callees:
    """Tells for the calls of one program what they may run; more than they do, never less than the evaluator finds."""

    def __init__(self, linked: Linked, words: Words) -> None:
        self.linked = linked
        self._words = words
        self._known: dict[tuple[int, int], tuple[Ref, ...]] = {}
        self._named: dict[str, tuple[Ref, ...]] = {}
        self._stores: dict[Ref, dict[str, list[tuple[Ref, Event]]]] = {}
        self._below: dict[tuple[Ref, str], tuple[Ref, ...]] = {}

    def of(self, module: int, callee: int) -> tuple[Ref, ...]:
        """The functions that a callee's term may stand for."""
        key = (module, callee)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._of(module, callee)
        return found

    def _of(self, module: int, callee: int) -> tuple[Ref, ...]:
        linked = self.linked
        terms = linked.modules[module].terms
        if terms[callee][0] in ("sub", "call"):
            return choices(linked, module, callee)
        ref = linked.expression(module, callee)
        if ref is not None:
            if ref.kind == "fn":
                return (ref,)
            if ref.kind == "cls":
                made = linked.method(ref, "__init__")
                return (made,) if made is not None else ()
            return self._called(last_name(terms, callee)) if ref.kind == "val" else ()
        term = terms[callee]
        if term[0] != "attr":
            return self._called(last_name(terms, callee))
        cls = self._type(module, term[1], MOST_STEPS)
        if cls is None:
            alike = linked.called_like(self._name_of(module, terms[term[1]]), term[2])
            return self._called(term[2]) or (self._methods(alike, term[2]) if alike is not None else ())
        if cls.kind == "cls":
            found = self._methods(cls, term[2])
            return found if found and not self._is_promised(cls) else self._called(term[2])
        return () if cls.kind == "ext" and not self._may_be_ours(cls) else self._called(term[2])

    @cached_property
    def dispatched(self) -> dict[Ref, list[Call]]:
        """The functions that a key chooses out of a table, with the calls that do."""
        return dispatched(self.linked)

    def means(self, module: int, callee: int, function: Ref) -> bool | None:
        """Whether a callee by itself stands for a function; None where only its value tells."""
        ref = self.linked.expression(module, callee)
        if ref is not None and ref.kind != "val":
            return ref == function
        terms, found = self.linked.modules[module].terms, self.of(module, callee)
        term = terms[callee]
        if found:
            return None if function in found and len(found) > 1 else function in found
        if term[0] == "attr" and (terms[term[1]][0] not in _TOLD or not self._is_common(term[2])):
            return None
        return False if term[0] in ("attr", "name", "import") else None

    def _name_of(self, module: int, term: tuple) -> str:
        """The name of a receiver: of the parameter, attribute, variable or element."""
        if term[0] == "param":
            return self.linked.modules[module].functions[term[1]].params[term[2]].name
        return str(term[_NAME_AT[term[0]]]) if term[0] in _NAME_AT else ""

    def _is_common(self, name: str) -> bool:
        return name in self._words["generic"] or name in BUILTIN

    def _type(self, module: int, number: int, steps: int) -> Ref | None:
        """What a receiver is of, where its name, annotation or constructor says so."""
        linked, term = self.linked, self.linked.modules[module].terms[number]
        if term[0] == "param":
            record = linked.modules[module].functions[term[1]]
            param = record.params[term[2]]
            if param.annotation == NONE:
                return Ref("cls", module, record.cls) if term[2] == 0 and record.cls >= 0 else None
            return linked.expression(module, param.annotation)
        if term[0] == "call":
            return self._made(module, term)
        if term[0] == "attr" and steps:
            return self._of_field(self._type(module, term[1], steps - 1), term[2], steps)
        ref = linked.expression(module, number) if term[0] in ("name", "import", "outer") else None
        if ref is not None and ref.kind == "val" and steps and (ref.module, ref.number) != (module, number):
            return self._type(ref.module, ref.number, steps - 1)
        return None

    def _made(self, module: int, call: tuple) -> Ref | None:
        ref = self.linked.expression(module, call[1])
        if ref is None or ref.kind == "cls":
            return ref
        if ref.kind == "fn":
            return self.linked.expression(ref.module, self.linked.function(ref).returns)
        return None

    def _of_field(self, owner: Ref | None, name: str, steps: int) -> Ref | None:
        """What a field of a class is of, by its annotation or by what is stored in it first."""
        if owner is None or owner.kind != "cls":
            return None
        field = self.linked.field(owner, name)
        if field is not None and field[2] != NONE:
            return self.linked.expression(field[0], field[2])
        if owner not in self._stores:
            self._stores[owner] = stored_on_self(self.linked, owner)
        stored = self._stores[owner].get(name)
        return self._type(stored[0][0].module, stored[0][1].b, steps - 1) if stored else None

    def _is_promised(self, cls: Ref) -> bool:
        """Whether a class is a protocol, which others meet without naming it as their base."""
        return any(base.kind == "ext" and base.dotted in _PROTOCOLS for base in self.linked.mro(cls))

    def _may_be_ours(self, outside: Ref) -> bool:
        """Whether an object of a class from outside may be of a class of the project: one below it, or any."""
        return outside.dotted in _ANYTHING or outside in self._outside

    @cached_property
    def _outside(self) -> frozenset[Ref]:
        """The classes from outside that classes of the project name as their bases."""
        return frozenset(base for bases in self.linked.bases.values() for base in bases if base.kind == "ext")

    def _methods(self, cls: Ref, name: str) -> tuple[Ref, ...]:
        """The method of a class and those that override it."""
        key = (cls, name)
        if key not in self._below:
            own = self.linked.method(cls, name)
            self._below[key] = (*((own,) if own is not None else ()), *overrides(self.linked, cls, name))
        return self._below[key]

    def _called(self, name: str) -> tuple[Ref, ...]:
        """The methods of this name, where nothing tells what it is a method of; none where too many things have it."""
        found = self._named.get(name)
        if found is None:
            found = self._named[name] = self._by_name(name)
        return found

    def _by_name(self, name: str) -> tuple[Ref, ...]:
        classes = self.linked.methods.get(name, ())
        if len(classes) > MOST_CLASSES or (self._is_common(name) and len(self.linked.calls.get(name, ())) > MOST_CALLS):
            return ()
        return tuple(Ref("fn", cls.module, dict(self.linked.cls(cls).methods)[name]) for cls in classes)
