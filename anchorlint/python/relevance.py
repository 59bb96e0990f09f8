"""Relevance: which conditions can hang on a clock, found in the terms alone before anything is evaluated.

A term is *timed* when it holds a reading of a clock: a call by a clock's name, of a function whose answer is timed, a
parameter that is handed a timed value, a field in which one is stored, and whatever is made of these. Names stand for
functions here, so more is taken for timed than is; nothing that is timed is left out but what only a value tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from anchorlint.knowledge.models import Models
from anchorlint.knowledge.words import Words
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Linked, Ref
from anchorlint.python.timed import Timed

MOST_CALLS = 30  #: calls of a generic name up to which it still stands for one function
MOST_ROUNDS = 4  #: functions, fields and handlers through which time is handed on


class Relevance:
    """The timed terms of a program."""

    def __init__(self, linked: Linked, models: Models, words: Words) -> None:
        self.linked = linked
        self._words = words
        self._models = models
        self._clocks = _last_names((*models.clocks, *models.predicates))
        self._gates = _last_names(models.gates)
        self._modules = [Timed(index) for index in linked.indexes]
        self._answering: set[str] = set()
        self._failing: set[str] = set()

    @cached_property
    def functions(self) -> tuple[Ref, ...]:
        """The functions in which something happens under a timed condition, or that are handed a timed value."""
        self._spread()
        return tuple(
            Ref("fn", number, function)
            for number, timed in enumerate(self._modules)
            for function in sorted(timed.touched())
        )

    def is_timed(self, module: int, event: Event, state: int = NONE) -> bool:
        """Whether an event stands under a timed condition, or a state that holds there is timed."""
        self.functions  # noqa: B018
        timed = self._modules[module]
        return timed.chain(event.chain) or state in timed.marked

    def is_marked(self, module: int, number: int) -> bool:
        """Whether a term is timed."""
        self.functions  # noqa: B018
        return number in self._modules[module].marked

    def is_timed_try(self, module: int, number: int) -> bool:
        """Whether something in the body of a try fails under a timed condition."""
        self.functions  # noqa: B018
        return number in self._modules[module]._timed_tries()

    def _spread(self) -> None:
        """Mark what is timed, and go on with what hands it to others until nothing new comes."""
        for number, timed in enumerate(self._modules):
            timed.mark_parameters(self._words["now"])
            timed.mark_calls(self._read_in(number, timed))
            timed.checked = frozenset(self._checked_in(number, timed))
        fresh, fields = self._handed_on()
        known = fresh | fields
        for _ in range(MOST_ROUNDS):
            for timed in self._modules:
                timed.mark(fresh, fields)
            answers, stored = self._handed_on()
            fresh, fields = answers - known, stored - known
            self._answering |= answers
            known |= fresh | fields
            handed, failing = self._hand_over(), self._spread_failures()
            if not fresh and not fields and not handed and not failing:
                break

    def _spread_failures(self) -> bool:
        """Take the functions that fail under a timed condition, and those through which that passes; whether it grew."""
        before = len(self._failing)
        for timed in self._modules:
            self._failing |= timed.failing(self._failing) - self._generic
        return len(self._failing) > before

    def _read_in(self, module: int, timed: Timed) -> Iterator[int]:
        """The calls of one file that read a clock, and the fields that are named like one."""
        terms = timed.facts.terms
        for name, numbers in timed.by_name.items():
            if name in self._clocks or name in self._words["clock"]:
                for number in numbers:
                    term = terms[number]
                    if term[0] == "call" and self._is_clock(module, term, name):
                        yield number

    def _checked_in(self, module: int, timed: Timed) -> Iterator[int]:
        """The calls of one file that hand a value to a library which checks its age."""
        terms = timed.facts.terms
        for name in self._gates & timed.by_name.keys():
            for number in timed.by_name[name]:
                if terms[number][0] == "call" and self._is_gate(module, terms[number]):
                    yield number

    def _is_clock(self, module: int, term: tuple, name: str) -> bool:
        ref = self.linked.expression(module, term[1])
        if ref is None or ref.kind == "val":
            return True
        if ref.kind != "ext":
            return name in self._words["clock"]
        dotted = ref.dotted.removeprefix("builtins.")
        return self._models.clock(dotted) is not None or self._models.predicate(dotted) is not None

    def _is_gate(self, module: int, term: tuple) -> bool:
        ref = self.linked.expression(module, term[1])
        if ref is not None and ref.kind == "ext":
            return self._models.gate(ref.dotted) is not None
        return ref is None or ref.kind == "val"

    def is_handed(self, function: Ref) -> bool:
        """Whether some call gives a function a timed argument."""
        self.functions  # noqa: B018
        return function.number in self._modules[function.module].handed

    def answers(self, function: Ref) -> bool:
        """Whether what a function returns or raises may be timed, by its name."""
        self.functions  # noqa: B018
        name = self.linked.function(function).name
        return name in self._answering or name in self._failing

    def _handed_on(self) -> tuple[set[str], set[str]]:
        answers: set[str] = set()
        stored: set[str] = set()
        for timed in self._modules:
            answers |= timed.answering()
            stored |= timed.storing()
        return answers - self._generic, stored - self._generic

    @cached_property
    def _generic(self) -> frozenset[str]:
        """Names that too many things have to be told by: what is timed does not spread through them."""
        words = self._words["generic"]
        return frozenset(n for n, calls in self.linked.calls.items() if len(calls) > MOST_CALLS and n in words)

    def _hand_over(self) -> bool:
        """Mark the parameters of functions that some call gives a timed argument."""
        given: dict[str, set[int | str]] = {}
        for timed in self._modules:
            for name, where in timed.arguments():
                given.setdefault(name, set()).add(where)
        changed = False
        for timed in self._modules:
            changed |= timed.mark_handed(given)
        return changed


def _last_names(models: Iterable[Any]) -> frozenset[str]:
    return frozenset(call.rpartition(".")[2] for model in models for call in model.calls)
