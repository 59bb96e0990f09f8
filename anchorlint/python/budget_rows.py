"""Counts that belong to one of many items, and whether an item lives on after a success."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.knowledge.families import parts as spelled
from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_paths import handlers, loops, trying
from anchorlint.python.budget_places import Write
from anchorlint.python.budget_refunds import Refunds, Tried
from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_DEPTH = 2  #: callers through which the holder of a count is followed
_STAYS = {"save", "commit", "flush", "refresh", "add", "update", "append"}


class Moved(NamedTuple):
    """Where the code shows progress, and in which words."""

    module: int
    place: tuple[int, int, int, int]
    text: str


class Rows:
    """Tells budgets of items from those of the program that works on them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.calls = program.part(CallGraph)
        self.counters = program.part(Ends)
        self.refunds = program.part(Refunds)

    def _failed(self, facts: Facts, event: Event, tried: Tried) -> bool:
        return any(number == tried.number for number, _ in handlers(facts, event.chain))

    def within(self, facts: Facts, event: Event, tried: Tried) -> bool:
        """Whether an event stands in the body of a try."""
        return tried.number in trying(facts, event.chain)

    # rows

    def _is_item(self, use: Write, tried: Tried) -> bool:
        """Whether the budget belongs to one of many items, as the trying function sees it."""
        facts = self.linked.modules[tried.module]
        base = self._base(use, Ref("fn", tried.module, facts.tries[tried.number].function))
        if base is None:
            return False
        view, number = base
        kind = view.terms[number][0]
        while kind in ("attr", "sub"):
            number = view.terms[number][1]
            kind = view.terms[number][0]
        if kind == "call":
            return True
        return kind in ("iter", "idx", "loop")

    def _base(self, use: Write, trying: Ref) -> tuple[View, int] | None:
        """The object that holds the count, as a term of the trying function."""
        view = self.program.view(use.function)
        if use.event.kind != "set" or view.terms[use.event.a][0] == "cell":
            return None
        target = view.terms[use.event.a]
        number = target[1]
        if use.keyed:  # the key tells whose count it is: `missed[device.name]`
            number = target[2]
            number = view.terms[number][1] if view.terms[number][0] in ("attr", "sub") else number
        function = use.function
        for _ in range(MOST_DEPTH):
            if function == trying:
                return view, number
            term = view.terms[number]
            if term[0] != "param" or term[1] != view.number:
                return None
            passed = self._passed(function, term[2])
            if passed is None:
                return None
            function, number = passed
            view = self.program.view(function)
        return (view, number) if function == trying else None

    def _passed(self, function: Ref, position: int) -> tuple[Ref, int] | None:
        for call in self.calls.callers(function):
            terms = self.linked.modules[call.module].terms
            _, callee, args, _, *_ = terms[call.event.a]
            method = terms[callee][0] == "attr" and self.linked.function(function).cls >= 0
            given = [terms[callee][1], *args] if method else list(args)
            if position < len(given):
                return Ref("fn", call.module, call.function), given[position]
        return None

    def _item_lives_on(self, use: Write, tried: Tried) -> Moved | None:
        """A success after which the item is still there for another round: it is written, and not to an end."""
        facts = self.linked.modules[tried.module]
        trying = Ref("fn", tried.module, facts.tries[tried.number].function)
        base = self._base(use, trying)
        if base is None:
            return None
        view, number = base
        ended = self._ended_fields(use)
        found = None
        for event in view.function.events:
            noted = event.kind == "set" and self.within(facts, event, tried)
            if not noted and not self._on_success(facts, event, tried):
                continue
            if event.kind == "set" and view.terms[event.a][1] == number and view.terms[event.a][0] == "attr":
                name = view.terms[event.a][2]
                if name in ended and not self._is_first_value(use, view, name, event.b):
                    return None
                found = found or event
            elif event.kind == "call" and self._takes_away(view, event, number):
                return None
        if found is None:
            return None
        where = (found.line, found.column, found.end_line, found.end_column)
        return Moved(tried.module, where, "a success is noted here and the count stays")

    def _on_success(self, facts: Facts, event: Event, tried: Tried) -> bool:
        if self._failed(facts, event, tried) or self.within(facts, event, tried):
            return False
        return (
            event.line > facts.tries[tried.number].line
            and loops(facts, event.chain)[:1] == loops(facts, facts.tries[tried.number].chain)[:1]
        )

    def _takes_away(self, view: View, event: Event, item: int) -> bool:
        """Whether a call gets the item, or a field of it: it may settle, delete or acknowledge it."""
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name in _STAYS or self.calls.is_log(view.module, event, view.number):
            return False
        callee = view.terms[term[1]]
        given = [*term[2], *(v for _, v in term[3]), *([callee[1]] if callee[0] == "attr" else [])]
        return any(g == item or self._names(view, g, item) for g in given)

    def _names(self, view: View, number: int, item: int) -> bool:
        """Whether a term is what an item is known by: `job.id`, `row["key"]`."""
        term = view.terms[number]
        if term[0] not in ("attr", "sub") or term[1] != item:
            return False
        name = term[2] if term[0] == "attr" else str(view.terms[term[2]][-1])
        return bool({"id", "key", "pk", "uid", "uuid", "handle", "tag", "receipt"} & set(spelled(str(name))))

    def _ended_fields(self, use: Write) -> set[str]:
        """The fields that are set in the functions that count, where the budget is over."""
        view = self.program.view(use.function)
        found = set()
        for event in view.events("set"):
            if view.terms[event.a][0] == "attr" and next(self.counters.spent_on(view, event.chain), None) is not None:
                found.add(view.terms[event.a][2])
        for event in view.events("call"):
            if next(self.counters.spent_on(view, event.chain), None) is not None:
                for callee in self.calls.callees(view.module, view.number, event.a):
                    inner = self.program.view(callee)
                    found |= {inner.terms[e.a][2] for e in inner.events("set") if inner.terms[e.a][0] == "attr"}
        return found

    def _is_first_value(self, use: Write, view: View, name: str, stored: int) -> bool:
        """Whether a field is set to what it is in a new item."""
        owner = use.place.owner
        field = self.linked.field(owner, name) if owner is not None and owner.kind == "cls" else None
        if field is None or field[1] < 0:
            return False
        first = self.program.engine.view(field[0], 0).value(field[1])
        return first is view.value(stored) or self._default_of(first) is view.value(stored)

    def _default_of(self, value: object) -> object:
        if getattr(value, "kind", "") == "result":
            return next((v for k, v in value.args[2] if k == "default"), None)  # type: ignore[attr-defined]
        return None
