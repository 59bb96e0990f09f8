"""Alerts: calls that speak to people, and under which gate or final state they are made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.domain.linear import Role
from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event
from anchorlint.python.fieldnames import WALL, field_of, record_of
from anchorlint.python.formula import conjuncts, literals
from anchorlint.python.gates import Seen
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outside import parts_of
from anchorlint.python.speaking import POSTS, Speaking
from anchorlint.python.timely import Timely
from anchorlint.python.units import Units
from anchorlint.python.value import Value, root
from anchorlint.python.view import View
from anchorlint.python.writes import Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_LIVES = frozenset({"life", "lifetime", "retention", "retained", "retain", "kept", "keep", "keeps", "ttl", "expiry",
                    "expires", "expire", "expiration", "validity", "valid", "purge", "purged", "purges"})  # fmt: skip
_ENDS = (("expires",), ("expiry",), ("expiration",), ("expire",), ("not", "valid", "after"), ("not", "after"),
         ("valid", "until"), ("valid", "to"), ("exp",), ("expired",))  # fmt: skip
_UNITS = (1.0, 60.0, 3600.0, 86400.0, 604800.0, 0.001, 1000.0)


class Late(NamedTuple):
    """An alert that only comes when it is too late: after a gate has closed, or in a final state of a service."""

    event: Event
    view: View
    gate: Seen | None
    state: str
    item: str
    shown: bool


class _Alert(NamedTuple):
    event: Event
    view: View
    held: Value


class Alerts:
    """Finds alerts; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.gates = program.gates
        self.writes = program.part(Writes)
        self.units = program.part(Units)
        self.timely = program.part(Timely)
        self._found: dict[View, tuple[_Alert, ...]] = {}
        self.speaking = program.part(Speaking)

    def late(self, view: View) -> Iterator[Late]:
        """The alerts of a function that have no other one before their horizon."""
        for alert in self.of(view):
            gate = self._horizon(alert.held)
            state = None if gate is not None else self._final(alert.held)
            if gate is None and state is None:
                continue
            if gate is not None:
                if not self._is_warned(view, alert, gate):
                    yield Late(alert.event, view, gate, "", gate.gate.item.text, self._is_shown(view))
            elif state is not None and not self._is_told_before(view, alert, state):
                name = field_of(state.args[0], self.writes.queries) or ""
                yield Late(alert.event, view, None, str(state.args[1].args[0]), name, self._is_shown(view))

    # alerts

    def of(self, view: View) -> tuple[_Alert, ...]:
        """The calls of a function that speak to people, with what holds when they do."""
        found = self._found.get(view)
        if found is None:
            self._found[view] = ()
            self.writes.of(view)
            found = self._found[view] = tuple(
                _Alert(event, view, self._held(view, event))
                for event in view.events("call")
                if self.is_alert(view, event)
            )
        return found

    def is_alert(self, view: View, event: Event) -> bool:
        """Whether a call speaks to people."""
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name not in self.speaking.callers and name != "inc":
            return name in POSTS and self.speaking.speaks(view.terms, event.a)
        if name not in self.speaking.names and name != "inc":
            return True
        callee = view.value(term[1])
        if callee.kind == "fn":
            return name in self.speaking.names
        receiver = self.engine.calls.receiver(callee)
        if name == "inc":
            return bool({"alert", "alerts"} & set(parts(receiver)))
        sink = self.program.models.sink(self.engine.calls.target(callee), receiver)
        return sink is not None and sink.kind == "alert"

    # what holds

    def _held(self, view: View, event: Event) -> Value:
        """The path condition, what the queries ask whose rows are there, and what the loops around run over."""
        queries, formulas = self.writes.queries, self.engine.formulas
        condition = view.condition(event.chain)
        found = [condition]
        for literal in conjuncts(condition):
            if literal.kind in ("truthy", "cmp", "not") or literal.kind == "eq":
                if literal.kind == "not" and literal.args[0].kind != "isnone":
                    continue
                for part in parts_of(literal):
                    if part.kind == "result":
                        selected = queries.selection(part)
                        if selected is not self.engine.values.true:
                            found.append(selected)
                            break
        chains, chain = view.facts.chains, event.chain
        while chain > 0:
            if chains[chain][1] == "loop":
                subject = view.facts.loops[chains[chain][2]].subject
                if subject >= 0:
                    found.append(queries.selection(view.value(subject)))
            chain = chains[chain][0]
        return formulas.conj([f for one in found for f in conjuncts(one)])

    def _horizon(self, held: Value) -> Seen | None:
        for literal in conjuncts(held):
            seen = self.gates.of(literal)
            if seen is not None and not seen.gate.closing and seen.gate.clock in WALL and self.is_horizon(seen):
                return seen
        return None

    def is_horizon(self, seen: Seen) -> bool:
        """Whether something is lost at the instant: the life or retention of a thing ends, or its own expiry."""
        item = seen.gate.item.key
        name = field_of(item, self.writes.queries) if isinstance(item, Value) else None
        if seen.gate.slack.number == 0 and not seen.gate.slack.terms:
            spelled = parts(name or "")
            return any(_within(end, spelled) for end in _ENDS)
        named = seen.gate.slack.of_role(Role.NAMED)
        if len(named) != 1 or len(seen.gate.slack.terms) != 1 or seen.gate.slack.constant:
            return False
        atom, factor = named[0]
        return bool(_LIVES & set(parts(atom.text))) and any(abs(factor - unit) < 1e-9 for unit in _UNITS)

    def _final(self, held: Value) -> Value | None:
        """The test for a state from which a service does not come back, as a model says."""
        for literal in conjuncts(held):
            if literal.kind != "eq" or literal.args[1].kind != "str":
                continue
            column = field_of(literal.args[0], self.writes.queries)
            if any(column == name and literal.args[1].args[0] in states for name, states in self._final_states):
                return literal
        return None

    # before it

    def _is_warned(self, view: View, alert: _Alert, late: Seen) -> bool:
        """Whether anything is done, by anybody near, at a smaller bound of the same instant."""
        name = self._name(late)
        for other in self.units.views(view.module):
            if self._counted(other) > 400:
                continue
            for one in self.of(other):
                if one.event is alert.event:
                    continue
                if any(self._is_before(seen, late, name) for seen in self.gates.within(one.held)):
                    return True
        for event in view.events("call", "ret", "set"):
            for seen in self.gates.within(view.condition(event.chain)):
                if seen.gate.closing != late.gate.closing and self._is_same(seen, late):
                    continue
                if self._is_before(seen, late, name):
                    return True
        return False

    def _counted(self, view: View) -> int:
        return len(view.function.events)

    def _name(self, seen: Seen) -> str | None:
        item = seen.gate.item.key
        return field_of(item, self.writes.queries) if isinstance(item, Value) else None

    def _is_same(self, one: Seen, other: Seen) -> bool:
        gap = (one.gate.slack - other.gate.slack).number
        return gap is not None and gap == 0

    def _is_before(self, seen: Seen, late: Seen, name: str | None) -> bool:
        if seen.gate.item is not late.gate.item and self._name(seen) != name:
            return False
        gap = (seen.gate.slack - late.gate.slack).number
        return gap is None or gap < 0

    def _is_told_before(self, view: View, alert: _Alert, state: Value) -> bool:
        """Whether another alert of the unit asks the same row for something else."""
        row = root(record_of(state.args[0]))
        for other in self.of(view):
            if other.event is not alert.event:
                for literal in literals(other.held):
                    if literal is not state and any(p is row for p in parts_of(literal)):
                        return True
        return False

    def _is_shown(self, view: View) -> bool:
        """Whether the function publishes a number that people can watch before."""
        for event in view.events("call"):
            callee = view.value(view.terms[event.a][1])
            sink = self.program.models.sink(self.engine.calls.target(callee), self.engine.calls.receiver(callee))
            if sink is not None and sink.kind == "gauge":
                return True
        return False

    def functions(self) -> Iterator[Ref]:
        """The functions outside of tests that make a call which may speak to people too late, by facts alone."""
        for module in range(len(self.program.linked.modules)):
            if not self.program.is_asked(module):
                continue
            calls = self.program.linked.indexes[module].calls
            found = {one for name in calls.keys() & (self.speaking.callers | POSTS | {"inc"}) for one in calls[name]}
            yield from (Ref("fn", module, n) for n in sorted({n for n, e in found if self._may_be_late(module, e)}))

    def _may_be_late(self, module: int, event: Event) -> bool:
        """Whether something on the way to a call may be a gate, or ask for a state that a model calls final."""
        facts, marks, chain = self.program.linked.modules[module], self.timely.marks(module), event.chain
        while chain > 0:
            frame = facts.chains[chain]
            if self._knows_final or frame[1] == "join":
                return True
            if frame[1] == "test" and (frame[2] in marks or self.timely.is_test(module, frame)):
                return True
            if frame[1] == "loop" and facts.loops[frame[2]].subject in marks:
                return True
            chain = frame[0]
        return False

    @cached_property
    def _final_states(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The columns of services' tables with the states from which they do not come back."""
        sinks = self.program.models.sinks
        tables = ((of.partition("."), tuple(sink.states)) for sink in sinks if sink.states for of in sink.of)
        return tuple((column, states) for (_, _, column), states in tables if column and "." not in column)

    @cached_property
    def _knows_final(self) -> bool:
        """Whether the program names such a state at all."""
        final = {("const", "str", state) for _, states in self._final_states for state in states}
        indexes = self.program.linked.indexes
        return any([index.facts.terms[n] in final for index in indexes for n in index.kinds.get("const", ())])


def _within(words: tuple[str, ...], spelled: tuple[str, ...]) -> bool:
    return any(spelled[at : at + len(words)] == words for at in range(len(spelled)))
