"""Whether an ending takes the last failure along: in its arguments, its context, or on the same record."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.budget_endings import Ending, Endings
from anchorlint.python.budget_ends import Spent
from anchorlint.python.budget_losses import Failure
from anchorlint.python.budget_paths import above, frames, handled, handlers, holds, inside, loops
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref
from anchorlint.python.view import View


class Carried(Endings):
    """Judges the endings of one program."""

    # whether the cause goes with it

    def carries(self, ending: Ending, failures: list[Failure]) -> bool:
        """Whether what failed last is in the ending, in its context, or written to the same record on the way."""
        view = self.program.view(ending.function)
        event = ending.event
        if self._handed_over(view, ending) or self._none_or_known(view, ending):
            return True
        answers = frozenset(f.answer for f in failures if f.module == view.module and f.answer >= 0)
        answers |= self._tried(view, event, ending.spent)
        values = list(self._handed(view, event))
        if any(self.causes.derives(view, v, answers) for v in values):
            return True
        if event.kind == "raise":
            return event.b != -2 and self._has_context(view, event)
        return self._on_record(view, event, values, answers)

    def _handed_over(self, view: View, ending: Ending) -> bool:
        """Whether the failure itself goes to some call where the budget is over, whoever that is."""
        if ending.spent.function != ending.function:
            return False
        for event in view.events("call"):
            _, _, args, kwargs, *_ = view.terms[event.a]
            below = above(view.facts, ending.spent.chain, event.chain)
            if not below or self.calls.is_log(view.module, event, view.number):
                continue
            if any(self.causes.is_itself(view, a) for a in (*args, *(v for _, v in kwargs))):
                return True
        return False

    def _none_or_known(self, view: View, ending: Ending) -> bool:
        """Whether a test on the way says that nothing failed, or which state it was that came last."""
        answers = self._tried(view, ending.event, ending.spent)
        for _, frame in frames(view.facts, ending.event.chain):
            if frame[0] != "test":
                continue
            term, holds = view.terms[frame[1]], frame[2]
            if term[0] == "un" and term[1] == "not":
                subject, empty = term[2], holds
            elif term[0] == "cmp" and term[1] in ("is", "is not") and view.terms[term[3]][1:2] == ("NoneType",):
                subject, empty = term[2], holds == (term[1] == "is")
            elif term[0] == "cmp" and term[1] == "==" and holds and frame[3] and view.terms[term[3]][1:2] == ("str",):
                subject, empty = term[2], True
            else:
                subject, empty = frame[1], not holds and term[0] in ("loop", "phi", "if")
            kept = view.terms[subject][0] in ("loop", "phi", "if")
            if empty and kept and self.causes.derives(view, subject, answers if term[0] == "cmp" else frozenset()):
                return term[0] != "cmp" or term[1] == "==" or self._keeps_failure(view, subject)
        return False

    def _keeps_failure(self, view: View, subject: int) -> bool:
        """Whether a variable holds what was caught, rather than the result of the work."""
        return self.causes.derives(view, subject)

    def _handed(self, view: View, event: Event) -> Iterator[int]:
        if event.kind == "set":
            yield event.b
            return
        if event.a == NONE:
            return
        term = view.terms[event.a]
        yield from (*term[2], *(v for _, v in term[3])) if event.kind == "call" else (event.a,)
        if event.kind == "raise" and event.b >= 0:
            yield event.b

    def _tried(self, view: View, event: Event, spent: Spent) -> frozenset[int]:
        """The calls whose answers the tries gave: those within the loop that tried."""
        around = loops(view.facts, event.chain)
        after = [f[1] for _, f in frames(view.facts, event.chain) if f[0] == "after"]
        found: set[int] = set()
        for loop in (*around[:1], *after[:1]):
            for call in view.events("call"):
                if inside(view.facts, call, loop) and self._is_try(view, call, event):
                    found.add(call.a)
        return frozenset(found)

    def _is_try(self, view: View, call: Event, event: Event) -> bool:
        if holds(event, call) or call.line >= event.line or self.calls.is_log(view.module, call, view.number):
            return False
        return call.a in self.counters.answers(view, call.a)

    def _has_context(self, view: View, event: Event) -> bool:
        """Whether python itself keeps what was being handled: raised in a handler, or in a function called from one."""
        function = Ref("fn", view.module, view.number)
        inside = handled(view.facts, event) or self._called_in_handlers(function)
        return inside and not self._kept_as_text(function)

    def _called_in_handlers(self, function: Ref) -> bool:
        calls = self.calls.callers(function)
        return bool(calls) and all(handled(self.linked.modules[c.module], c.event) for c in calls)

    def _kept_as_text(self, function: Ref, depth: int = 0) -> bool:
        """Whether somebody above stores no more of the exception than its text."""
        for call in self.calls.callers(function):
            facts = self.linked.modules[call.module]
            view = self.program.engine.view(call.module, call.function)
            for _, frame in frames(facts, call.event.chain):
                if frame[0] == "try" and self._stores_text(view, frame[1]):
                    return True
        return False

    def _stores_text(self, view: View, number: int) -> bool:
        for event in view.events("call", "set"):
            if not any(t == number for t, _ in handlers(view.facts, event.chain)):
                continue
            if event.kind == "call" and self.calls.is_log(view.module, event, view.number):
                continue
            for value in [event.b] if event.kind == "set" else view.terms[event.a][2]:
                term = view.terms[value]
                text = term[0] == "fstr" or term[0] == "call" and view.terms[term[1]] == ("name", "str")
                if text and any(view.terms[n][0] == "exc" and view.terms[n][1] == number for n in parts(term)):
                    return not any(
                        e.kind == "raise" and any(t == number for t, _ in handlers(view.facts, e.chain))
                        for e in view.function.events
                    )
        return False

    def _on_record(self, view: View, event: Event, values: list[int], answers: frozenset[int]) -> bool:
        """Whether the cause is written to the same record, here before or after the ending or by a caller before."""
        records = self._records(view, event, values)
        if self._written(view, event, records, answers):
            return True
        params = {view.terms[r][2] for r in records if view.terms[r][0] == "param" and view.terms[r][1] == view.number}
        return bool(params) and self._written_before(Ref("fn", view.module, view.number), params)

    def _records(self, view: View, event: Event, values: list[int]) -> set[int]:
        """The objects that an ending writes to or hands over: `job` of `job.state = …`, `close(job, …)`."""
        found: set[int] = set()
        if event.kind == "set":
            found.add(view.terms[event.a][1])
        elif event.kind == "call":
            _, callee, args, kwargs, *_ = view.terms[event.a]
            if view.terms[callee][0] == "attr":
                found.add(view.terms[callee][1])
            for number in (*args, *(v for _, v in kwargs)):
                found.add(number)
                if view.terms[number][0] in ("attr", "sub"):
                    found.add(view.terms[number][1])
        else:
            found |= {n for v in values for n in (v, *parts(view.terms[v]))}
        return {n for n in found if view.terms[n][0] in ("param", "iter", "loop", "call", "attr", "sub", "idx", "phi")}

    def _written(self, view: View, event: Event, records: set[int], answers: frozenset[int]) -> bool:
        for other in view.events("set", "call"):
            if other is event or not self._on_way(view, other, event):
                continue
            if other.kind == "set":
                if view.terms[other.a][1] in records and self.causes.derives(view, other.b, answers):
                    return True
                continue
            term = view.terms[other.a]
            if self.calls.is_log(view.module, other, view.number):
                continue
            args = (*term[2], *(v for _, v in term[3]))
            on = self._base(view, term[1])
            touched = {*args, *({on} if on >= 0 else ())}
            if touched & records and any(self.causes.derives(view, a, answers) for a in args):
                return True
        return False

    def _base(self, view: View, callee: int) -> int:
        """What a method is called on, down to the record: `job` of `job.errors.append(…)`."""
        term = view.terms[callee]
        if term[0] != "attr":
            return NONE
        inner = view.terms[term[1]]
        deeper = inner[0] in ("attr", "sub") and view.terms[inner[1]][0] in ("param", "iter", "call", "loop")
        return inner[1] if deeper else term[1]

    def _on_way(self, view: View, other: Event, event: Event) -> bool:
        """Whether `other` happens on the way to `event`, in the same turn, in a turn before, or right after it."""
        if above(view.facts, other.chain, event.chain):
            return True
        if above(view.facts, event.chain, other.chain) and other.line >= event.line:
            return True
        after = [f[1] for _, f in frames(view.facts, event.chain) if f[0] == "after"]
        return bool(after) and any(loop in after for loop in loops(view.facts, other.chain))

    def _written_before(self, function: Ref, params: set[int]) -> bool:
        for call in self.calls.callers(function):
            view = self.program.engine.view(call.module, call.function)
            _, callee, args, _, *_ = view.terms[call.event.a]
            method = view.terms[callee][0] == "attr"
            given = [view.terms[callee][1], *args] if method else list(args)
            records = {given[p] for p in params if p < len(given)}
            if self._written(view, call.event, records, frozenset()):
                return True
        return False
