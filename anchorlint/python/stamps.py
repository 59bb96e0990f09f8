"""Stamps: the writes of a unit that give a field the time of now, looked for where the source names a clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.python.facts import Event
from anchorlint.python.fences import Fence
from anchorlint.python.fieldnames import stamp
from anchorlint.python.link import Ref, last_name
from anchorlint.python.terms import made_of
from anchorlint.python.timely import Timely
from anchorlint.python.view import View
from anchorlint.python.writes import VERBS, Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class _Stamping(NamedTuple):
    """A write that may keep a reading of a clock; `name` is the field, None where only its value tells."""

    event: Event
    name: str | None


class Stamps:
    """Finds stamps; one for a program."""

    def __init__(self, program: Program) -> None:
        self.linked = program.linked
        self.timely = program.part(Timely)
        self.writes = program.part(Writes)
        self.relevance = program.relevance
        self._stores: dict[Ref, set[str]] = {}
        self._stampings: dict[int, dict[int, list[_Stamping]]] = {}
        self._around: dict[tuple[int, str], list[Touch]] = {}

    def around(self, fence: Fence, field: str) -> list[Touch]:
        """The writes of a unit that give a field the time of now, or now and a while."""
        key = (fence.module, field)
        found = self._around.get(key)
        if found is None:
            found = self._around[key] = list(self._of(fence, field))
        return found

    def _of(self, fence: Fence, field: str) -> Iterator[Touch]:
        for view in fence.views:
            for stamping in self._in(view.module).get(view.number, ()):
                if stamping.name in (None, field) and self._may_have(view, stamping.event, field):
                    yield from (t for t in self.writes.at(view, stamping.event) if is_stamp(t, field))

    def _in(self, module: int) -> dict[int, list[_Stamping]]:
        """The writes of a module whose value may stand on a clock, by function: no other can be a stamp."""
        found = self._stampings.get(module)
        if found is None:
            found = self._stampings[module] = {}
            for number, record in enumerate(self.linked.modules[module].functions):
                for event in record.events:
                    if event.kind in ("set", "call") and self._keeps(module, event):
                        found.setdefault(number, []).append(_Stamping(event, self._name(module, event)))
        return found

    def _keeps(self, module: int, event: Event) -> bool:
        terms = self.linked.modules[module].terms
        if event.kind == "set":
            return self._is_marked(module, event.b)
        _, callee, args, kwargs, *_ = terms[event.a]
        name = last_name(terms, callee)
        if name not in VERBS and not (name[:1].isupper() and self._is_ours(module, callee)):
            return False
        given = (*args, *(number for _, number in kwargs))
        return event.a in self.timely.marks(module) or any(self._is_marked(module, n) for n in made_of(terms, given))

    def _is_ours(self, module: int, callee: int) -> bool:
        """Whether what is called may be a class of the project: of no other the fields are known."""
        ref = self.linked.expression(module, callee)
        return ref is None or ref.kind != "ext"

    def _is_marked(self, module: int, number: int) -> bool:
        return number in self.timely.marks(module) or self.relevance.is_marked(module, number)

    def _may_have(self, view: View, event: Event, field: str) -> bool:
        """Whether the class of what is built has such a field; anything else may."""
        callee = view.terms[event.a][1] if event.kind == "call" else -1
        ref = self.linked.expression(view.module, callee) if callee >= 0 else None
        if ref is None or ref.kind != "cls":
            return True
        if self.linked.field(ref, field) is not None:
            return True
        return any(field in self._stored_in(base) for base in self.linked.mro(ref) if base.kind == "cls")

    def _stored_in(self, cls: Ref) -> set[str]:
        """The attributes that the methods of a class store."""
        found = self._stores.get(cls)
        if found is None:
            facts = self.linked.modules[cls.module]
            events = [e for _, number in self.linked.cls(cls).methods for e in facts.functions[number].events]
            targets = [facts.terms[event.a] for event in events if event.kind == "set"]
            found = self._stores[cls] = {str(target[2]) for target in targets if target[0] == "attr"}
        return found

    def _name(self, module: int, event: Event) -> str | None:
        if event.kind == "call":
            return None
        terms = self.linked.modules[module].terms
        target = terms[event.a]
        if target[0] == "attr":
            return str(target[2])
        key = terms[target[2]] if target[0] == "sub" else ("",)
        return str(key[2]) if key[:2] == ("const", "str") else None


def is_stamp(touch: Touch, field: str) -> bool:
    """Whether a write gives a field the time of now, or now and a while."""
    return any(name == field and stamp(value) is not None for name, value in touch.fields)
