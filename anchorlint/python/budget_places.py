"""Where budgets are kept: every place that the program counts up or down, and every write that starts it anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from anchorlint.python.budget_types import Types
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

_GROWING = {"append", "appendleft", "add"}
_SHRINKING = {"clear", "pop", "popleft", "popitem", "remove", "discard"}
_SAME = {"int", "float", "abs", "len", "sum", "max", "min", "bool"}


class Place(NamedTuple):
    """A variable that counts: kind is local, field or entry (of a mapping, under a literal key).

    `owner` is the function of a local, the class of a field, None where nothing tells.
    """

    kind: str
    owner: Any
    name: str


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


class Places:
    """Every write to a place that is counted somewhere in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.types = program.part(Types)

    @cached_property
    def writes(self) -> dict[tuple[str, str], tuple[Write, ...]]:
        """Each (kind, name) with the writes to places of that name, for names that are counted."""
        found: dict[tuple[str, str], list[Write]] = {}
        for module, facts in enumerate(self.linked.modules):
            if module in self.program.tests and not self.program.include_tests:
                continue
            for number in range(len(facts.functions)):
                for write in self._of(Ref("fn", module, number)):
                    found.setdefault((write.place.kind, write.place.name), []).append(write)
        counted = {key: all_ for key, all_ in found.items() if any(w.step for w in all_)}
        return {key: tuple(map(self._owned, all_)) for key, all_ in counted.items()}

    def _owned(self, write: Write) -> Write:
        """The write with the class that its field belongs to: worked out only for names that are counted."""
        if write.place.kind != "field":
            return write
        view = self.program.view(write.function)
        target = write.event.a
        if write.event.kind == "call" and not write.grows and write.value >= 0:
            target = view.terms[write.value][2]
        elif write.event.kind == "call":
            callee = view.terms[view.terms[target][1]]
            target = callee[1] if callee[0] == "attr" else view.terms[target][2][0]
        place = self.place(view, target)
        return write._replace(place=place) if place is not None and place.name == write.place.name else write

    @cached_property
    def counted(self) -> dict[tuple[int, int], Write]:
        """Each (module, term) that is a place counted on, with its write."""
        return {(w.function.module, w.value): w for all_ in self.writes.values() for w in all_ if w.step}

    def of(self, place: Place) -> tuple[Write, ...]:
        """The writes to one place."""
        return tuple(w for w in self.writes.get((place.kind, place.name), ()) if self.same(w.place, place))

    def same(self, one: Place, two: Place) -> bool:
        """Whether two places of one kind and name may be the same variable."""
        if one.owner == two.owner or one.kind == "entry":
            return True
        if one.kind != "field":
            return False
        if one.owner is None or two.owner is None:
            return True
        return two.owner in self.linked.mro(one.owner) or one.owner in self.linked.mro(two.owner)

    # reading

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
            found = self._called(view, rest, owned)
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

    def _called(self, view: View, rest: list[Any], owned: bool) -> Place | None:
        """`row.get("tries", 0)`, `getattr(row, "tries", 0)`, `int(row["tries"])`."""
        terms, args = view.terms, rest[1]
        callee = terms[rest[0]]
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

    # writes

    def _of(self, function: Ref) -> Iterator[Write]:
        record = self.linked.function(function)
        if not any(e.kind in ("set", "bind", "call", "del") for e in record.events):
            return
        self.program.engine.ask(f"{self.linked.modules[function.module].path}:{record.line} {record.qualname}")
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
        if callee[0] != "attr" or callee[2] not in _GROWING | _SHRINKING | {"update"}:
            return
        args = view.terms[event.a][2]
        literal = view.terms[args[0]] if args else ("", "", "")
        if callee[2] == "pop" and literal[:2] == ("const", "str"):
            place: Place | None = Place("entry", None, literal[2])
        else:
            place = self.place(view, callee[1], owned=False)
        if place is None:
            return
        if callee[2] in _SHRINKING:
            yield Write(place, function, event, 0, -1, keyed=bool(args))
        elif callee[2] in _GROWING:
            yield Write(place, function, event, 1, event.a)
        elif args and view.terms[args[0]][0] in ("seq", "comp") or last_name(view.terms, callee[1]) == place.name:
            yield Write(place, function, event, 1, event.a, keyed=True)
