"""Orphans: what a collection lacks is acted on, and a failed read had left that collection empty."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import Event, Facts
from anchorlint.python.formula import Formulas
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_formula import Assumed, raised_in
from anchorlint.python.outcome_lacked import asks_after, lacked_by, lacked_on
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcome_terms import FUEL, frames, handler_here, handlers_on, inside
from anchorlint.python.outcomes import Conversion
from anchorlint.python.value import Value
from anchorlint.python.view import View

_KEPT = frozenset({"set", "dict", "list", "frozenset", "tuple", "sorted", "reversed", "deque", "OrderedDict"})
_OF_IT = frozenset({"keys", "values", "items", "copy"})
_FILLING = ("add", "append", "extend", "update", "setdefault", "insert")
MOST_SIZE = 1500
MOST_DEPTH = 6


class Orphans:
    """Finds actions of one program on what is missing in a collection that could not be read."""

    def __init__(self, sinks: Sinks) -> None:
        self.sinks = sinks
        self.outcomes = sinks.outcomes
        self.engine = sinks.engine
        self._lacking: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def functions(self, module: int) -> set[int]:
        """The functions of a module in which what may be an action follows from what is lacked by a collection that
        may not have been read; in the others `of` finds nothing."""
        calls, verbs = self.engine.linked.indexes[module].calls, self.sinks.verbs
        return {
            number
            for name, events in calls.items()
            if verbs.may_be(name)
            for number, event in events
            if self._asked(module, event)
        }

    def of(self, function: Ref) -> Iterator[Taken]:
        """The actions in one function on what a failed read left out of a collection, together with all else."""
        facts = self.engine.linked.modules[function.module]
        view: View | None = None
        for event in facts.functions[function.number].events:
            if event.kind != "call" or not self.sinks.verbs.may_be(last_name(facts.terms, facts.terms[event.a][1])):
                continue
            asked = self._asked(function.module, event)
            if not asked:
                continue
            if view is None:
                record = facts.functions[function.number]
                self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
                view = self.engine.view(function.module, function.number)
            yield from self._acted(view, event, asked)

    def _asked(self, module: int, event: Event) -> list[tuple[int, int]]:
        """The collections that lack what a call is about and may not have been read, with the tests that ask so."""
        facts, tells = self.engine.linked.modules[module], self.sinks.telling.tells
        key = module, event.chain
        under = self._lacking.get(key)
        if under is None:
            under = self._lacking[key] = [one for one in lacked_on(facts, event.chain) if tells(module, one[0])]
        return under + [one for one in lacked_by(facts, event.a) if tells(module, one[0])]

    def _acted(self, view: View, event: Event, asked: list[tuple[int, int]]) -> Iterator[Taken]:
        if any(handler_here(view.facts, event, *one) for one in set(handlers_on(view.facts, event.chain))):
            return  # an answer to another failure
        action = self.sinks.actions.of(view, event, statement=event.a not in self.outcomes.used(view))
        if action is None:
            return
        for number, test in asked:
            for literal, conversion in self._emptied(view, number):
                if self._is_unguarded(view, event, number, test, literal):
                    yield Taken(conversion, view, event, action)

    def _emptied(self, view: View, number: int) -> Iterator[tuple[Value, Conversion]]:
        """The failed reads after which a collection is empty."""
        value = view.value(number)
        if value.size > MOST_SIZE:
            return
        for literal in raised_in(value):
            conversion = self.outcomes.of(literal)
            if conversion is not None and is_empty(self.engine.formulas, value, literal):
                yield literal, conversion

    def _is_unguarded(self, view: View, event: Event, number: int, test: int, literal: Value) -> bool:
        """Whether the action is taken where the collection is empty: no other test asks after it, or lets it pass."""
        facts, truth = view.facts, self.engine.arithmetic.truth
        assumed = Assumed(self.engine.formulas, literal, True)
        if assumed(view.condition(event.chain)) is self.engine.values.false:
            return False
        roots = self._roots(facts, view.module, number)
        if self._is_filled(view, roots):
            return False
        for frame in frames(facts, event.chain):
            if frame[1] != "test" or not asks_after(facts, frame[2], roots):
                continue
            given = assumed(truth(view.value(frame[2])))
            if frame[2] != test and given is not self.engine.values.truth(frame[3]):
                return False
        return True

    def _is_filled(self, view: View, roots: frozenset[int]) -> bool:
        """Whether something else is put into the collection."""
        calls = self.engine.linked.indexes[view.module].calls
        callees = [
            view.terms[view.terms[event.a][1]]
            for name in _FILLING
            for function, event in calls.get(name, ())
            if function == view.number
        ]
        return any(callee[0] == "attr" and callee[1] in roots for callee in callees)

    def _roots(self, facts: Facts, module: int, number: int) -> frozenset[int]:
        """What a collection is made of: the calls and cases that may hold a failure."""
        return frozenset(
            one
            for one in inside(facts, number)
            if facts.terms[one][0] in ("call", "if", "phi", "comp") and self.sinks.telling.tells(module, one)
        )


def is_empty(formulas: Formulas, value: Value, literal: Value, depth: int = 0) -> bool:
    """Whether a collection has nothing in it where a read has failed."""
    kind, args = value.kind, value.args
    if depth > MOST_DEPTH:
        return False
    if kind in ("seq", "map"):
        return not args[-1]
    if kind == "comp":
        return any(is_empty(formulas, one, literal, depth + 1) for one in args[2])
    if kind == "case":
        return _is_case_empty(formulas, args[0], literal, depth)
    if kind != "result":
        return False
    callee, given = args[0], args[1]
    if callee.kind == "ext" and callee.args[0].rpartition(".")[2] in _KEPT:
        return not args[2] and all(is_empty(formulas, one, literal, depth + 1) for one in given[:1])
    if callee.kind == "attr" and callee.args[1] in _OF_IT and not given:
        return is_empty(formulas, callee.args[0], literal, depth + 1)
    return False


def _is_case_empty(formulas: Formulas, arms: tuple[tuple[Value, Value], ...], literal: Value, depth: int) -> bool:
    assumed = Assumed(formulas, literal, True)
    left = []
    for condition, part in arms:
        given = assumed(condition)
        if given is formulas.values.true:
            return is_empty(formulas, part, literal, depth + 1)
        if given is not formulas.values.false:
            left.append(part)
    return bool(left) and all(is_empty(formulas, part, literal, depth + 1) for part in left)
