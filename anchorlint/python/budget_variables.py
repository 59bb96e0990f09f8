"""Variables that may count: which local, field or entry an expression reads or a target stores to."""

from __future__ import annotations

from typing import Any, NamedTuple

from anchorlint.python.budget_types import Types
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.view import View

_SAME = {"int", "float", "abs", "len", "sum", "max", "min", "bool"}


class Place(NamedTuple):
    """A variable that counts: kind is local, field or entry (of a mapping, under a literal key).

    `owner` is the function of a local, the class of a field, None where nothing tells.
    """

    kind: str
    owner: Any
    name: str


class Variables:
    """Tells the places of one program apart."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.types = program.part(Types)

    def same(self, one: Place, two: Place) -> bool:
        """Whether two places of one kind and name may be the same variable."""
        if one.owner == two.owner or one.kind == "entry":
            return True
        if one.kind != "field":
            return False
        if one.owner is None or two.owner is None:
            return True
        return two.owner in self.linked.mro(one.owner) or one.owner in self.linked.mro(two.owner)

    def place(self, view: View, term: int, owned: bool = True) -> Place | None:
        """The place that an expression reads or a target stores to; None where it is none."""
        kind, *rest = view.terms[term]
        if kind == "attr":
            return Place("field", self._owner(view, rest[0]) if owned else None, rest[1])
        if kind == "sub":
            key = view.terms[rest[1]]
            if key[0] == "const" and key[1] == "str":
                return Place("entry", None, key[2])
            return self.place(view, rest[0], owned)
        if kind == "loop":
            return Place("local", (view.module, view.number), rest[0])
        if kind == "cell":
            return Place("local", (view.module, rest[0]), rest[1])
        if kind == "outer":
            outer = view.closure or self.program.engine.view(view.module, rest[0])
            return self.place(outer, rest[1], owned)
        if kind in ("phi", "if"):
            arms = rest[0] if kind == "phi" else rest[1:]
            return next((p for arm in arms if (p := self._variable(view, arm, owned)) is not None), None)
        if kind == "bool" and rest[0] == "or":
            return self.place(view, rest[1][0], owned)
        if kind == "call":
            found = self.called(view, view.terms[term], owned)
            if found is not None:
                return found
        return self._named(view, term) if kind in ("call", "map", "seq") else None

    def _named(self, view: View, term: int) -> Place | None:
        """The local that a collection was made for."""
        names = {e.a for e in view.function.events if e.kind == "bind" and e.b == term}
        return Place("local", (view.module, view.number), names.pop()) if len(names) == 1 else None

    def _variable(self, view: View, term: int, owned: bool) -> Place | None:
        return self.place(view, term, owned) if view.terms[term][0] in ("loop", "cell", "phi", "attr", "sub") else None

    def _owner(self, view: View, base: int) -> Ref | None:
        cls = self.types.of(view.module, view.number, base)
        return cls if cls is not None and cls.kind == "cls" else None

    def called(self, view: View, call: tuple, owned: bool = False) -> Place | None:
        """The place that a call reads: `row.get("tries", 0)`, `getattr(row, "tries", 0)`, `int(row["tries"])`."""
        terms, args = view.terms, call[2]
        callee = terms[call[1]]
        if callee[0] == "attr" and callee[2] in ("get", "pop", "setdefault") and args:
            key = terms[args[0]]
            if key[0] == "const" and key[1] == "str":
                return Place("entry", None, key[2])
            return self.place(view, callee[1], owned)
        if callee[0] == "attr" and callee[2] in ("total", "values"):
            return self.place(view, callee[1], owned)
        if callee == ("name", "getattr") and len(args) > 1 and terms[args[1]][0] == "const":
            return Place("field", self._owner(view, args[0]) if owned else None, str(terms[args[1]][2]))
        if callee[0] == "name" and callee[1] in _SAME and len(args) == 1:
            return self.place(view, args[0], owned)
        return None
