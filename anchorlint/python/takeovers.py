"""Take-overs: an instant that has passed lets work begin again that somebody else may still be doing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import NONE, Event
from anchorlint.python.fences import Fence, Fences
from anchorlint.python.fieldnames import asked_field, field_of, is_constant, known_instant_of, record_of
from anchorlint.python.formula import literals
from anchorlint.python.gated import Gated
from anchorlint.python.gates import Seen
from anchorlint.python.leases import Leases
from anchorlint.python.link import last_name
from anchorlint.python.outside import parts_of
from anchorlint.python.stamps import Stamps, is_stamp
from anchorlint.python.timely import Timely
from anchorlint.python.units import called, callees
from anchorlint.python.value import Value, root, within
from anchorlint.python.view import View
from anchorlint.python.writes import VERBS, Touch, Writes

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_HANDS_BACK = frozenset({"put", "put_nowait", "enqueue", "publish", "delay", "apply_async", "send_task", "enqueue_in",
                         "submit", "append", "lpush", "rpush", "xadd", "send_message", "appendleft", "add_task",
                         "enqueue_job", "send", "requeue"})  # fmt: skip
DEEP = 2  #: calls that a take-over may be away from its gate


class TakeOver(NamedTuple):
    """`gate` opens at the end of a lease; `again` takes the work over, `ending` is the write that ends it unfenced."""

    gate: Seen
    view: View
    again: Touch
    ending: Touch | None
    sure: bool


class _Reached(NamedTuple):
    touch: Touch
    formula: Value


class TakeOvers:
    """Finds take-overs that nothing fences; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engine = program.engine
        self.gates = program.gates
        self.writes = program.part(Writes)
        self.fences = program.part(Fences)
        self.leases = program.part(Leases)
        self.gated = program.part(Gated)
        self.callees = program.relevance.callees
        self.stamps = program.part(Stamps)

    def of(self, view: View) -> Iterator[TakeOver]:
        """The take-overs that a function lets happen, one for each gate."""
        opened: dict[Value, tuple[Seen, list[_Reached]]] = {}
        for reached in self._reached(view):
            for seen in self.gates.within(reached.formula):
                if not seen.gate.closing and self._is_lease_gate(seen):
                    opened.setdefault(seen.literal, (seen, []))[1].append(reached)
        if not opened or self.fences.around(view.module).is_fenced_by_name:
            return
        for seen, reached in opened.values():
            found = self._judged(view, seen, reached)
            if found is not None:
                yield found

    def _reached(self, view: View) -> list[_Reached]:
        """The writes of a function and of what it calls that a gate may decide, with all that holds then."""
        conj = self.engine.formulas.conj
        found = []
        for event in view.events("set", "del", "call"):
            if self.gated.may_decide(view.module, event) and self._may_begin(view, event):
                found += [_Reached(touch, self.writes.reach(touch)) for touch in self.writes.at(view, event)]
        for event in view.events("call"):
            if not self.gated.may_test(view, event.chain) or not self.callees.of(view.module, view.terms[event.a][1]):
                continue
            if self.gated.within(view, event.chain) == ():
                continue
            path = view.condition(event.chain)
            inner = called(view, event) if any(True for _ in self.gates.within(path)) else None
            if inner is not None and inner is not view:
                found += [_Reached(r.touch, conj([path, r.formula])) for r in self._written(inner, DEEP - 1)]
        return found

    def _may_begin(self, view: View, event: Event) -> bool:
        """Whether a write is about rows that a clock may choose, or comes after a lease has ended."""
        if event.kind == "call":
            name = last_name(view.terms, view.terms[event.a][1])
            if name not in VERBS and not name[:1].isupper():
                return False
        if self.gated.is_about(view, event):
            return True
        if not self.gated.opens(view, event.chain):
            return False
        held = self.gates.within(view.condition(event.chain))
        return any(not seen.gate.closing and self._is_lease_gate(seen) for seen in held)

    def _written(self, view: View, deep: int) -> list[_Reached]:
        """What a function writes that is entered through a gate."""
        conj = self.engine.formulas.conj
        found = [_Reached(touch, self.writes.reach(touch)) for touch in self.writes.of(view)]
        for event, inner in callees(view) if deep else ():
            path = view.condition(event.chain)
            found += [_Reached(r.touch, conj([path, r.formula])) for r in self._written(inner, deep - 1)]
        return found

    def _is_lease_gate(self, seen: Seen) -> bool:
        item = known_instant_of(seen)
        if item is None or any(p.kind == "unknown" for p in parts_of(item)):
            return False
        name = field_of(item, self.writes.queries)
        start = root(record_of(item))
        if self._is_cached(start):
            return False
        in_memory = start.kind == "param" and start.args[2] == 0 and record_of(item) is start
        kept = self.program.part(Timely).stamped
        return bool(name) and not in_memory and (name in kept or "" in kept)

    def _is_cached(self, start: Value) -> bool:
        """Whether a record comes out of a cache: what is begun again there is only made again."""
        callee = start.args[0] if start.kind == "result" else start
        return "cache" in parts(self.engine.calls.receiver(callee)) if callee.kind == "attr" else False

    # verdict

    def _judged(self, view: View, seen: Seen, reached: list[_Reached]) -> TakeOver | None:
        field = field_of(seen.gate.item.key, self.writes.queries) or ""
        fence = self.fences.around(view.module)
        begins = self.stamps.around(fence, field)
        if not begins and not any(is_stamp(r.touch, field) for r in reached):
            return None  # nobody takes a lease
        tested = self._tests(reached, seen)
        again = self._claimed(view, seen, reached, field, begins, tested)
        if again is None:
            again = self._handed_back(view, seen, reached, field, begins, tested)
        if again is None or fence.is_fenced:
            return None
        begun = {t.event: t for t in (*begins, again)}
        marks = self.leases.marks(fence, list(begun.values()), field)
        endings = self.leases.endings(fence, marks, field, begun)
        endings += self.leases.finished(fence, tested, begun)
        names = frozenset({field, *marks})
        if fence.compared_in((t for t in endings if not self.leases.is_release(t, marks, field)), names):
            return None
        if not endings:
            return None
        done = [t for t in endings if not self.leases.is_release(t, marks, field)] or endings
        return TakeOver(seen, view, again, done[0], True)

    def _tests(self, reached: list[_Reached], seen: Seen) -> dict[str, list[Value]]:
        """The constants that a row's other fields are asked for beside the gate."""
        found: dict[str, list[Value]] = {}
        for one in reached:
            for literal in beside(one.formula, seen.literal):
                if literal.kind == "eq" and is_constant(literal.args[1], self.engine.arithmetic):
                    name, value = field_of(literal.args[0], self.writes.queries), literal.args[1]
                else:
                    name = asked_field(literal, self.writes.queries, ("truthy",))
                    value = self.engine.values.truth(literal.kind != "not")
                if name:
                    found.setdefault(name, []).append(value)
        return found

    def _claimed(
        self, view: View, seen: Seen, reached: list[_Reached], field: str, begins: list[Touch],
        tested: dict[str, list[Value]],
    ) -> Touch | None:  # fmt: skip
        """The write that stamps the same field anew once the instant has passed, under a mark of whoever works."""
        stamped = {t.event for t in begins}
        claims = [r.touch for r in reached if is_stamp(r.touch, field) or r.touch.event in stamped]
        claims = [t for t in claims if not self.leases.is_failure(t)]
        if not claims or not self._refuses(view, seen):
            return None
        fence = self.fences.around(view.module)
        marks = self.leases.marks(fence, claims, field)
        for name, values in marks.items():
            asked = tested.get(name)
            if asked and not any(a is v for a in asked for v in values):
                return None  # the rows that are taken are not in the state of those that are worked on
        states = {name for name, values in marks.items() if all(self.leases.is_state(v) for v in values)}
        if states and self._ends_for_good(fence, reached, claims[0], field, states):
            return claims[0]
        owners = self.leases.owners(marks)
        lease = self.program.words["lease"]
        if not owners:
            gone = any(t.kind == "delete" and t.record == claims[0].record for t in fence.touches)
            return claims[0] if gone and field in lease else None
        if field in lease or any(name in lease for name in owners) or self.leases.is_owned(fence, owners):
            return claims[0]
        return None

    def _ends_for_good(
        self, fence: Fence, reached: list[_Reached], claim: Touch, field: str, states: set[str]
    ) -> bool:  # fmt: skip
        """Whether what is done is not begun again when the time has come: what is due each hour is no lease."""
        for one in reached:
            for literal in literals(one.formula) if one.touch.event == claim.event else ():
                if asked_field(literal, self.writes.queries, ("eq", "truthy")) in states:
                    return True
        for touch in fence.touches:
            if touch.kind == "delete" and touch.record == claim.record:
                return True
            if any(name == field and value.kind == "none" for name, value in touch.fields):
                return True
        return False

    def _refuses(self, view: View, seen: Seen) -> bool:
        """Whether whoever comes before the instant is sent away with nothing; a query sends away by itself."""
        live = self.engine.formulas.neg(seen.literal)
        seen_in_python = False
        for event in view.events("ret", "raise", "cont", "end", "call", "set"):
            held = list(literals(view.condition(event.chain)))
            seen_in_python = seen_in_python or live in held or seen.literal in held
            if live not in held or event.kind not in ("ret", "raise", "cont"):
                continue
            if event.kind != "ret" or self._is_nothing(view, event, seen):
                return True
        return not seen_in_python

    def _is_nothing(self, view: View, event: Event, seen: Seen) -> bool:
        value = view.value(event.a) if event.a != NONE else self.engine.values.none
        arms = [a[1] for a in value.args[0]] if value.kind == "case" else [value]
        record = record_of(seen.gate.item.key)
        return any(not within(arm, record) for arm in arms)

    # hand back

    def _handed_back(
        self, view: View, seen: Seen, reached: list[_Reached], field: str, begins: list[Touch],
        tested: dict[str, list[Value]],
    ) -> Touch | None:  # fmt: skip
        """The write that takes a row out of the state in which somebody works on it, so that it is begun again."""
        fence = self.fences.around(view.module)
        marks = self.leases.marks(fence, [b for b in begins if not self.leases.is_failure(b)], field)
        for one in reached:
            for name, value in one.touch.fields:
                if value.kind == "none" and name in (field, *marks) and self._is_picked_up(begins, name, value):
                    return one.touch
                working = [a for a in tested.get(name, ()) if any(a is m for m in marks.get(name, ()))]
                if not working or any(value is w for w in working) or not self.leases.is_state(value):
                    continue
                if any(self.leases.is_waiting(w) for w in working):
                    continue
                begins_anew = self._puts_back(view, seen) or self._is_picked_up(begins, name, value)
                if begins_anew or self.leases.is_waiting(value):
                    return one.touch
        return None

    def _puts_back(self, view: View, seen: Seen) -> bool:
        for event in view.events("call"):
            if last_name(view.terms, view.terms[event.a][1]) in _HANDS_BACK:
                held = literals(view.condition(event.chain))
                if any(h is seen.literal for h in held):
                    return True
        return False

    def _is_picked_up(self, begins: list[Touch], name: str, value: Value) -> bool:
        for begin in begins:
            for literal in literals(self.writes.reach(begin)):
                asked = literal.kind == "eq" and literal.args[1] is value
                if value.kind == "none":
                    asked = literal.kind == "isnone"
                if asked and field_of(literal.args[0], self.writes.queries) == name:
                    return True
        return False


def beside(formula: Value, literal: Value) -> Iterator[Value]:
    """The literals that hold together with this one: those of the same conjunction, from the inside outwards."""
    if formula.kind == "and":
        parts = formula.args[0]
    elif formula.kind == "pc":
        parts = tuple(f for _, f, _ in formula.args[0])
    elif formula.kind == "or":
        for part in formula.args[0]:
            if any(found is literal for found in literals(part)):
                yield from beside(part, literal)
        return
    else:
        yield from literals(formula) if formula.kind == "fcase" else (formula,)
        return
    for part in parts:
        if part.kind in ("and", "pc", "fcase") or any(found is literal for found in literals(part)):
            yield from beside(part, literal)
        elif part.kind not in ("or",):
            yield part
