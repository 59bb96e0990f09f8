"""What uses a budget up and what gives it back: the writes that count and restore it, and the failures behind them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_ends import Ends, Spent
from anchorlint.python.budget_paths import frames, goes_on, handlers, is_control, loops, tries_in
from anchorlint.python.budget_places import Place, Places, Write
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_DEPTH = 3  #: callers of callers
_MAKERS = {"__init__", "__post_init__", "__new__", "<module>", "setUp", "__attrs_post_init__"}


class Budget(NamedTuple):
    """A place that failures use up, the writes that do so, the tests that it is over, the writes that restore it.

    `starts` are the writes that only set it up; `again` those that restore it because it is over.
    """

    place: Place
    uses: tuple[Write, ...]
    ends: tuple[Spent, ...]
    refunds: tuple[Write, ...]
    starts: tuple[Write, ...]
    again: tuple[Write, ...]


class Tried(NamedTuple):
    """A try whose handler leads to a failure edge."""

    module: int
    number: int
    handler: int


class Refunds:
    """The budgets of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.counters = program.part(Ends)
        self._tested: dict[int, tuple[tuple[int, int, bool], ...]] = {}

    @cached_property
    def budgets(self) -> tuple[Budget, ...]:
        """Every place that is counted on a failure edge and held against a limit."""
        return tuple([budget for place in self.places.tallies if (budget := self._budget(place)) is not None])

    def _budget(self, place: Place) -> Budget | None:
        writes = self.places.of(place)
        if self.is_gauge(writes):
            return None
        uses = tuple(w for w in writes if w.step and self.tried(w))
        if not uses:
            return None
        self.program.engine.ask(f"budget {place.name}")
        ends = tuple(self._ends(place, writes))
        if not ends:
            return None
        restores = [w for w in writes if not w.step]
        starts = tuple(w for w in restores if self._starts(w, uses))
        again = tuple(w for w in restores if w not in starts and self._once_over(w, place))
        refunds = tuple(w for w in restores if w not in starts and w not in again)
        return Budget(place, uses, ends, refunds, starts, again)

    def is_gauge(self, writes: tuple[Write, ...]) -> bool:
        """Whether one function counts up and down: how deep, or how many at a time, is no budget."""
        up = {w.function for w in writes if w.step > 0 and not w.grows}
        return any(w.step < 0 and w.function in up and not w.grows for w in writes)

    # failure edges

    def tried(self, write: Write) -> tuple[Tried, ...]:
        """The tries whose failure leads to a write: it stands in a handler, in a function called from one, or it
        counts every turn of a loop that tries again."""
        home = write.place.kind == "local" and write.place.owner[1] == write.function.number
        depth = MOST_DEPTH if home else 0  # a local's count ends with its function
        return tuple(dict.fromkeys(self.edges(write.function, write.event, depth))) or tuple(self._turns(write))

    def edges(self, function: Ref, event: Event, depth: int = 0) -> Iterator[Tried]:
        """The handlers on the way to an event, in its function or in those that call it."""
        facts = self.linked.modules[function.module]
        around = [one for one in handlers(facts, event.chain) if not is_control(facts, *one)]
        if around:
            yield Tried(function.module, *around[0])
        elif depth < MOST_DEPTH:
            for call in self.calls.callers(function):
                yield from self.edges(Ref("fn", call.module, call.function), call.event, depth + 1)

    def _turns(self, write: Write) -> Iterator[Tried]:
        facts = self.linked.modules[write.function.module]
        around = loops(facts, write.event.chain)
        if not around or facts.loops[around[0]].kind != "while" or write.grows:
            return
        inner = {f[1] for _, f in frames(facts, write.event.chain) if f[0] in ("try", "noexc")}
        for number in tries_in(facts, around[0]):
            if number not in inner:
                for handler in range(len(facts.tries[number].handlers)):
                    if goes_on(facts, around[0], number, handler) and not is_control(facts, number, handler):
                        yield Tried(write.function.module, number, handler)

    # ends and starts

    def _ends(self, place: Place, writes: tuple[Write, ...]) -> Iterator[Spent]:
        """The tests of the place against a limit, in the modules that write it and in those that call these."""
        modules = dict.fromkeys(w.function.module for w in writes)
        for write in writes:
            modules.update(dict.fromkeys(c.module for c in self.calls.callers(write.function)))
        for module in modules:
            yield from self._ends_in(module, place)

    def _ends_in(self, module: int, place: Place) -> Iterator[Spent]:
        for function, term, holds in self._tests(module):
            if not self.counters.suspects.may_tell(module, function, term):
                continue
            if place.kind == "local" and not self._sees(module, function, place):
                continue
            view = self.program.engine.view(module, function)
            found = self.counters.spent(view, term, holds, timed=False)
            if found is not None and self._is_of(found, place):
                yield found

    def _sees(self, module: int, function: int, place: Place) -> bool:
        """Whether a function has a local variable, or shares it with the one around it."""
        outer = self.linked.modules[module].functions[function].outer
        return place.owner[0] == module and place.owner[1] in (function, outer)

    def _is_of(self, spent: Spent, place: Place) -> bool:
        other = spent.counter.place if spent.counter is not None else None
        return other is not None and other[::2] == place[::2] and self.places.same(other, place)

    def _tests(self, module: int) -> tuple[tuple[int, int, bool], ...]:
        """The tests that the events of a module stand under: function, condition, whether it holds."""
        found = self._tested.get(module)
        if found is None:
            facts = self.linked.modules[module]
            all_: dict[tuple[int, int, bool], None] = {}
            for number, record in enumerate(facts.functions):
                for chain in dict.fromkeys([event[1] for event in record.events]):
                    for _, frame in frames(facts, chain):
                        if frame[0] == "test":
                            all_[number, frame[1], frame[2]] = None
            found = self._tested[module] = tuple(all_)
        return found

    def _starts(self, write: Write, uses: tuple[Write, ...]) -> bool:
        """Whether a write only sets the budget up: in a constructor, or before the loop in which it is used."""
        facts = self.linked.modules[write.function.module]
        record = facts.functions[write.function.number]
        if record.name in _MAKERS or write.function.number == 0:
            return True
        if handlers(facts, write.event.chain):
            return False
        if write.place.kind == "local" and write.place.owner[1] != write.function.number:
            return False  # a shared variable that an inner function sets
        around = set(loops(facts, write.event.chain))
        tried = {t for use in uses for t in self.tried(use)}
        used = {
            loop
            for one in tried
            if one.module == write.function.module and facts.tries[one.number].function == write.function.number
            for loop in loops(facts, facts.tries[one.number].chain)
        }
        if write.place.kind == "local" and not used:
            return not around
        return bool(used) and not used & around

    def _once_over(self, write: Write, place: Place) -> bool:
        """Whether a write starts the budget anew because it is over: that is its end, not its return."""
        view = self.program.view(write.function)
        over = False
        for _, frame in frames(view.facts, write.event.chain):
            if frame[0] == "test":
                found = self.counters.spent(view, frame[1], frame[2], timed=False)
                if found is None or not self._is_of(found, place):
                    return False  # something else is asked too, such as whether enough time has gone by
                over = over or frame[3]
        return over

    # what a refund hangs on

    def guards(self, function: Ref, event: Event, way: tuple[int, bool] | None) -> list[tuple[View, int]]:
        """The conditions that an event stands under in its function, innermost first."""
        view = self.program.view(function)
        found = [(view, way[0])] if way is not None else []
        for _, frame in frames(view.facts, event.chain):
            if frame[0] == "test":
                found.append((view, frame[1]))
        return found
