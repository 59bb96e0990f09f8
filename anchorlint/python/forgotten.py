"""Forgotten records: what remembers that an effect is done is swept by the clock that also lets the effect run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.domain.linear import Linear
from anchorlint.python.facts import Event
from anchorlint.python.fences import Fence, Fences
from anchorlint.python.fieldnames import field_of, known_instant_of, stamp
from anchorlint.python.formula import literals
from anchorlint.python.gated import Gated
from anchorlint.python.gates import Seen
from anchorlint.python.link import last_name
from anchorlint.python.queries import RUNS
from anchorlint.python.sqltext import sql_of
from anchorlint.python.units import Units, called
from anchorlint.python.value import PATHS, Value, said
from anchorlint.python.view import View
from anchorlint.python.writes import DELETES, Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_ASKS = frozenset({"get", "exists", "filter", "find_one", "get_item", "contains", "has", "hget", "first", "fetchone",
                   "get_or_none", "scalar", "one_or_none", "fetchrow", "fetchval"})  # fmt: skip
_DELETES = DELETES | RUNS
_DELETE = frozenset({"delete"})
_INSERT = frozenset({"insert"})
DEEP = 2


class Sweep(NamedTuple):
    """A deletion that a clock decides."""

    touch: Touch
    gate: Seen


class Replay(NamedTuple):
    """`gate` admits an effect whose record `sweep` forgets by the same clock; `effect` is where it runs."""

    gate: Seen
    view: View
    sweep: Sweep


class Forgotten:
    """Finds effects that a forgotten record lets run again; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.gates = program.gates
        self.writes = program.part(Writes)
        self.fences = program.part(Fences)
        self.gated = program.part(Gated)

    def of(self, view: View) -> Iterator[Replay]:
        """The admissions by a closing gate in a function, one for each gate."""
        held = [e for e in view.events("set", "call") if e.chain and self.gated.closes(view, e.chain)]
        sweeps = self._near(view) if held else []
        fence = self.fences.around(view.module)
        if not sweeps or fence.is_fenced_by_name:
            return
        told: set[Value] = set()
        for formula, inner in self._admitted(view, held):
            for seen in self.gates.within(formula):
                if seen.gate.closing and seen.literal not in told and known_instant_of(seen) is not None:
                    sweep = self._permitted(fence, seen, inner, sweeps)
                    if sweep is not None:
                        told.add(seen.literal)
                        yield Replay(seen, view, sweep)

    def _near(self, view: View) -> list[Sweep]:
        """The sweeps of the unit around a function; nobody asks about the unit where there are none at all."""
        near = self.program.part(Units).around(view.module) if self.sweeps else ()
        return [s for s in self.sweeps if s.touch.view.module in near]

    def _permitted(self, fence: Fence, seen: Seen, inner: View, sweeps: list[Sweep]) -> Sweep | None:
        """The sweep that makes an admission unsafe, None where a fence or another span makes it safe."""
        for sweep in sweeps:
            if self._remembers(inner, sweep) and self._same_span(fence, seen, sweep):
                at_once = sweep.gate.place == seen.place  # an entry that is looked up and found to be over
                return None if fence.is_fenced or at_once else sweep
        return None

    @cached_property
    def sweeps(self) -> tuple[Sweep, ...]:
        """The deletions of the program that a wall clock decides."""
        found: list[Sweep] = []
        for ref in self.gated.functions:
            view = self.program.view(ref)
            self.engine.ask(f"sweeps {view!r}")
            for event in view.function.events:
                if self.gated.may_decide(view.module, event) and self._may_sweep(view, event):
                    found += self._swept(view, event)
        return tuple(found)

    def _may_sweep(self, view: View, event: Event) -> bool:
        """Whether an event may delete rows that a clock chooses, or from an instant on."""
        if event.kind == "set" and view.terms[event.b][0] != "comp":
            return False
        if event.kind == "call" and last_name(view.terms, view.terms[event.a][1]) not in _DELETES:
            return False
        return self.gated.is_about(view, event) or self.gated.opens(view, event.chain)

    def _swept(self, view: View, event: Event) -> Iterator[Sweep]:
        for touch in self.writes.at(view, event, _DELETE):
            for seen in self.gates.within(self.writes.reach(touch)):
                if not seen.gate.closing and known_instant_of(seen) is not None:
                    yield Sweep(touch, seen)
                    break

    def _life(self, fence: Fence, seen: Seen) -> Linear | None:
        """From the moment at which a record is written to the end that the gate gives it."""
        name = field_of(seen.gate.item.key, self.writes.queries) or ""
        for touch in fence.touches:
            for field, value in touch.fields:
                if field == name:
                    added = stamp(value)
                    if added is not None:
                        return added * seen.gate.factor + seen.gate.slack
        return seen.gate.slack if not name else None  # an entry holds the moment at which it was made

    # admission

    def _admitted(self, view: View, held: list[Event]) -> Iterator[tuple[Value, View]]:
        """The functions that remember, with what holds when they are entered: this one, or one that it calls."""
        for event in held:
            inner = called(view, event) if event.kind == "call" else None
            if inner is not None:
                yield view.condition(event.chain), inner
        for event in held:
            if any(True for _ in self.writes.at(view, event, _INSERT)):
                yield view.condition(event.chain), view

    def remembers(self, view: View, sweep: Sweep) -> bool:
        """Whether a function itself asks for the record that is swept, and writes it where it was not there."""
        return self._remembers(view, sweep, deep=0)

    def _remembers(self, view: View, sweep: Sweep, deep: int = DEEP) -> bool:
        """Whether a function asks for the record that is swept, and writes it where it was not there."""
        wrote = [t for t in self.writes.of(view) if t.kind == "insert" and self._is_same(t, sweep.touch)]
        if wrote and self._asks(view, sweep.touch, wrote):
            return True
        if not deep:
            return False
        inner = (called(view, event) for event in view.events("call"))
        return any(self._remembers(one, sweep, deep - 1) for one in inner if one is not None and one is not view)

    def _is_same(self, one: Touch, other: Touch) -> bool:
        if one.base is other.base and one.base.kind in PATHS:
            return True
        return bool(one.record) and one.record == other.record and self._is_near(one.view, other)

    def _is_near(self, view: View, touch: Touch) -> bool:
        """Whether a name means the same record in both: what hangs on `self` does within one class only."""
        if "." not in touch.record and touch.record != "self":
            return True
        return view.module == touch.view.module and view.function.cls == touch.view.function.cls

    def _asks(self, view: View, swept: Touch, wrote: list[Touch]) -> bool:
        """Whether some way through the function hangs on what the record says."""
        lines = {t.event.line for t in wrote}
        for event in view.events("ret", "raise", "cont", "call"):
            if not event.chain or (event.kind == "call" and event.line in lines):
                continue  # what is only made where it was not there is no effect
            if any(self._is_about(literal, swept, view) for literal in literals(view.condition(event.chain))):
                return True
        return False

    def _is_about(self, literal: Value, swept: Touch, view: View) -> bool:
        if literal.kind in ("gate", "raised"):
            return False
        for value in _values(literal):
            if value.kind == "result" and value.args[0].kind == "attr" and value.args[1]:
                text = sql_of(value.args[1][0])
                if text is not None:
                    return any(s.table == swept.record for s in self.writes.queries.sql.statements(text))
            if value.kind in PATHS and said(value) == swept.record and self._is_near(view, swept):
                return True
            asks = value.kind == "result" and value.args[0].kind == "attr" and value.args[0].args[1] in _ASKS
            if value is swept.base or (asks and self.writes.queries.record(value).args[-1] == swept.record):
                return True
        return False

    # the same span

    def _same_span(self, fence: Fence, seen: Seen, sweep: Sweep) -> bool:
        """Whether what admits lasts as long as what is remembered: the same field, or the same number."""
        item = seen.gate.item.key
        if not isinstance(item, Value):
            return False
        name = field_of(item, self.writes.queries)
        swept = field_of(sweep.gate.gate.item.key, self.writes.queries)
        if name and name == swept:
            return True
        kept = self._life(self.fences.around(sweep.touch.view.module), sweep.gate)
        if kept is None:
            return False
        admitted = [self._life(fence, seen), seen.gate.slack] if name else [seen.gate.slack]
        return any(life is not None and self._reaches(life, kept) for life in admitted)

    def _reaches(self, admitted: Linear, kept: Linear) -> bool:
        if not admitted.terms and not admitted.constant:
            return False
        gap = (admitted - kept).number
        return gap is not None and gap >= 0


def _values(literal: Value) -> Iterator[Value]:
    """Every value inside of a literal, outermost first, within bounds."""
    pending, count = [literal], 0
    while pending and count < 200:
        value = pending.pop(0)
        count += 1
        if value is not literal:
            yield value
        for arg in value.args:
            if isinstance(arg, Value):
                pending.append(arg)
            elif isinstance(arg, tuple):
                pending += [a for a in arg if isinstance(a, Value)]
