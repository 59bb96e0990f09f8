"""What one function does to variables: it counts them up or down, or gives them another value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from anchorlint.python.budget_variables import Place, Variables
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.view import View

GROWING = frozenset({"append", "appendleft", "add"})
SHRINKING = frozenset({"clear", "pop", "popleft", "popitem", "remove", "discard"})
MUTATING = GROWING | SHRINKING | {"update"}


class Write(NamedTuple):
    """What a function does to a place: `step` is +1 or -1 for counting, 0 for a value that replaces what it was.

    `value` is the stored term, -1 for a call that empties; `keyed` says that one entry of a collection is meant;
    `way` is the condition (term, holds) of a conditional value's arm.
    """

    place: Place
    function: Ref
    event: Event
    step: int
    value: int
    keyed: bool = False
    way: tuple[int, bool] | None = None

    @property
    def grows(self) -> bool:
        """Whether a collection grows or a supply shrinks by a call, where no number is counted."""
        return self.event.kind == "call" and self.value == self.event.a


class Writes(Variables):
    """Reads the writes of one program's functions."""

    def written(self, function: Ref) -> Iterator[Write]:
        """The writes of one function to whatever place, in source order."""
        record = self.linked.function(function)
        view = self.program.view(function)
        bound: dict[Any, set[int]] = {}
        cells = {view.terms[e.a][2] for e in record.events if e.kind == "set" and view.terms[e.a][0] == "cell"}
        for event in record.events:
            if event.kind == "bind" and event.a in cells:
                continue  # a shared variable: the store to it has been seen
            if event.kind in ("bind", "set"):
                yield from self._stored(view, function, event, bound.setdefault((event.kind, event.a), set()))
                bound[event.kind, event.a].add(event.b)
            elif event.kind == "call":
                yield from self._mutated(view, function, event)
            elif event.kind == "del" and event.a >= 0:
                place = self.place(view, event.a, owned=False)
                if place is not None:
                    yield Write(place, function, event, 0, -1, keyed=view.terms[event.a][0] == "sub")

    def _stored(self, view: View, function: Ref, event: Event, before: set[int]) -> Iterator[Write]:
        if event.kind == "bind":
            place: Place | None = Place("local", (function.module, function.number), event.a)
        else:
            place = self.place(view, event.a, owned=False)
        if place is None:
            return
        keyed = event.kind == "set" and view.terms[event.a][0] == "sub" and place.kind != "entry"
        for value, way in self._arms(view, event.b):
            step = self._step(view, place, event, value, before)
            if step is not None:
                yield Write(place, function, event, step, value, keyed, way)

    def _arms(self, view: View, value: int) -> Iterator[tuple[int, tuple[int, bool] | None]]:
        """A conditional value's arms; anything else as it is."""
        term = view.terms[value]
        if term[0] == "if" and view.terms[term[1]][0] != "raised":
            yield term[2], (term[1], True)
            yield term[3], (term[1], False)
        else:
            yield value, None

    def _step(self, view: View, place: Place, event: Event, value: int, before: set[int]) -> int | None:
        """+1 or -1 where the value is what the place held and a number more or less, 0 for another value."""
        term = view.terms[value]
        if event.kind == "set" and value == event.a:
            return None
        if term[0] == "loop" and term[1] == event.a or term[0] == "cell" and term[2] == place.name:
            return None  # an arm that keeps what it was
        if term[0] == "bin" and term[1] in "+-":
            for left, right in ((term[2], term[3]), (term[3], term[2])):
                if self._reads(view, place, event, left, before) and self._is_number(view, right):
                    return 1 if term[1] == "+" else -1
        return 0

    def _is_number(self, view: View, term: int) -> bool:
        found = view.terms[term]
        if found[0] == "const":
            return found[1] in ("int", "float")
        return found[0] in ("attr", "name", "param") and found[-1] != "" and self._is_amount(view, found)

    def _is_amount(self, view: View, term: tuple) -> bool:
        """Whether a name stands for a number: a constant of the module, or a parameter with a number as default."""
        if term[0] == "param":
            default = view.facts.functions[term[1]].params[term[2]].default
            return default >= 0 and view.terms[default][:1] == ("const",)
        if term[0] == "name":
            ref = self.linked.name(view.module, term[1])
            return ref.kind == "val" and self.linked.modules[ref.module].terms[ref.number][0] == "const"
        return False

    def _reads(self, view: View, place: Place, event: Event, term: int, before: set[int]) -> bool:
        """Whether a term is what the place held before the write."""
        kind, *rest = view.terms[term]
        if event.kind == "set" and term == event.a or term in before:
            return True
        if kind == "phi":
            return any(self._reads(view, place, event, t, before) for t in rest[0])
        if kind == "if":
            return any(self._reads(view, place, event, t, before) for t in rest[1:])
        if kind == "param":
            return event.kind == "bind" and view.function.params[rest[1]].name == event.a
        read = self.place(view, term, owned=False)
        return read is not None and (read.kind, read.name) == (place.kind, place.name)

    def _copied(self, view: View, function: Ref, event: Event) -> Iterator[Write]:
        """`replace(item, tries=item.tries + 1)` counts in a record that is never changed itself."""
        for name, value in view.terms[event.a][3]:
            term = view.terms[value]
            if not name or term[0] != "bin" or term[1] not in "+-":
                continue
            read = self.place(view, term[2], owned=False)
            if read is not None and read.kind == "field" and read.name == name and self._is_number(view, term[3]):
                yield Write(read, function, event, 1 if term[1] == "+" else -1, value)

    def _mutated(self, view: View, function: Ref, event: Event) -> Iterator[Write]:
        """`faults.append(now)` counts, `faults.clear()` starts anew, `counts.pop(key)` starts one key anew."""
        yield from self._copied(view, function, event)
        callee = view.terms[view.terms[event.a][1]]
        if callee == ("name", "next") and view.terms[event.a][2]:
            supply = self.place(view, view.terms[event.a][2][0], owned=False)
            if supply is not None:
                yield Write(supply, function, event, -1, event.a)
            return
        if callee[0] != "attr" or callee[2] not in MUTATING:
            return
        args = view.terms[event.a][2]
        literal = view.terms[args[0]] if args else ("", "", "")
        if callee[2] == "pop" and literal[:2] == ("const", "str"):
            place: Place | None = Place("entry", None, literal[2])
        else:
            place = self.place(view, callee[1], owned=False)
        if place is None:
            return
        if callee[2] in SHRINKING:
            yield Write(place, function, event, 0, -1, keyed=bool(args))
        elif callee[2] in GROWING:
            yield Write(place, function, event, 1, event.a)
        elif args and view.terms[args[0]][0] in ("seq", "comp") or last_name(view.terms, callee[1]) == place.name:
            yield Write(place, function, event, 1, event.a, keyed=True)
