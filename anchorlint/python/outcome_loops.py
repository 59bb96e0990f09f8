"""Loops without an end: those whose every failure leads back to their head, also one that stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.facts import Event, Facts, Try
from anchorlint.python.link import last_name
from anchorlint.python.outcome_beats import Beats
from anchorlint.python.outcome_terms import frames, handlers_on, in_loop, inside, tests
from anchorlint.python.outcomes import Outcomes, Place
from anchorlint.python.view import View

LASTING = frozenset({"wide", "mixed"})  #: kinds of classes that hold failures which stay for ever
_LIMITING = frozenset({"timeout", "timeout_at", "fail_after", "move_on_after", "wait_for", "alarm", "settimeout_at"})
_ENDING = frozenset({"exit", "_exit", "abort", "quit", "fail_json", "kill"})
_ASKING = frozenset({"input", "getpass", "prompt", "raw_input", "getkey", "getch", "get_wch"})
_ASIDE = frozenset({"sleep", "wait", "debug", "info", "warning", "warn", "error", "exception", "log", "print", "min",
                    "max", "uniform", "random", "append", "str", "close"})  # fmt: skip
_PASSING = frozenset({408, 409, 412, 423, 425, 429})
_REFUSALS = frozenset(
    {"UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "GONE", "BAD_REQUEST", "PROXY_AUTHENTICATION_REQUIRED"}
)
MOST_CALLERS = 12


class Endless(NamedTuple):
    """A retry without an end: what kind, where it stands, and where the failure is caught or asked for."""

    kind: str
    module: int
    place: Place
    caught: Place | None


class EndlessLoops:
    """Finds endless loops of one program's functions."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine
        self.beats = Beats(outcomes)

    def of(self, view: View) -> Iterator[Endless]:
        """The loops of a function that take a lasting failure round for ever."""
        facts = view.facts
        for number in self.outcomes.clauses.of(view.module, view.number):
            record = facts.tries[number]
            loop = self.around(facts, record)
            if loop is None or not self._is_endless(view, loop):
                continue
            for handler in range(len(record.handlers)):
                if self._goes_round(view, loop, number, handler):
                    found = facts.loops[loop]
                    clause = record.handlers[handler]
                    yield Endless(
                        "loop",
                        view.module,
                        (found.line, found.column, found.end_line, found.end_column),
                        (clause.line, clause.column, clause.end_line, clause.end_column),
                    )
                    break

    def around(self, facts: Facts, record: Try) -> int | None:
        """The loop that a try stands in, if the try is a statement of its own."""
        if record.kind == "attempt":
            return None
        return next((frame[2] for frame in frames(facts, record.chain) if frame[1] == "loop"), None)

    def _is_endless(self, view: View, loop: int) -> bool:
        """Whether a loop's head sets no limit: `while True`, somebody else's flag, or a count without end."""
        record = view.facts.loops[loop]
        if record.kind == "while":
            return not self._limits(view, record.subject, loop)
        if record.kind != "for":
            return False
        subject = view.terms[record.subject]
        return (
            subject[0] == "call"
            and last_name(view.terms, subject[1]) in ("count", "cycle", "repeat")
            and (len(subject[2]) < 2 and self._from_itertools(view, subject))
        )

    def _from_itertools(self, view: View, term: tuple) -> bool:
        ref = self.engine.linked.expression(view.module, term[1])
        return ref is not None and ref.dotted.startswith("itertools.")

    def _limits(self, view: View, number: int, loop: int) -> bool:
        """Whether a test hangs on what the loop counts, on a clock, or on anything but a constant or a flag."""
        for one in inside(view.facts, number):
            term = view.terms[one]
            if term[0] == "loop" and term[3] == loop and not self._is_flag(view, term[1]):
                return True
            if term[0] == "call" and self.is_clock(view, term):
                return True
            if term[0] in ("cmp", "phi", "if") and term[0] == "cmp" and term[1] in ("<", "<=", ">", ">="):
                return True
        return False

    def _is_flag(self, view: View, name: str) -> bool:
        """Whether a variable is only ever set to a constant or an answer, never counted."""
        binds = [e for e in view.events("bind") if e.a == name]
        return bool(binds) and all(view.terms[e.b][0] in ("const", "call", "entered") for e in binds)

    def is_clock(self, view: View, term: tuple) -> bool:
        """Whether a call reads a clock, or asks whether a time is over."""
        name = last_name(view.terms, term[1])
        return name in (
            "time",
            "monotonic",
            "now",
            "utcnow",
            "perf_counter",
            "clock",
            "expired",
            "exceeded",
            "remaining",
        )

    def _goes_round(self, view: View, loop: int, number: int, handler: int) -> bool:
        facts = view.facts
        events = [e for e in view.function.events if in_loop(facts, e.chain, loop)]
        if not any(
            e.kind in ("cont", "back") and e.a == loop and self._reaches(facts, e, number, handler) for e in events
        ):
            return False
        if not self._leaves_on_success(view, events, number, loop) or self._brings_new(view, events):
            return False
        kinds = self.outcomes.caught.kinds(view, number, handler)
        if not kinds or not kinds & LASTING or self.has_fatal(view, number, handler):
            return False
        if self._is_capped(view, events, loop) or self._is_limited(view):
            return False
        return not self._ends(view, [e for e in events if (number, handler) in set(handlers_on(facts, e.chain))], loop)

    def _reaches(self, facts: Facts, event: Event, number: int, handler: int) -> bool:
        """Whether a failure gets to an event: through its clause, or because what follows a try follows on each way."""
        if (number, handler) in set(handlers_on(facts, event.chain)):
            return True
        passed = any(f[1] in ("noexc", "try") and f[2] == number for f in frames(facts, event.chain))
        return not passed and event.end_line >= facts.tries[number].last_line

    def _ends(self, view: View, on_failure: list[Event], loop: int) -> bool:
        """Whether the failing way has an end of its own: a way out, an exit, a flag, a function that raises."""
        subject = set(inside(view.facts, view.facts.loops[loop].subject))
        names = self._asked(view, loop)
        for event in on_failure:
            if event.kind == "bind" and event.a in names:
                return True
            if event.kind in ("raise", "ret", "brk") and not self._only_joined(view, event):
                return True
            if event.kind == "set" and event.a in subject:
                return True
            if event.kind == "call" and self._may_end(view, event):
                return True
        return False

    def _only_joined(self, view: View, event: Event) -> bool:
        """Whether an event comes after the try on every way, so that it is no end of the failing one."""
        return not any(frame[1] == "exc" for frame in frames(view.facts, event.chain)) and not any(
            frame[1] == "test" for frame in frames(view.facts, event.chain)
        )

    def _may_end(self, view: View, event: Event) -> bool:
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name in _ENDING or (name in ("next", "anext") and len(term[2]) == 1):
            return True
        inner = self.outcomes.failures.called(view, event)
        return inner is not None and bool(self.outcomes.failures.raises(inner))

    def has_fatal(self, view: View, number: int, handler: int) -> bool:
        """Whether another clause of the same try lets a lasting failure out."""
        facts = view.facts
        for other in range(len(facts.tries[number].handlers)):
            kinds = self.outcomes.caught.kinds(view, number, other)
            if other == handler or (kinds is not None and kinds <= {"leaving", "transport"}):
                continue
            for event in view.function.events:
                if event.kind in ("ret", "raise", "brk") and (number, other) in set(handlers_on(facts, event.chain)):
                    return True
        return False

    def _is_capped(self, view: View, events: list[Event], loop: int) -> bool:
        """Whether some way out of the loop hangs on a count, a clock, or a status that means refusal."""
        counted = {e.a for e in events if e.kind == "set" and self.counts(view, e)}
        for event in events:
            if event.kind not in ("ret", "raise", "brk"):
                continue
            for frame in tests(view.facts, event.chain):
                if self._limits(view, frame[2], loop) or self.is_refusal(view, frame[2]):
                    return True
                if any(one in counted for one in inside(view.facts, frame[2])):
                    return True
        return False

    def counts(self, view: View, event: Event) -> bool:
        """Whether a store adds to or takes from something."""
        term = view.terms[event.b]
        return term[0] == "bin" and term[1] in "+-"

    def is_refusal(self, view: View, number: int) -> bool:
        """Whether a test asks for a status such as 401 or 404."""
        for one in inside(view.facts, number):
            term = view.terms[one]
            if term[0] != "cmp":
                continue
            for side in (term[2], term[3]):
                if any(self._is_refused_status(view, n) for n in inside(view.facts, side, 20)):
                    return True
        return False

    def _is_refused_status(self, view: View, number: int) -> bool:
        term = view.terms[number]
        if term[0] == "const":
            return term[1] == "int" and 400 <= term[2] < 500 and term[2] not in _PASSING
        return term[0] == "attr" and term[2].upper() in _REFUSALS

    def _leaves_on_success(self, view: View, events: list[Event], number: int, loop: int) -> bool:
        """Whether the loop is left when the work is done: then its turns are tries, not the beats of a service."""
        facts = view.facts
        for event in events:
            if event.kind == "yield":
                return False
        if self.beats.is_service(view, events, loop):
            return False
        names = self._asked(view, loop)
        for event in events:
            if event.kind in ("bind", "ret", "brk") and self.beats.is_apart(view, event, number):
                continue
            if event.kind == "bind" and event.a in names and self._follows(facts, event, number):
                return True
            if event.kind not in ("ret", "brk") or any(f[1] == "exc" for f in frames(facts, event.chain)):
                continue
            inner = next((f[2] for f in frames(facts, event.chain) if f[1] == "loop"), None)
            if inner != loop or (event.kind == "brk" and event.a != loop):
                continue
            if self._follows(facts, event, number) and not self._goes_on(view, events, event):
                return True
        return False

    def _goes_on(self, view: View, events: list[Event], leaving: Event) -> bool:
        """Whether more work follows a way out: then it is no end of the work."""
        for event in events:
            if event.kind != "call" or event.line <= leaving.end_line:
                continue
            if any(f[1] == "exc" for f in frames(view.facts, event.chain)):
                continue
            if last_name(view.terms, view.terms[event.a][1]) not in _ASIDE:
                return True
        return False

    def _asked(self, view: View, loop: int) -> set[str]:
        """The variables that a loop's test asks."""
        record = view.facts.loops[loop]
        if record.kind != "while":
            return set()
        terms = (view.terms[one] for one in inside(view.facts, record.subject))
        return {term[1] for term in terms if term[0] == "loop" and term[3] == loop}

    def _follows(self, facts: Facts, event: Event, number: int) -> bool:
        return event.line > facts.tries[number].line

    def _brings_new(self, view: View, events: list[Event]) -> bool:
        """Whether each turn takes another item, or asks a person."""
        words = self.engine.words["consume"]
        for event in events:
            if event.kind == "call":
                term = view.terms[event.a]
                name = last_name(view.terms, term[1])
                if name in words or name in _ASKING or (name == "get" and not term[2]):
                    return True
        return False

    def _is_limited(self, view: View) -> bool:
        """Whether a time limit stands around: in the function itself or where it is called."""
        if self.has_limit(view):
            return True
        for call in self.engine.linked.calls.get(view.function.name, ())[:MOST_CALLERS]:
            if self.has_limit(self.engine.view(call.module, call.function)):
                return True
        return False

    def has_limit(self, view: View) -> bool:
        """Whether a function sets a time limit."""
        return any(last_name(view.terms, view.terms[e.a][1]) in _LIMITING for e in view.events("call"))
