"""Unseen: what a remembered value is before anything was seen, and whether a new observation can be the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE
from anchorlint.python.link import Ref
from anchorlint.python.outcome_terms import inside
from anchorlint.python.value import Value
from anchorlint.python.view import View


class Unseen:
    """Knows the first values of one program's fields and variables."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def first(self, view: View, number: int) -> tuple[Value, ...] | None:
        """What a remembered value is before anything was seen; None where it is no such value."""
        term = view.terms[number]
        if term[0] == "loop":
            value = view.value(term[2])
            return (value,) if self._is_never(value) else None
        if term[0] == "attr":
            return self._first_of_field(view, term)
        if term[0] == "cell":
            return self._first_of_cell(view, term)
        if term[0] == "call":
            return self._first_of_lookup(view, term)
        return None

    def _is_never(self, value: Value, depth: int = 0) -> bool:
        """Whether a value is one that stands for "nothing seen yet"."""
        if value.kind in ("none", "false"):
            return True
        if value.kind == "str":
            return not value.args[0]
        if value.kind == "lin":
            return value.args[1].number in (0.0, -1.0)
        if value.kind in ("seq", "map"):
            return not value.args[-1]
        return (
            value.kind == "obj"
            and depth < 2
            and bool(value.args[1])
            and all(self._is_never(v, depth + 1) for _, v in value.args[1])
        )

    def _first_of_lookup(self, view: View, term: tuple) -> tuple[Value, ...] | None:
        callee = view.terms[term[1]]
        if callee[0] != "attr" or callee[2] not in ("get", "pop") or not term[2]:
            return None
        if len(term[2]) == 1:
            return (self.engine.values.none,)
        value = view.value(term[2][1])
        return (value,) if self._is_never(value) else None

    def _first_of_cell(self, view: View, term: tuple) -> tuple[Value, ...] | None:
        facts = view.facts
        for event in facts.functions[term[1]].events:
            if event.kind == "bind" and event.a == term[2]:
                value = self.engine.view(view.module, term[1]).value(event.b)
                return (value,) if self._is_never(value) else None
        return None

    def _first_of_field(self, view: View, term: tuple) -> tuple[Value, ...] | None:
        owner = self.engine.attributes.type_of(view.value(term[1]))
        classes = [owner] if owner is not None and owner.kind == "cls" else self._with_field.get(term[2], [])
        if not classes or len(classes) > 2:
            return None
        for cls in classes:
            values = [v for v in self._initial(cls, term[2]) if self._is_never(v)]
            if values:
                return tuple(values)
        return None

    @cached_property
    def _with_field(self) -> dict[str, list[Ref]]:
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.engine.linked.modules):
            for number, cls in enumerate(facts.classes):
                for name, *_ in cls.fields:
                    found.setdefault(name, []).append(Ref("cls", module, number))
        return found

    def _initial(self, cls: Ref, name: str) -> Iterator[Value]:
        engine = self.engine
        for method, event in engine.attributes.construct.stores(cls).get(name, ()):
            if engine.linked.function(method).name in ("__init__", "__post_init__", "setup", "__attrs_post_init__"):
                yield engine.view(method.module, method.number).value(event.b)
        field = engine.linked.field(cls, name)
        if field is not None and field[1] != NONE:
            owner = engine.view(field[0], 0)
            yield engine.attributes.construct.default(owner.value(field[1]), owner)

    def is_remembered(self, view: View, kept: int, seen: int) -> bool:
        """Whether one side of a comparison is what was seen before, and the other what is seen now."""
        if self.stored_here(view, kept, seen):
            return True
        term = view.terms[kept]
        return term[0] == "attr" and not self.stored_here(view, seen, kept) and self._is_stored_elsewhere(view, term)

    def stored_here(self, view: View, kept: int, seen: int) -> bool:
        """Whether a function stores what is seen now as what will be remembered."""
        term = view.terms[kept]
        for event in view.function.events:
            local = event.kind == "bind" and term[0] == "loop" and event.a == term[1]
            field = event.kind == "set" and (event.a == kept or self._is_entry(view, term, event.a))
            if (local or field) and seen in set(inside(view.facts, event.b, 20)):
                return True
        return False

    def _is_entry(self, view: View, term: tuple, target: int) -> bool:
        place = view.terms[target]
        if term[0] != "call" or place[0] != "sub":
            return False
        return view.terms[term[1]][1] == place[1] and term[2][0] == place[2]

    def _is_stored_elsewhere(self, view: View, term: tuple) -> bool:
        """Whether another function of the module stores something observed in a field of this name."""
        facts = view.facts
        for record in facts.functions:
            if record is view.function or record.name == "__init__":
                continue
            for event in record.events:
                if event.kind != "set" or facts.terms[event.a][0] != "attr" or facts.terms[event.a][2] != term[2]:
                    continue
                if facts.terms[event.b][0] in ("param", "call", "iter", "idx", "sub", "attr"):
                    return True
        return False

    def may_be(self, view: View, number: int, first: Value) -> bool:
        """Whether what is seen now may be that very value too."""
        value = view.value(number)
        if self._has_arm(value, first, 0):
            return True
        term = view.terms[number]
        if first.kind == "obj":
            owner = self.engine.attributes.type_of(value)
            return owner is not None and owner.kind == "cls" and owner[:3] == ("cls", *first.args[0].args)
        if term[0] == "call":
            callee = view.terms[term[1]]
            if callee[0] == "attr" and callee[2] in ("get", "pop") and term[2]:
                default = view.value(term[2][1]) if len(term[2]) > 1 else self.engine.values.none
                return default is first
        if first.kind == "none":
            return self._is_optional(view, number, value)
        return False

    def _has_arm(self, value: Value, first: Value, depth: int) -> bool:
        if value is first:
            return True
        if value.kind in ("case", "phi") and depth < 4:
            arms = [arm[1] if value.kind == "case" else arm for arm in value.args[0]]
            return any(self._has_arm(arm, first, depth + 1) for arm in arms)
        return False

    def _is_optional(self, view: View, number: int, value: Value) -> bool:
        """Whether an annotation says that a parameter, a field or an answer may be None."""
        engine = self.engine
        if value.kind == "param":
            record = engine.linked.modules[value.args[0]].functions[value.args[1]]
            return self._allows_none(value.args[0], record.params[value.args[2]].annotation)
        if value.kind == "result" and value.args[0].kind == "fn":
            ref = Ref("fn", *value.args[0].args[:2])
            return self._allows_none(ref.module, engine.linked.function(ref).returns)
        if value.kind == "attr":
            owner = engine.attributes.type_of(value.args[0])
            field = engine.linked.field(owner, value.args[1]) if owner is not None and owner.kind == "cls" else None
            return field is not None and self._allows_none(field[0], field[2])
        return False

    def _allows_none(self, module: int, annotation: int) -> bool:
        if annotation == NONE:
            return False
        facts = self.engine.linked.modules[module]
        for one in inside(facts, annotation, 20):
            term = facts.terms[one]
            if term[:2] == ("const", "NoneType") or "Optional" in term:
                return True
        return False
