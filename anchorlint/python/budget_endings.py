"""Endings: what a function seals once a budget is spent, what the seal says, and whether the failure goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_causes import Causes, Failure
from anchorlint.python.budget_counters import Counters, Spent, parts
from anchorlint.python.budget_paths import above, frames, handled, handlers, inside, loops
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

_SQL = re.compile(r"\s*(select|insert|update|delete|with|merge|create|alter)\b", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']*)'")
_ASKS = {"get", "getattr", "setdefault", "format", "join", "sleep", "str", "isinstance", "min", "max", "len", "repr",
         "range", "int", "float", "replace", "strip", "split", "startswith", "endswith", "encode", "field", "Counter",
         "getLogger", "super", "hasattr", "round", "labels", "print"}  # fmt: skip

_AT_END = {"retry_error_callback", "on_giveup"}  # tenacity, backoff
_AGAIN = {"retry", "Retry", "TryAgain", "requeue", "reschedule", "apply_async", "enqueue_in", "enqueue_at", "defer"}


class Ending(NamedTuple):
    """What is sealed at `event` under `spent`; `label` names the budget, `said` is whether it does so in words."""

    function: Ref
    event: Event
    spent: Spent
    label: str
    said: bool


class Endings:
    """Finds the endings of budgets in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.counters = program.part(Counters)
        self.causes = program.part(Causes)
        self.calls = program.part(CallGraph)
        self.words = program.words["budget"]

    # what is sealed

    def of(self, function: Ref) -> Iterator[Ending]:
        """The endings of a function that are named after a budget which is spent there."""
        view = self.program.view(function)
        found: list[Ending] = []
        for event in view.events("raise", "ret", "call", "set"):
            label = self.label(view, event)
            if label is None:
                continue
            if not label and not self._formats(view, event):
                continue
            spent = self._spent(view, event, bool(label))
            if spent is not None and (label or self._numbers(view, event, spent)):
                found.append(Ending(function, event, spent, label or "", bool(label)))
        yield from self._outermost(found)

    def _outermost(self, found: list[Ending]) -> Iterator[Ending]:
        for one in found:
            if not any(other is not one and _holds(other.event, one.event) for other in found):
                yield one

    def _formats(self, view: View, event: Event) -> bool:
        term = view.terms[event.a]
        values = [*term[2], *(v for _, v in term[3])] if term[0] == "call" else [event.a]
        return any(view.terms[v][0] == "fstr" for v in values)

    def _spent(self, view: View, event: Event, named: bool) -> Spent | None:
        found = next(self.counters.spent_on(view, event.chain), None)
        function = Ref("fn", view.module, view.number)
        if found is None and named and function in self._called_at_end:
            return Spent("callback", function, 0)
        return found or (self._spent_outside(view) if named else None)

    @cached_property
    def _called_at_end(self) -> frozenset[Ref]:
        """The functions that a retry decorator calls once its budget is spent."""
        found: set[Ref] = set()
        for module, facts in enumerate(self.linked.modules):
            for record in facts.functions:
                for decorator in record.decorators:
                    term = facts.terms[decorator]
                    for name, value in term[3] if term[0] == "call" else ():
                        ref = self.linked.expression(module, value) if name in _AT_END else None
                        if ref is not None and ref.kind == "fn":
                            found.add(ref)
        return frozenset(found)

    def _spent_outside(self, view: View) -> Spent | None:
        """A function that is only called once a budget is over."""
        function = Ref("fn", view.module, view.number)
        found = None
        for call in self.calls.callers(function):
            outer = self.program.engine.view(call.module, call.function)
            found = next(self.counters.spent_on(outer, call.event.chain), None)
            if found is None:
                return None
        return found

    # what it says

    def label(self, view: View, event: Event) -> str | None:
        """The words in which an ending names a budget, "" where it has text without them, None where it is no seal."""
        if event.kind == "call" and not self._seals(view, event):
            return None
        texts = list(self._texts(view, event))
        if not texts or self._asks_again(view, event):
            return None
        named = next((text for text in texts if self.words.weight(text) > 0), None)
        return named if named is not None else "" if event.kind != "set" else None

    def _asks_again(self, view: View, event: Event) -> bool:
        """Whether work is put back here, which is no ending: `raise self.retry()`, `raise Retry`."""
        if event.a == NONE or event.kind == "set":
            return False
        term = view.terms[event.a]
        name = last_name(view.terms, term[1] if term[0] == "call" else event.a)
        if name in _AGAIN:
            return True
        models = self.program.models
        ref = self.linked.expression(view.module, term[1] if term[0] == "call" else event.a)
        return ref is not None and ref.kind == "ext" and models.retry_raise(ref.dotted) is not None

    def _seals(self, view: View, event: Event) -> bool:
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name in _ASKS or not (term[2] or term[3]) or self.calls.is_log(view.module, event, view.number):
            return False
        return not (name in self.program.words["log"] or name.startswith("log"))

    def _texts(self, view: View, event: Event) -> Iterator[str]:
        if event.kind == "raise":
            yield from self._raised(view, event)
        elif event.kind == "ret":
            if view.terms[event.a][0] in ("call", "const", "fstr", "seq", "map", "attr", "name", "import"):
                yield from self._words(view, event.a)
        elif event.kind == "set":
            if view.terms[event.b][0] in ("const", "fstr", "attr", "name", "import", "bin"):
                yield from self._words(view, event.b)
        else:
            _, callee, args, kwargs, *_ = view.terms[event.a]
            for number in (*args, *(v for _, v in kwargs)):
                yield from self._words(view, number)

    def _raised(self, view: View, event: Event) -> Iterator[str]:
        if event.a == NONE:
            return
        term = view.terms[event.a]
        name = last_name(view.terms, term[1] if term[0] == "call" else event.a)
        if name:
            yield name
        if term[0] == "call":
            for number in (*term[2], *(v for _, v in term[3])):
                yield from self._words(view, number)

    def _words(self, view: View, number: int, depth: int = 0) -> Iterator[str]:
        """The literal texts, constants and enum members that a value is made of."""
        term = view.terms[number]
        kind = term[0]
        if kind == "const":
            if term[1] == "bytes":
                yield term[2].decode("latin-1")
            elif term[1] == "str":
                yield from _QUOTED.findall(term[2]) if _SQL.match(term[2]) else (term[2],)
        elif kind in ("name", "import", "outer"):
            yield from self._constant(view, number)
        elif kind == "attr":
            yield from self._member(view, number, term)
        elif kind == "map":
            for _, value in term[1]:
                yield from self._words(view, value, depth + 1)
        elif kind == "call" and depth < 3:
            name = last_name(view.terms, term[1])
            if name[:1].isupper():
                yield name
            if name not in _ASKS or name in ("format", "str", "join", "replace"):
                for inner in (*term[2], *(v for _, v in term[3])):
                    yield from self._words(view, inner, depth + 1)
        elif kind in ("fstr", "seq", "bin") and depth < 4:
            for inner in parts(term):
                yield from self._words(view, inner, depth + 1)

    def _member(self, view: View, number: int, term: tuple) -> Iterator[str]:
        base = self.linked.expression(view.module, term[1])
        if base is not None and base.kind in ("cls", "ext"):
            yield term[2]
        if base is not None and base.kind == "cls":
            field = self.linked.field(base, term[2])
            if field is not None and field[1] >= 0:
                value = self.linked.modules[field[0]].terms[field[1]]
                if value[:2] == ("const", "str"):
                    yield value[2]
        elif base is not None and base.kind == "mod":
            yield from self._constant(view, number)

    def _constant(self, view: View, number: int) -> Iterator[str]:
        """The text that a module's constant holds."""
        ref = self.linked.expression(view.module, number)
        if ref is not None and ref.kind == "val":
            value = self.linked.modules[ref.module].terms[ref.number]
            if value[:2] == ("const", "str"):
                yield value[2]

    def _numbers(self, view: View, event: Event, spent: Spent) -> bool:
        """Whether the text of an ending gives the count or the limit that was reached."""
        if spent.function != Ref("fn", view.module, view.number):
            return False
        wanted = {n for n in (spent.term, spent.limit) if n >= 0 and view.terms[n][0] != "const"}
        pending = [event.a] if event.kind != "set" else [event.b]
        seen: set[int] = set()
        in_text = False
        while pending and len(seen) < 200:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            in_text = in_text or view.terms[number][0] == "fstr"
            if number in wanted and in_text:
                return True
            pending += parts(view.terms[number])
        return False

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
        if _holds(event, call) or call.line >= event.line or self.calls.is_log(view.module, call, view.number):
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


def _holds(outer: Event, inner: Event) -> bool:
    """Whether one event's text contains another's."""
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    end = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    same = (outer.line, outer.column, outer.end_line, outer.end_column) == (
        inner.line, inner.column, inner.end_line, inner.end_column)  # fmt: skip
    return start and end and not same
