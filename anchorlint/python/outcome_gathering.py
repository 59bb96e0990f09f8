"""Gathering: collections from which failed reads dropped out, and actions on what is therefore missing in them."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import NONE, Event, Facts, Function
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_filters import Filtered, Partial
from anchorlint.python.outcome_lacking import missing
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcome_terms import FUEL, frames, handler_here, in_body, in_loop, inside, tests
from anchorlint.python.outcomes import Conversion, Place
from anchorlint.python.terms import parts
from anchorlint.python.view import View

_FILLING = frozenset({"append", "add", "update", "extend", "setdefault", "insert", "appendleft"})
_MADE = frozenset({"set", "dict", "list", "defaultdict", "OrderedDict", "deque", "Counter"})
MOST_CALLERS = 8


class Gathering:
    """Finds actions of one program on what is missing in a partial collection."""

    def __init__(self, sinks: Sinks) -> None:
        self.sinks = sinks
        self.outcomes = sinks.outcomes
        self.engine = sinks.engine
        self.filtered = Filtered(self.outcomes, sinks.telling.tells)
        self._gathering: dict[int, set[int]] = {}

    def functions(self, module: int) -> set[int]:
        """The functions of a module in which a read may fail in a loop, a comprehension may filter failures, or
        exceptions are among answers; in the others `of` finds nothing."""
        found = self._gathering.get(module)
        if found is None:
            index = self.engine.linked.indexes[module]
            found = self._gathering[module] = {*self._trying(module), *self.filtered.functions(module, index)}
        return found

    def _trying(self, module: int) -> Iterator[int]:
        facts = self.engine.linked.modules[module]
        may_fail = self.outcomes.clauses.may_fail
        for number, record in enumerate(facts.tries):
            handlers = range(len(record.handlers)) if self._loop_around(facts, record.chain) is not None else ()
            if any(may_fail(module, number, handler) for handler in handlers):
                yield record.function

    def of(self, function: Ref) -> Iterator[Taken]:
        """The actions that follow from collections which this function gathers with failures left out."""
        if function.number not in self.functions(function.module):
            return
        facts = self.engine.linked.modules[function.module]
        record = facts.functions[function.number]
        self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
        view = self.engine.view(function.module, function.number)
        for partial in self._partials(view):
            yield from self._acted(view, partial.terms, partial, partial.noted)
            yield from self._handed_on(view, partial)

    # what is gathered

    def _partials(self, view: View) -> Iterator[Partial]:
        facts = view.facts
        for loop, conversion, places in self._drops(view):
            noted = frozenset(self._noted(view, places))
            for event in view.function.events:
                target = self._filled(facts, event)
                if target is None or target in noted or not in_loop(facts, event.chain, loop):
                    continue
                if event not in places:
                    yield Partial(frozenset({target, *self._after(facts, target)}), loop, conversion, noted)
                    break
        for event, number in self.filtered.of(view):
            terms = frozenset({number})
            conversion = self.filtered.dropped(view, event, number) if self._may_lack(view, terms) else None
            if conversion is not None:
                yield Partial(terms, NONE, conversion, frozenset())

    def _may_lack(self, view: View, terms: frozenset[int]) -> bool:
        """Whether some call here, or where the collection is returned to, may be about what it lacks."""
        if self._lacks_in(view.facts, view.function, terms):
            return True
        calls = self.engine.linked.calls.get(view.function.name, ())[:MOST_CALLERS]
        for position, _ in self._returned(view, terms):
            for call in calls:
                facts = self.engine.linked.modules[call.module]
                given, _ = self._given(facts, call.event.a, position)
                if self._lacks_in(facts, facts.functions[call.function], given):
                    return True
        return False

    def _lacks_in(self, facts: Facts, function: Function, terms: frozenset[int]) -> bool:
        """Whether a call of a function that may be an action is about what a collection lacks."""
        may_be, of = self.sinks.verbs.may_be, facts.terms
        calls = (event for event in function.events if event[0] == "call")
        return any(may_be(last_name(of, of[event.a][1])) and missing(facts, event, terms) for event in calls)

    def _after(self, facts: Facts, target: int) -> list[int]:
        """What a sum is after its loop."""
        if facts.terms[target][0] != "loop":
            return []
        return [n for n, term in enumerate(facts.terms) if term[0] == "phi" and target in term[1]]

    def _filled(self, facts: Facts, event: Event) -> int | None:
        """The collection that an event puts something into, if it was made here."""
        if event.kind == "bind":
            value = facts.terms[event.b]
            added = value[0] == "bin" and value[1] in "+|" and facts.terms[value[2]][:2] == ("loop", event.a)
            return value[2] if added else None
        if event.kind == "set" and facts.terms[event.a][0] == "sub":
            base = facts.terms[event.a][1]
        elif event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in _FILLING:
            callee = facts.terms[facts.terms[event.a][1]]
            base = callee[1] if callee[0] == "attr" else NONE
        else:
            return None
        return base if base >= 0 and self._is_made(facts, base) else None

    def _is_made(self, facts: Facts, number: int) -> bool:
        term = facts.terms[number]
        if term[0] == "map":
            return True
        if term[0] == "seq":
            return term[1] != "tuple"
        return term[0] == "call" and last_name(facts.terms, term[1]) in _MADE

    def _drops(self, view: View) -> Iterator[tuple[int, Conversion, list[Event]]]:
        """Each loop in which a failed read leads on to the next item, with the events on that way."""
        facts = view.facts
        for number in self.outcomes.clauses.of(view.module, view.number):
            record = facts.tries[number]
            loop = self._loop_around(facts, record.chain)
            if loop is None or not self._is_asked_after(view, loop):
                continue
            for handler in range(len(record.handlers)):
                if not self.outcomes.clauses.may_fail(view.module, number, handler):
                    continue
                found = self._of_handler(view, number, handler, loop)
                if found is not None:
                    yield found
        if any(self.filtered.hands_back(facts, event) for event in view.function.events):
            yield from self._answers(view)

    def _is_asked_after(self, view: View, loop: int) -> bool:
        """Whether a loop fills a collection by whose lack of something a call may be made."""
        facts = view.facts
        filled = {self._filled(facts, e) for e in view.function.events if in_loop(facts, e.chain, loop)} - {None}
        return any(self._may_lack(view, frozenset({one, *self._after(facts, one)})) for one in filled)

    def _loop_around(self, facts: Facts, chain: int) -> int | None:
        for frame in frames(facts, chain):
            if frame[1] == "loop":
                loop = facts.loops[frame[2]]
                return frame[2] if loop.kind == "for" else None
        return None

    def _of_handler(
        self, view: View, number: int, handler: int, loop: int
    ) -> tuple[int, Conversion, list[Event]] | None:
        facts = view.facts
        kinds = self.outcomes.doubtful(view, number, handler)
        read = self.outcomes.read_in(view, number, kinds) if kinds else None
        if kinds is None or read is None:
            return None
        within = [e for e in view.function.events if self._in_handler(facts, e, number, handler)]
        if any(e.kind in ("ret", "raise", "brk") for e in within):
            return None
        if any(self.outcomes.asks(view, e, number, handler) for e in within):
            return None
        leaving = next((e for e in within if e.kind == "cont"), None)
        clause = facts.tries[number].handlers[handler]
        place: Place = (clause.line, clause.column, clause.end_line, clause.end_column)
        if leaving is not None:
            place = _place(leaving)
        elif not self._skips(view, number, loop):
            return None
        return loop, Conversion(view.module, place, number, handler, read, kinds), within

    def _in_handler(self, facts: Facts, event: Event, number: int, handler: int) -> bool:
        return handler_here(facts, event, number, handler) and any(
            f[1] == "exc" and f[2:4] == (number, handler) for f in frames(facts, event.chain)
        )

    def _skips(self, view: View, number: int, loop: int) -> bool:
        """Whether collecting happens only where the try's body came to its end."""
        facts = view.facts
        return any(
            self._filled(facts, e) is not None
            and in_loop(facts, e.chain, loop)
            and (
                in_body(facts, e.chain, number)
                or any(f[1] == "noexc" and f[2] == number for f in frames(facts, e.chain))
            )
            for e in view.function.events
        )

    def _answers(self, view: View) -> Iterator[tuple[int, Conversion, list[Event]]]:
        """The same for failures that `gather(return_exceptions=True)` hands back among the answers."""
        facts = view.facts
        for event in view.function.events:
            if event.kind != "cont" or not self._is_error_test(view, event.chain):
                continue
            loop = facts.loops[event.a]
            gathered = self.filtered.gathered(view, loop.subject)
            if gathered is None:
                continue
            test = next(f for f in frames(facts, event.chain) if f[1] == "test")
            within = [e for e in view.function.events if any(f == test for f in frames(facts, e.chain)) and test[3]]
            yield event.a, Conversion(view.module, _place(event), NONE, NONE, gathered, frozenset({"wide"})), within

    def _is_error_test(self, view: View, chain: int) -> bool:
        for frame in frames(view.facts, chain):
            if frame[1] == "loop":
                return False
            if frame[1] == "test" and frame[3] and frame[4] and self.filtered.asks_error(view, frame[2]):
                return True
        return False

    def _noted(self, view: View, within: list[Event]) -> Iterator[int]:
        """What a failing turn writes down: collections it fills, names and fields that it sets."""
        facts = view.facts
        for event in within:
            filled = self._filled(facts, event)
            if filled is not None:
                yield filled
            elif event.kind in ("bind", "set"):
                yield event.b
                if event.kind == "set":
                    yield event.a

    # what follows

    def _acted(self, view: View, partial: frozenset[int], found: Partial, noted: frozenset[int]) -> Iterator[Taken]:
        facts = view.facts
        for event in view.function.events:
            if (
                event.kind != "call"
                or in_loop(facts, event.chain, found.loop)
                and view.module == found.conversion.module
            ):
                continue
            if not self.sinks.verbs.may_be(last_name(facts.terms, facts.terms[event.a][1])):
                continue
            decided = missing(facts, event, partial)
            if not decided or self._heeds(facts, event, decided, noted):
                continue
            action = self.sinks.actions.of(view, event, statement=event.a not in self.outcomes.used(view))
            if action is not None:
                yield Taken(found.conversion, view, event, action)

    def _heeds(self, facts: Facts, event: Event, decided: list[int], noted: frozenset[int]) -> bool:
        """Whether what noted the failures is asked before the action, or taken out of what is missing."""
        if not noted:
            return False
        asked = [frame[2] for frame in tests(facts, event.chain)]
        return any(one in noted for number in (*decided, *asked) for one in inside(facts, number))

    def _handed_on(self, view: View, partial: Partial) -> Iterator[Taken]:
        """The same in the functions that get the collection as a return value."""
        for position, event in self._returned(view, partial.terms):
            if any(one in partial.noted for f in tests(view.facts, event.chain) for one in inside(view.facts, f[2])):
                continue
            for call in self.engine.linked.calls.get(view.function.name, ())[:MOST_CALLERS]:
                caller = self.engine.view(call.module, call.function)
                callee = caller.value(caller.terms[call.event.a][1])
                if callee.kind == "fn" and callee.args[:2] == (view.module, view.number):
                    yield from self._in_caller(caller, call.event.a, position, partial)

    def _returned(self, view: View, partial: frozenset[int]) -> Iterator[tuple[int, Event]]:
        for event in view.events("ret"):
            term = view.terms[event.a]
            if event.a in partial or (term[0] == "call" and partial & set(parts(term))):
                yield NONE, event
            elif term[0] == "seq" and partial & set(term[2]):
                yield next(at for at, one in enumerate(term[2]) if one in partial), event

    def _in_caller(self, caller: View, call: int, position: int, partial: Partial) -> Iterator[Taken]:
        terms, others = self._given(caller.facts, call, position)
        yield from self._acted(caller, terms, partial._replace(loop=NONE), others)

    def _given(self, facts: Facts, call: int, position: int) -> tuple[frozenset[int], frozenset[int]]:
        """What a call that returns the collection, alone or at a position, is in its caller, and what else it gives."""
        if position < 0:
            return frozenset({call}), frozenset()
        numbers = {n: t[2] for n, t in enumerate(facts.terms) if t[0] == "idx" and t[1] == call}
        terms = frozenset(n for n, at in numbers.items() if at == position)
        return terms, frozenset(numbers) - terms


def _place(event: Event) -> Place:
    return event.line, event.column, event.end_line, event.end_column
