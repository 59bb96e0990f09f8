"""Leases: what is written when somebody takes work, and the writes that end it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anchorlint.python.facts import Event
from anchorlint.python.fences import Fence, wrote
from anchorlint.python.fieldnames import is_constant, is_fresh, is_raised, stamp, word_of
from anchorlint.python.formula import literals
from anchorlint.python.value import Value
from anchorlint.python.writes import Touch

if TYPE_CHECKING:
    from anchorlint.python.program import Program


class Leases:
    """Reads the writes of a unit as takings and endings; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine

    def is_state(self, value: Value) -> bool:
        """Whether a value is a constant that says how far the work is."""
        return is_constant(value, self.engine.arithmetic) and value.kind != "none"

    def marks(self, fence: Fence, begins: list[Touch], field: str) -> dict[str, list[Value]]:
        """The other fields that are written together with the stamp, with what they get."""
        found: dict[str, list[Value]] = {}
        for begin in begins:
            for name, value in _together(fence, begin):
                if name and name != field and stamp(value) is None and value.kind != "none":
                    found.setdefault(name, []).append(value)
        return found

    def owners(self, marks: dict[str, list[Value]]) -> frozenset[str]:
        """The fields that may say who works: what is written into them is neither a state nor a count."""
        return frozenset(n for n, vs in marks.items() if not any(self.is_state(v) or is_raised(v) for v in vs))

    def is_owned(self, fence: Fence, owners: frozenset[str]) -> bool:
        """Whether one of the fields says who works: it is compared with a value that is carried, or emptied."""
        for touch in fence.touches:
            if any(name in owners and value.kind == "none" for name, value in touch.fields):
                return True
        formulas = [t.where for t in fence.touches]
        formulas += [v.condition(e.chain) for v in fence.views for e in v.events("ret", "raise", "call") if e.chain]
        return any(fence.compared(literal, owners) for formula in formulas for literal in literals(formula))

    def is_waiting(self, value: Value) -> bool:
        """Whether a state is called like one in which nobody works."""
        return word_of(value) in self.program.words["waiting"]

    def endings(
        self, fence: Fence, marks: dict[str, list[Value]], field: str, begun: dict[Event, Touch]
    ) -> list[Touch]:
        """The writes that end the work: the mark gets another value, or the stamp goes, or the record goes."""
        records = {t.record for t in begun.values() if t.record}
        found = []
        for touch in fence.touches:
            if touch.event in begun or touch.kind == "make":
                continue
            for name, value in touch.fields:
                if name in marks and not any(value is m for m in marks[name]) and not is_fresh(value):
                    found.append(touch)
                    break
                if name == field and value.kind == "none":
                    found.append(touch)
                    break
            if touch.kind == "delete" and touch.record in records:
                found.append(touch)
        return found

    def finished(self, fence: Fence, tested: dict[str, list[Value]], begun: dict[Event, Touch]) -> list[Touch]:
        """The writes after which a row is not chosen any more: a field that the gate's query asks for is changed."""
        return [
            touch
            for touch in fence.touches
            if touch.event not in begun and touch.kind == "update"
            for name, value in touch.fields
            if name in tested and self.is_state(value) and not any(value is asked for asked in tested[name])
        ]

    def is_release(self, touch: Touch, marks: dict[str, list[Value]], field: str) -> bool:
        """Whether a write only lets go of the lease: what it guards is written elsewhere."""
        names = {name for name, _ in touch.fields}
        return (
            touch.kind != "delete"
            and all(value.kind == "none" or name == field for name, value in touch.fields)
            and names <= {field, *marks}
        )

    def is_failure(self, touch: Touch) -> bool:
        """Whether a write only happens after something was raised."""
        return any(literal.kind == "raised" for literal in literals(touch.view.condition(touch.event.chain)))


def _together(fence: Fence, begin: Touch) -> Iterator[tuple[str, Value]]:
    """What is written with a stamp: the other fields of the call, or the attributes that are set nearest to it."""
    yield from begin.fields
    if begin.event.kind != "set":
        return
    nearest: dict[str, tuple[int, Value]] = {}
    for touch in wrote(fence, begin.view):
        if touch.event.kind == "set" and touch.base is begin.base and touch.event is not begin.event:
            away = abs(touch.event.line - begin.event.line)
            for name, value in touch.fields:
                if name not in nearest or away < nearest[name][0]:
                    nearest[name] = (away, value)
    yield from ((name, value) for name, (_, value) in nearest.items())
