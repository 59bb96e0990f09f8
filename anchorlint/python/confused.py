"""Confused: exits of a function that say the same of "could not look" and of "is not there any more"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from operator import not_

from anchorlint.python.causes import Cause, Causes
from anchorlint.python.confusion import Confusion as Confusion
from anchorlint.python.confusion import Exit as Exit
from anchorlint.python.confusion import Side, is_constant, says_something
from anchorlint.python.constants import Constants
from anchorlint.python.ended import is_ended_upon
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event
from anchorlint.python.failures import Failures
from anchorlint.python.gates import Gates
from anchorlint.python.guarding import Guarding
from anchorlint.python.link import Ref
from anchorlint.python.misses import UNREACHABLE, Misses
from anchorlint.python.program import Program
from anchorlint.python.value import Value, parts, within
from anchorlint.python.view import View

MOST_EXITS = 30  #: exits of one function that are compared
MOST_ARMS = 12  #: values of one exit
FUEL = 2500  #: terms evaluated for one function
_GENERIC = frozenset({"Exception", "BaseException", "OSError", "RuntimeError", "builtins.Exception", "IOError"})
Place = tuple[int, ...]


class Confused:
    """Compares the exits of the functions of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.misses: Misses = program.part(Misses)

    def all(self) -> Iterator[Confusion]:
        """Each pair of causes that is confused, where it happens first."""
        found: dict[tuple[Place, Place], Confusion] = {}
        for one in self._candidates():
            key = one.outage.place, one.gone.place
            if key not in found or one.rank < found[key].rank:
                found[key] = one
        yield from found.values()

    def _candidates(self) -> Iterator[Confusion]:
        misses = self.misses
        engine = _Engine(self, misses.engine, misses.failures, misses.retries.causes)
        guarding = Guarding(misses.asked.starts, self.program.retries.relevance)
        past = filter(self.program.elapsed.decides, self.program.retries.relevance.functions)
        gone = filter(guarding.reaches, filter(self._hangs_on_a_miss, misses.relevance.functions))
        for function in dict.fromkeys((*past, *gone)):
            yield from engine.of(function)

    def _hangs_on_a_miss(self, function: Ref) -> bool:
        """Whether some exit of a function may stand under what something that forgets has answered."""
        relevance = self.misses.relevance
        exits = (e for e in relevance.linked.function(function).events if e.kind in ("ret", "raise"))
        return any(relevance.is_timed(function.module, e, e.a) for e in exits)

    def may_be_past(self, function: Ref, exit_: Event) -> bool:
        """Whether an exit may be taken because an instant has passed or something is gone, by marks and gates alone."""
        elapsed = self.program.elapsed
        if elapsed.may_hang(function, exit_.chain) or self.misses.relevance.is_timed(function.module, exit_, exit_.a):
            return True
        return exit_.kind == "ret" and elapsed.may_tell(function, exit_.a)

    # judging a cause

    def past(self, cause: Cause, gates: Gates) -> tuple[Place, str, Value] | None:
        """Where a gate stands whose instant has passed, its horizon and the item's instant."""
        leaf = gates.of(cause.literal)
        if leaf is None or leaf.gate.closing or not isinstance(leaf.gate.item.key, Value):
            return None
        return leaf.place, f"after {leaf.gate.text}", leaf.gate.item.key

    def gone(self, cause: Cause) -> tuple[Place, str] | None:
        """Where something was asked whose miss a cause is, and what it is."""
        steps = tuple(s for s in cause.through if isinstance(s, View))
        for ask in self.misses.asks(cause.literal, steps):
            if not ask.life or self.misses.truth(cause.literal, ask) is not True:
                continue
            whole = self.misses.engine.formulas.conj([*cause.others, cause.literal])
            place = self.misses.asked.place_of(ask)
            if place is not None and self.misses.truth(whole, ask) is not False:
                return (place[0], *place[1]), f"once it is gone ({ask.name}, {ask.life})"
        return None


class _Engine:
    """The exits of functions as one evaluator sees them."""

    def __init__(self, confused: Confused, engine: Evaluator, failures: Failures, causes: Causes) -> None:
        self.confused = confused
        self.engine = engine
        self.failures = failures
        self.causes = causes
        self.constants = Constants(engine.linked, confused.program.relevance.callees)

    def of(self, function: Ref) -> Iterator[Confusion]:
        """The confusions of one function."""
        record = self.engine.linked.function(function)
        if function.number == 0 or not 0 < sum(e.kind in ("ret", "raise") for e in record.events) <= MOST_EXITS:
            return
        self.engine.ask(f"{self.engine.linked.modules[function.module].path}:{record.line} {record.qualname}", FUEL)
        view = self.engine.view(function.module, function.number)
        exits = [e for e in record.events if e.kind in ("ret", "raise") and e.a != NONE and self._may_say(function, e)]
        passed = [e for e in exits if self.confused.may_be_past(function, e)]
        groups: dict[Value, list[tuple[Event, Value | None]]] = {}
        for value, _, _ in self._answers(view, passed):
            if value not in groups and (says_something(value) or is_ended_upon(self.engine, function)):
                groups[value] = []
        for value, event, holds in self._answers(view, exits) if groups else ():
            if value in groups:
                groups[value].append((event, holds))
        for value, answers in groups.items():
            yield from self._pairs(function, view, value, answers)

    # exits

    def _answers(self, view: View, exits: list[Event]) -> Iterator[tuple[Value, Event, Value | None]]:
        """The constants that a function returns and what it raises here, each with a condition of its own."""
        for event in exits:
            value = view.value(event.a)
            if event.kind == "raise":
                value = self._thrown(view, event, value)
            arms = value.args[0] if value.kind == "case" else ((None, value),)
            for holds, arm in arms[:MOST_ARMS]:
                if event.kind == "raise" or is_constant(arm):
                    yield arm, event, holds
                elif (missed := self._missed(arm)) is not None:
                    none = [holds, missed] if holds is not None else [missed]
                    yield self.engine.values.none, event, self.engine.formulas.conj(none)

    def _may_say(self, function: Ref, exit_: Event) -> bool:
        """Whether an exit may say the same each time: by what it raises, by a constant, or by an ask that says None."""
        if exit_.kind == "raise" or self.constants.may_be(function.module, exit_.a):
            return True
        return self.confused.misses.relevance.is_marked(function.module, exit_.a)

    def _exit(self, view: View, value: Value, event: Event, holds: Value | None) -> Exit:
        condition = view.left(event.chain) if event.kind == "ret" else view.condition(event.chain)
        whole = condition if holds is None else self.engine.formulas.conj([condition, holds])
        return Exit(whole, value, event, holds is not None)

    def _thrown(self, view: View, event: Event, value: Value) -> Value:
        """An exception with what it is made of: equal ones are one value, one that names its cause is like none."""
        term = view.terms[event.a]
        given = [view.value(n) for n in (*term[2], *(n for _, n in term[3]))] if term[0] == "call" else []
        whole = self.engine.values("seq", "thrown", (value, *given))
        if parts(whole, "exc") or value.kind == "exc":
            return self.engine.values("unknown", view.module, event.line, event.column)
        return whole

    def _missed(self, value: Value) -> Value | None:
        """The condition under which an answer that is handed on as it is says None."""
        ask = self.confused.misses.asked.of(value)
        return self.engine.values("isnone", value) if ask is not None and "none" in ask.misses else None

    # causes

    def _pairs(
        self, function: Ref, view: View, value: Value, answers: list[tuple[Event, Value | None]]
    ) -> Iterator[Confusion]:
        """The outages that are answered like what is past; nothing is asked of other exits where nothing is past."""
        may_be_past = [self.confused.may_be_past(function, event) for event, _ in answers]
        causes = list(self._caused(view, value, compress(answers, may_be_past)))
        past = [(side, item) for one, cause in causes for side, item in self._past(one, cause)]
        if not past:
            return
        causes += self._caused(view, value, compress(answers, map(not_, may_be_past)))
        for one, cause in causes:
            if cause.literal.kind == "raised" and self._is_outage(cause.literal):
                outage = Side(one, self._try_place(cause.literal))
                for gone, item in past:
                    if self._belong(cause.literal, item, gone):
                        yield Confusion(function, outage, gone, self._rank(function, outage, gone))

    def _caused(
        self, view: View, value: Value, answers: Iterable[tuple[Event, Value | None]]
    ) -> Iterator[tuple[Exit, Cause]]:
        """The exits that say this, each with one of its causes."""
        for event, holds in answers:
            exit_ = self._exit(view, value, event, holds)
            yield from ((exit_, cause) for cause in self.causes.of(exit_.condition))

    def _past(self, one: Exit, cause: Cause) -> Iterator[tuple[Side, Value | None]]:
        """The sides on which an exit is taken for ever after, each with the item whose instant has passed."""
        gone = self.confused.gone(cause)
        if gone is not None:
            yield Side(one, *gone), None
        seen = self.confused.past(cause, self.confused.program.gates)
        if seen is not None:
            yield Side(one, seen[0], seen[1]), seen[2]

    def _try_place(self, literal: Value) -> Place:
        view, number, handler = literal.args
        record = view.facts.tries[number].handlers[handler]
        return (view.module, record.line, record.column, record.end_line, record.end_column)

    def _rank(self, function: Ref, outage: Side, gone: Side) -> int:
        record = self.engine.linked.function(function)
        places = [p for p in (outage.place, gone.place) if p[0] == function.module]
        return 2 - sum(record.line <= p[1] <= record.end_line for p in places)

    def _is_outage(self, literal: Value) -> bool:
        """Whether a handler takes what a store raises that cannot be reached."""
        view, number, handler = literal.args
        models = self.engine.models
        for cls in self.failures.handled(view, number, handler) or ():
            name = cls.dotted.removeprefix("builtins.")
            if not name:
                continue
            if name in _GENERIC:
                if any(self._asks(view, event) for event in self._body(view, number)):
                    return True
            elif "outage" in models.meaning(name) or self._holds_outage(name):
                return True
        return any(
            part.args[1].args[:1] == (UNREACHABLE,)
            for _, _, condition in self.failures.reaching(view, number, handler)
            for part in parts(condition, "eq")
        )

    def _holds_outage(self, name: str) -> bool:
        """Whether some class below a mixed one says that the other side cannot be reached."""
        models = self.engine.models
        below = (one for library in models.exceptions for one in library.outage)
        return "mixed" in models.meaning(name) and any(models.families.is_subclass(one, name) for one in below)

    def _asks(self, view: View, event: Event) -> bool:
        callee = view.value(view.terms[event.a][1])
        effect = self.engine.models.effect(self.engine.calls.target(callee), self.engine.calls.receiver(callee))
        return effect is not None and effect.does == "read"

    def _body(self, view: View, number: int) -> Iterator[Event]:
        for event in view.events("call"):
            chain = event.chain
            while chain > 0:
                frame = view.facts.chains[chain]
                if frame[1] == "try" and frame[2] == number:
                    yield event
                    break
                chain = frame[0]

    def _belong(self, literal: Value, item: Value | None, gone: Side) -> bool:
        """Whether both causes are about one question: what is asked in the try is the gate's item, or the same read."""
        view, number, _ = literal.args
        if item is None:
            places = {(view.module, e.line) for e in self._body(view, number)}
            return (gone.place[0], gone.place[1]) in places or self._reads(view, number, gone.place)
        subjects = [item, *([item.args[0]] if item.kind in ("attr", "item", "part") else [])]
        subjects = [s for s in subjects if s.kind != "typed" and not self._is_self(s)]
        for event in self._body(view, number):
            term = view.terms[event.a]
            given = [view.value(n) for n in (*term[2], *(n for _, n in term[3]))]
            if any(within(value, subject) for value in given for subject in subjects):
                return True
        return False

    def _reads(self, view: View, number: int, place: Place) -> bool:
        """Whether a call in the try's body runs the function in which the read stands."""
        for event in self._body(view, number):
            inner = self.failures.called(view, event)
            if inner is None or inner.module != place[0]:
                continue
            if inner.function.line <= place[1] <= inner.function.end_line:
                return True
        return False

    def _is_self(self, value: Value) -> bool:
        if value.kind != "param" or value.args[2] != 0:
            return False
        return self.engine.linked.modules[value.args[0]].functions[value.args[1]].cls >= 0
