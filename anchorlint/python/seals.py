"""Seals: an end that the clock alone gives to an item whose outcome somebody else knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.python.asking import Asking
from anchorlint.python.changes import Changes
from anchorlint.python.facts import Event
from anchorlint.python.fences import Fence, Fences
from anchorlint.python.fieldnames import asked_field, field_of, instant_of, is_constant, record_of, stamp, word_of
from anchorlint.python.formula import literals
from anchorlint.python.gated import Gated
from anchorlint.python.gates import Seen
from anchorlint.python.link import last_name
from anchorlint.python.outside import Outside, mentions
from anchorlint.python.units import called
from anchorlint.python.value import Value, root
from anchorlint.python.view import View
from anchorlint.python.wording import Wording
from anchorlint.python.writes import Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class Seal(NamedTuple):
    """`event` ends an item under `gate`; `known` is where the outcome comes from outside, `state` what is written."""

    event: Event
    view: View
    gate: Seen
    state: str
    known: Event
    known_view: View


class _Written(NamedTuple):
    """A state that is given to an item: under which name, which value, of which item, when."""

    name: str
    value: Value | None
    item: Value
    kinds: frozenset[str]
    event: Event
    view: View
    touch: Touch | None


class Seals:
    """Finds seals without evidence; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.gates = program.gates
        self.writes = program.part(Writes)
        self.fences = program.part(Fences)
        self.outside = Outside(program.engine)
        self.changes = program.part(Changes)
        self.gated = program.part(Gated)
        self.wording = program.part(Wording)
        self.asking = program.part(Asking)
        self._states: dict[tuple[View, frozenset[str]], tuple[_Written, ...]] = {}

    def of(self, view: View) -> Iterator[Seal]:
        """The seals of a function that only a clock decides, the first for each gate."""
        told: set[Value] = set()
        for written in self._met(view):
            seen = self._gate(written) if self._is_end(written.value) else None
            if seen is None or seen.literal in told:
                continue
            if self._has_evidence(written, seen):
                continue
            found = self._outcome(view, written, seen) if self.asking.is_asked(view.module, written.name) else None
            if found is not None and not self._is_taken_up(view, written):
                told.add(seen.literal)
                value = written.value
                state = "" if value is None else word_of(value)
                yield Seal(written.event, view, seen, state, found.event, found.view)

    def _gate(self, written: _Written) -> Seen | None:
        for seen in self.gates.within(self._reach(written)):
            item = None if seen.gate.closing else instant_of(seen)
            if item is not None and field_of(item, self.writes.queries) and not any(self.outside.asked(item)):
                return seen
        return None

    # what is written

    def _met(self, view: View) -> Iterator[_Written]:
        """The states that a function gives to items where a gate may decide it: fields with constants, deletions,
        `store.close(id, "done")`."""
        for touch in self.changes.where(view, self._may_end):
            yield from self._of_touch(touch)
        yield from self._called(view, self.gated.meets)

    def _may_end(self, view: View, event: Event) -> bool:
        """Whether a write may be an end that a gate decides; what is set to no text and no member is none."""
        if not self.gated.may_decide(view.module, event):
            return False
        if event.kind != "set":
            return self.gated.meets(view, event)
        kind = view.terms[event.b][0]
        if kind == "comp":  # what thins out a mapping deletes
            return view.terms[event.a][0] == "attr" and self.gated.meets(view, event)
        if not self.wording.may_be_word(view.module, event.b):
            return False
        if kind == "const" and not self._is_end(view.value(event.b)):
            return False
        return self.gated.meets(view, event) and self._is_end(view.value(event.b))

    def states(self, view: View, names: frozenset[str]) -> tuple[_Written, ...]:
        """The states that a function gives to items under these names, and others beside them."""
        key = (view, names)
        found = self._states.get(key) if names else ()
        if found is None:
            written = [w for touch in self.changes.updates(view, names) for w in self._of_touch(touch)]
            called = self._called(view, lambda v, e: f"{last_name(v.terms, v.terms[e.a][1])}()" in names)
            found = self._states[key] = (*written, *called)
        return found

    def _reach(self, written: _Written) -> Value:
        """What holds when a state is given."""
        if written.touch is not None:
            return self.writes.reach(written.touch)
        return written.view.condition(written.event.chain)

    def _of_touch(self, touch: Touch) -> Iterator[_Written]:
        kinds = frozenset({"" if "…" in touch.record else touch.record.lower(), _called_as(touch.base)} - {""})
        fields = [("", None)] if touch.kind == "delete" else touch.fields
        for name, value in fields:
            yield _Written(name, value, touch.base, kinds, touch.event, touch.view, touch)

    def _called(self, view: View, asked: Callable[[View, Event], bool]) -> Iterator[_Written]:
        """A method that is given an item and a constant text, as stores outside of the project have it."""
        for event in view.events("call"):
            term = view.terms[event.a]
            if len(term[2]) < 2 or view.terms[term[1]][0] != "attr":
                continue
            texts = [n for n in term[2] if view.terms[n][:2] == ("const", "str") and view.terms[n][2].isidentifier()]
            if len(texts) != 1:
                continue
            if not asked(view, event) or called(view, event):
                continue
            others = [view.value(n) for n in term[2] if n not in texts]
            items = [v for v in others if v.kind in ("attr", "item", "iter", "param")]
            if items:
                name = f"{last_name(view.terms, term[1])}()"
                item = record_of(items[0])
                yield _Written(name, view.value(texts[0]), item, frozenset(), event, view, None)

    def _is_end(self, value: Value | None) -> bool:
        if value is None:
            return True
        text = word_of(value)
        if not text or not is_constant(value, self.engine.arithmetic):
            return False
        return text not in self.program.words["waiting"] and text not in self.program.words["neutral"]

    def _is_taken_up(self, view: View, written: _Written) -> bool:
        """Whether items in this state are asked for and get another one: then it is no end."""
        if written.value is None:
            return False
        for other_view in self.fences.around(view.module).views:
            for other in self.states(other_view, frozenset({written.name})):
                if other.name == written.name and other.value is not written.value and other.value is not None:
                    for literal in literals(self._reach(other)):
                        asked = literal.kind == "eq" and literal.args[1] is written.value
                        if asked and not any(self.outside.asked(literal.args[0])):
                            return True
        return False

    # evidence

    def _has_evidence(self, written: _Written, seen: Seen) -> bool:
        """Whether an answer about the item stands on the very path, or the failure of asking was left before."""
        record = root(record_of(seen.gate.item.key))
        for literal in literals(self._reach(written)):
            if literal is seen.literal:
                continue
            if literal.kind == "not" and literal.args[0].kind == "raised":
                if self._asks_about(literal.args[0], record):
                    return True
            elif literal.kind == "raised":
                if self._asks_about(literal, record):
                    return True
            elif any(self.outside.asked(literal)):
                return True
        return False

    def _asks_about(self, raised: Value, record: Value) -> bool:
        """Whether the try asks somebody else about the item: its function was given a part of it, or it asks itself."""
        view, number = raised.args[0], raised.args[1]
        if any(a is not None and mentions(a, record) for a in view.args):
            return True
        chains = view.facts.chains
        for event in view.events("call"):
            chain = event.chain
            while chain > 0 and not (chains[chain][1] == "try" and chains[chain][2] == number):
                chain = chains[chain][0]
            if chain > 0 and any(self.outside.asked(view.value(event.a))):
                return True
        return False

    # outcome

    def _outcome(self, view: View, written: _Written, seen: Seen) -> _Written | None:
        """Another end of the same kind of item that comes from outside, and can be asked for."""
        tested = self._waits_in(written)
        names = tested if written.value is None else frozenset({written.name})
        if not names:
            return None
        fence = self.fences.around(view.module)
        field = field_of(seen.gate.item.key, self.writes.queries) or ""
        for other_view in fence.views:
            for other in self.states(other_view, names):
                if other.event is written.event or not self._is_same_kind(written, other, tested):
                    continue
                if self._comes_from_outside(other):
                    return other
        if written.value is not None and not written.name.endswith("()") and self._is_beaten(fence, written, field):
            return next((o for o in self._others(fence, written, tested)), None)
        return None

    def _others(self, fence: Fence, written: _Written, tested: frozenset[str]) -> Iterator[_Written]:
        """The ends in other functions that give the same field a third value."""
        asked = {
            literal.args[1]
            for literal in literals(self._reach(written))
            if literal.kind == "eq" and field_of(literal.args[0], self.writes.queries) == written.name
        }
        for view in fence.views:
            for other in self.states(view, frozenset({written.name})):
                third = other.value is not None and other.value is not written.value and other.value not in asked
                if not third or other.name != written.name or view is written.view or not self._is_end(other.value):
                    continue
                if self._gate(other) is None and self._is_same_kind(written, other, tested):
                    yield other

    def _is_beaten(self, fence: Fence, written: _Written, field: str) -> bool:
        """Whether somebody else moves the instant on while the item lives: its beats are stored as now elsewhere."""
        for touch in (t for view in fence.views for t in self.changes.updates(view, frozenset({field}))):
            if touch.view is written.view or len(touch.fields) != 1:
                continue
            name, value = touch.fields[0]
            added = stamp(value) if name == field else None
            if added is None or added.number != 0 or touch.view.function.name == "__init__":
                continue
            if not self._sets_state_beside(touch, written.name):
                return True
        return False

    def _sets_state_beside(self, beat: Touch, name: str) -> bool:
        beside = (t for t in self.writes.of(beat.view) if t.event is not beat.event)
        return any(n == name for t in beside for n, _ in t.fields)

    def _waits_in(self, written: _Written) -> frozenset[str]:
        """The fields by which the item is asked whether it still waits."""
        queries, held = self.writes.queries, literals(self._reach(written))
        names = (asked_field(literal, queries, ("eq", "truthy", "isnone")) for literal in held)
        return frozenset(name for name in names if name)

    def _is_same_kind(self, written: _Written, other: _Written, tested: frozenset[str]) -> bool:
        if not written.name.endswith("()") and not written.kinds & other.kinds:
            return False
        if written.value is None:
            return other.name in tested and other.value is not None
        return other.name == written.name and other.value is not None and other.value is not written.value

    def _comes_from_outside(self, other: _Written) -> bool:
        if other.value is not None and any(self.outside.asked(other.value)):
            return True
        for literal in literals(self._reach(other)):
            if literal.kind in ("raised",):
                continue
            if any(self.outside.asked(literal)):
                return True
        return False


def _called_as(base: Value) -> str:
    """The name of the variable that holds an item."""
    start = root(base)
    if start.kind in ("iter", "param"):
        name = str(start.args[3])
        return name.lower() if name.isidentifier() else ""
    return ""
