"""Clamps: the later of an instant that an item needs and one that slides with now, and what becomes of the gap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event
from anchorlint.python.fieldnames import WALL, field_of
from anchorlint.python.laterof import LaterOf, LaterOfTwo
from anchorlint.python.link import last_name
from anchorlint.python.noticed import Noticed
from anchorlint.python.outside import parts_of
from anchorlint.python.terms import made_of
from anchorlint.python.units import called
from anchorlint.python.value import Value
from anchorlint.python.view import View
from anchorlint.python.writes import Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

MOST_CALLERS = 6
_RESUMES = frozenset({"cursor", "bookmark", "checkpoint", "last", "newest", "latest", "resume", "watermark", "saved",
                      "since", "position", "offset", "interval", "logical", "synced", "processed",
                      "imported"})  # fmt: skip
_DONE = frozenset({"insert", "write", "save", "put", "add", "upsert", "store", "record", "commit", "load", "update",
                   "set", "publish", "send", "emit", "merge", "copy", "import", "replace"})  # fmt: skip
_FIXED = frozenset({"const", "fstr", "seq", "map", "comp", "cmp", "def", "classdef"})  #: neither an item nor now


class Clamp(NamedTuple):
    """`item` (with `margin` added) is lifted to `floor`, which slides; `at` is the place in `module`."""

    item: Atom
    margin: Linear
    floor: Linear
    module: int
    at: tuple[int, int, int, int]
    inner: tuple[int, tuple[int, int, int, int]] | None
    field: str | None

    @property
    def named(self) -> str:
        """What the item is called: its path, or the field that a call answers with."""
        return self.field if self.field and "…" in self.item.text else self.item.text


class Clamps:
    """Finds clamps that nobody records; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.writes = program.part(Writes)
        self.relevance = program.relevance
        self.places = LaterOfTwo(program.linked)
        self.noticed = Noticed(program.engine)

    def of(self, module: int) -> Iterator[Clamp]:
        """The clamps of a module's functions, one for each place that is to be reported."""
        for term in self.places.within(module, self._slides):
            view = self.engine.view(module, term.function)
            self.engine.ask(f"clamps {view!r}")
            yield from self._judged(view, term)

    def _slides(self, module: int, sides: tuple[int, int]) -> bool:
        """Whether one of the sides may slide with now, told by names before anything is evaluated."""
        terms = self.program.linked.modules[module].terms
        if any(terms[number][0] in _FIXED for number in sides):
            return False
        return any(self._may_slide(module, number) for number in sides)

    def _may_slide(self, module: int, number: int) -> bool:
        term = self.program.linked.modules[module].terms[number]
        if term[0] in ("name", "import"):
            ref = self.program.linked.expression(module, number)
            return ref is not None and ref.kind == "val" and self.relevance.is_moment(ref.module, ref.number)
        return self.relevance.is_moment(module, number)

    # verdict

    def _judged(self, view: View, term: LaterOf) -> Iterator[Clamp]:
        own = self._clamped(view, term)
        if own is not None and not self._is_given(view, own[0]):
            self.writes.of(view)  # tells where the rows of queries come from
            around = [view, *(v for v, _, _ in self._callers(view))]
            if self._is_wanted(view, own, around) and self.noticed.is_silent(around, own, term):
                yield Clamp(*own, view.module, self._lifted_at(view, term), None, self._field(own))
            return
        if not self._may_be_clamped(view, term):
            return
        for caller, event, inner in self._callers(view):
            found = self._clamped(inner, term)
            around = [inner, caller]
            if found:
                self.writes.of(view)
            if found and self._is_wanted(caller, found, around) and self.noticed.is_silent(around, found, term):
                if own is None and not self._is_given_at(view, inner, term, found[0]):
                    yield Clamp(*found, view.module, self._lifted_at(view, term), None, self._field(found))
                    return
                at = (event.line, event.column, event.end_line, event.end_column)
                yield Clamp(*found, caller.module, at, (view.module, term.place), self._field(found))

    def _clamped(self, view: View, term: LaterOf) -> tuple[Atom, Linear, Linear] | None:
        """The item, its margin, and the floor, if one side hangs on an item and the other slides with now."""
        sides = [self.engine.arithmetic.linear(_plain(view.value(n))) for n in term.sides]
        if sides[0] is None or sides[1] is None:
            return None
        for one, other in ((sides[0][1], sides[1][1]), (sides[1][1], sides[0][1])):
            if not _is_item(one) or not _is_floor(other):
                continue
            if term.test >= 0 and not self._is_lifted(view, term, one, other):
                continue
            item, now = one.of_role(Role.ITEM)[0][0], other.of_role(Role.NOW)[0][0]
            return item, one.without(item), other.without(now)
        return None

    def _may_be_clamped(self, view: View, term: LaterOf) -> bool:
        """Whether an argument can make one side an item and the other a floor: what is given none stays as it is."""
        forms, given = [], []
        for side in term.sides:
            handed = any(view.terms[n][0] in ("param", "outer") for n in made_of(view.terms, (side,)))
            form = None if handed else self.engine.arithmetic.linear(_plain(view.value(side)))
            given.append(handed)
            forms.append(None if form is None else form[1])
        items = [handed or (form is not None and _is_item(form)) for form, handed in zip(forms, given, strict=True)]
        floors = [handed or (form is not None and _is_floor(form)) for form, handed in zip(forms, given, strict=True)]
        return any(given) and ((items[0] and floors[1]) or (items[1] and floors[0]))

    def _is_lifted(self, view: View, term: LaterOf, item: Linear, floor: Linear) -> bool:
        """Whether a branch compares the very two values, and takes the later one."""
        test = view.terms[term.test]
        left, right = (self.engine.arithmetic.linear(_plain(view.value(n))) for n in (test[2], test[3]))
        chosen = self.engine.arithmetic.linear(_plain(view.value(term.sides[0])))
        if left is None or right is None or chosen is None:
            return False
        greater = left[1] if test[1] in (">", ">=") else right[1]
        return {left[1], right[1]} == {item, floor} and chosen[1] == greater

    def _is_given(self, view: View, item: Atom) -> bool:
        """Whether the item is no more than what the caller hands in."""
        return isinstance(item.key, Value) and item.key.kind == "param" and not self._is_resume_name(item.text)

    def _is_given_at(self, view: View, inner: View, term: LaterOf, item: Atom) -> bool:
        """Whether the side that is the item in a call is a bare parameter of the function."""
        for number in term.sides:
            form = self.engine.arithmetic.linear(_plain(inner.value(number)))
            if form is not None and item in form[1].terms:
                return view.value(number).kind == "param"
        return False

    def _callers(self, view: View) -> list[tuple[View, Event, View]]:
        found = []
        for call in self.program.linked.calls.get(view.function.name, ())[: 4 * MOST_CALLERS]:
            if call.module in self.program.tests:
                continue
            caller = self.engine.view(call.module, call.function)
            inner = called(caller, call.event)
            if inner is not None and (inner.module, inner.number) == (view.module, view.number):
                found.append((caller, call.event, inner))
        return found[:MOST_CALLERS]

    def _field(self, found: tuple[Atom, Linear, Linear]) -> str | None:
        key = found[0].key
        return field_of(key, self.writes.queries) if isinstance(key, Value) else None

    def _lifted_at(self, view: View, term: LaterOf) -> tuple[int, int, int, int]:
        """The statement in a branch that takes the floor, else the place of the clamp."""
        for event in view.events("bind") if term.test >= 0 else ():
            frame = view.facts.chains[event.chain]
            if frame[1] == "test" and frame[2] == term.test and event.b in term.sides:
                return (event.line, event.column, event.end_line, event.end_column)
        return term.place

    # what is wanted

    def _is_wanted(self, view: View, found: tuple[Atom, Linear, Linear], around: list[View]) -> bool:
        """Whether the item's side is what has to be covered: a margin before it, or where the last run ended."""
        item, margin, _ = found
        number = margin.number
        if (number is not None and number < 0) or (number is None and margin.terms):
            return self._is_done(around)
        key = item.key
        if not isinstance(key, Value):
            return False
        return (self._is_resume_name(item.text) or self._is_moved(around, key)) and self._is_done(around)

    def _is_resume_name(self, text: str) -> bool:
        spelled = set(parts(text.rpartition(".")[2]))
        return bool(_RESUMES & spelled) and not {"created", "first", "login"} & spelled

    def _is_moved(self, around: list[View], key: Value) -> bool:
        """Whether the place that the item was read from is written again where the clamp is used."""
        name = field_of(key, self.writes.queries)
        fetched = self.writes.queries.fetched
        inner = [p for part in parts_of(key) for p in (part, *(parts_of(fetched[part]) if part in fetched else ()))]
        constants = {p.args[0] for p in inner if p.kind == "str" and len(p.args[0]) > 2}
        for view in around:
            for touch in self.writes.of(view):
                if name and any(n == name for n, _ in touch.fields):
                    return True
                if touch.record and f" {touch.record} " in f" {' '.join(_tables(constants))} ":
                    return True
            for event in view.events("call"):
                if self._writes(view, event):
                    given = {view.terms[n][2] for n in view.terms[event.a][2] if view.terms[n][:2] == ("const", "str")}
                    if len(given & constants) > 0:
                        return True
        return False

    def _is_done(self, around: list[View]) -> bool:
        """Whether something is kept that says that the range was read."""
        return any(
            t.base.kind != "param" or t.kind != "update" or t.view.function.name != "__init__"
            for view in around
            for t in self.writes.of(view)
            if t.kind != "make"
        ) or any(self._writes(view, event) for view in around for event in view.events("call"))

    def _writes(self, view: View, event: Event) -> bool:
        words = parts(last_name(view.terms, view.terms[event.a][1]))
        return words[:1] not in ((), ("add",), ("set",)) and words[0] in _DONE or len(words) > 1 and words[0] in _DONE


def _plain(value: Value) -> Value:
    """A value without the arms of a fallback that is no instant: `given or None`."""
    if value.kind == "case":
        arms = [arm for _, arm in value.args[0] if arm.kind != "none"]
        return arms[0] if len(arms) == 1 else value
    return value


def _is_item(form: Linear) -> bool:
    """Whether a side hangs on one item and no clock."""
    items = form.of_role(Role.ITEM)
    return len(items) == 1 and items[0][1] > 0 and not form.of_role(Role.NOW)


def _is_floor(form: Linear) -> bool:
    """Whether a side lies behind now, and hangs on no item."""
    now = form.of_role(Role.NOW)
    return len(now) == 1 and _is_wall(now[0][0]) and not form.of_role(Role.ITEM) and _is_back(form.without(now[0][0]))


def _is_back(reach: Linear) -> bool:
    number = reach.number
    if number is not None:
        return number < 0
    return bool(reach.terms) and all(c < 0 for c in reach.terms.values()) and reach.constant <= 0


def _is_wall(atom: Atom) -> bool:
    return isinstance(atom.key, tuple) and atom.key[0] in WALL


def _tables(constants: set[str]) -> list[str]:
    return [word.strip("\"'`,;()").lower() for text in constants for word in text.split()]
