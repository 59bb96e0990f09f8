"""Relevance: which conditions can hang on a clock, found in the terms alone before anything is evaluated.

First the moments: readings of clocks, and what is made of them, handed on through arguments, answers and fields. Then
what hangs on how a moment compares, handed on the same way and by what is raised. Names stand for functions here, so
more is taken for timed than is; nothing that is timed is left out but what only a value tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from anchorlint.knowledge.models import Models
from anchorlint.knowledge.words import Words
from anchorlint.python.callers import Callers
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref
from anchorlint.python.timed import Timed
from anchorlint.python.types_of import BUILTIN

Mark = Callable[[Timed, Iterable[int]], None]

MOST_ROUNDS = 4  #: functions and fields through which time is handed on
MOST_CALLERS = 4  #: callers through which a failure is handed on


class Relevance:
    """The timed terms of a program."""

    def __init__(self, callers: Callers, models: Models, words: Words) -> None:
        self.linked = linked = callers.linked
        self._words = words
        self._models = models
        known, clock = self._last_names(models.clocks), words["clock"]
        self._clocks = frozenset(name for name in linked.calls if name in known or name in clock)
        self._predicates = self._last_names(models.predicates)
        self._gates = self._last_names(models.gates)
        classes = frozenset(cls.name for facts in linked.modules for cls in facts.classes)
        same = self._converting()
        self._files = [Timed(index, classes, same) for index in linked.indexes]
        self.callers = callers
        self.callees = callers.callees
        self._answering: set[Ref] = set()
        self._failing: set[Ref] = set()

    @cached_property
    def _modules(self) -> list[Timed]:
        """The files with all marks on them: what asks for them has them spread."""
        self._spread()
        return self._files

    @cached_property
    def functions(self) -> tuple[Ref, ...]:
        """The functions in which something happens under a decided condition, or that return what is decided."""
        return tuple(
            Ref("fn", number, function)
            for number, timed in enumerate(self._modules)
            for function in sorted(timed.touched())
        )

    def is_timed(self, module: int, event: Event, state: int = NONE) -> bool:
        """Whether an event stands under a decided condition, or a state that holds there is decided."""
        timed = self._modules[module]
        return timed.chain(event.chain) or state in timed.decided

    def is_marked(self, module: int, number: int) -> bool:
        """Whether a term holds a moment, or hangs on one."""
        timed = self._modules[module]
        return number in timed.moments or number in timed.decided

    def is_moment(self, module: int, number: int) -> bool:
        """Whether a term holds a moment."""
        return number in self._modules[module].moments

    def is_decided(self, module: int, number: int) -> bool:
        """Whether a term hangs on how a moment compares."""
        return number in self._modules[module].decided

    def may_hang(self, function: Ref, chain: int) -> bool:
        """Whether what is looked for may be on the way to a place of a function, by marks alone."""
        return self._modules[function.module].chain(chain)

    def may_tell(self, function: Ref, number: int) -> bool:
        """Whether a term of a function may hang on what is looked for, by marks alone."""
        return self.is_decided(function.module, number)

    def may_fail(self, function: Ref, number: int) -> bool:
        """Whether something in the body of a function's try may fail for what is looked for, by marks alone."""
        return number in self._modules[function.module].tries()

    def is_failing(self, module: int, call: int) -> bool:
        """Whether a call fails under a decided condition."""
        return call in self._modules[module].failing

    def beginnings(self, module: int) -> set[int]:
        """The terms of a module that read a clock or compare with one by themselves."""
        timed = self._modules[module]
        found = {*timed.readings, *timed.parameters_called(self._words["now"])}
        found.update(self._decided_in(module, timed), self._checked_in(module, timed))
        terms, named = timed.facts.terms, timed.index.named
        for name in self._predicates & named.keys():
            found.update([n for n in named[name] if terms[n][0] == "attr" and terms[terms[n][1]][0] != "import"])
        return found

    # spreading

    def _spread(self) -> None:
        """Mark what is timed, and go on with what hands it to others until nothing new comes."""
        for number, timed in enumerate(self._files):
            self._mark_readings(number, timed)
        self._go_on(Timed.mark_moments, lambda number, timed: set())
        for number, timed in enumerate(self._files):
            timed.mark_decided([*timed.comparisons(), *self._decided_in(number, timed)])
            checked = set(self._checked_in(number, timed))
            if checked:
                calls = [one for one in timed.index.events("call") if one[1].a in checked]
                self._fail([Ref("fn", number, function) for function in timed.fail(calls)])
        self._go_on(Timed.mark_decided, self._chosen)

    def _go_on(self, mark: Mark, chosen: Callable[[int, Timed], set[int]]) -> None:
        """Hand on what was marked through answers, fields and arguments, for so many rounds at most."""
        for _ in range(MOST_ROUNDS):
            answers: set[Ref] = set()
            fields: set[str] = set()
            given: list[tuple[Timed, int]] = []
            for number, timed in enumerate(self._files):
                fresh = timed.taken()
                functions = chosen(number, timed)
                if fresh:
                    functions = functions | timed.returning(fresh)
                    fields.update(timed.storing(fresh))
                    given += self._given(number, timed, fresh, fields)
                answers.update(Ref("fn", number, function) for function in functions)
            answers -= self._answering
            self._answering |= answers
            for timed, parameter in given:
                mark(timed, (parameter,))
            self._mark_answers(answers, mark)
            fields = {name for name in fields if name not in BUILTIN and name not in self._words["generic"]}
            for timed in self._files if fields else ():
                mark(timed, timed.fields(fields))

    def _mark_answers(self, answers: Iterable[Ref], mark: Mark) -> None:
        found: dict[int, list[int]] = {}
        for function in answers:
            for call in self.callers.calls(function):
                found.setdefault(call.module, []).append(call.event.a)
            for module, number in self.callers.uses(function):
                found.setdefault(module, []).append(number)
        for module, numbers in found.items():
            mark(self._files[module], numbers)

    def _given(self, module: int, timed: Timed, fresh: list[int], fields: set[str]) -> Iterator[tuple[Timed, int]]:
        """The parameters that are given what was marked, each with the file that it stands in; and the fields."""
        for call, where in timed.arguments(fresh):
            for function in self.callees.of(module, call[1]):
                owner = self._files[function.module]
                yield from ((owner, parameter) for parameter in owner.parameters(function.number, where))
            cls = self.linked.expression(module, call[1])
            if cls is not None and cls.kind == "cls" and self.linked.method(cls, "__init__") is None:
                declared = self.linked.cls(cls).fields
                if isinstance(where, str):
                    fields.add(where)
                elif where < len(declared):
                    fields.add(declared[where][0])

    def _chosen(self, module: int, timed: Timed) -> set[int]:
        """The functions of a file whose answer hangs on a decided condition; what they raise is handed on at once."""
        if not timed.has_changed():
            return set()
        self._fail([Ref("fn", module, function) for function in timed.raising()])
        return timed.choosing()

    def _fail(self, raising: Iterable[Ref]) -> None:
        """Hand on that functions fail under a decided condition, to their callers and those of these."""
        for _ in range(MOST_CALLERS):
            fresh = [function for function in raising if function not in self._failing]
            self._failing.update(fresh)
            calls: dict[int, list[tuple[int, Event]]] = {}
            for function in fresh:
                for call in self.callers.calls(function):
                    calls.setdefault(call.module, []).append((call.function, call.event))
            raising = [
                Ref("fn", module, function)
                for module, events in calls.items()
                for function in self._files[module].fail(events)
            ]

    # where it begins

    def _mark_readings(self, module: int, timed: Timed) -> None:
        """Mark the calls of one file that read a clock, and the parameters that are named like a reading."""
        timed.readings = frozenset(self._calls_in(module, timed, self._clocks, self._is_clock))
        timed.mark_moments(timed.readings)
        timed.mark_moments(timed.parameters_called(self._words["now"]))

    def _decided_in(self, module: int, timed: Timed) -> Iterator[int]:
        """The calls of one file that compare an instant with now by themselves."""
        yield from self._calls_in(module, timed, self._predicates, self._is_predicate)

    def _checked_in(self, module: int, timed: Timed) -> Iterator[int]:
        """The calls of one file that hand a value to a library which checks its age."""
        yield from self._calls_in(module, timed, self._gates, self._is_gate)

    def _calls_in(
        self, module: int, timed: Timed, names: frozenset[str], means: Callable[[int, tuple, str], bool]
    ) -> Iterator[int]:
        terms = timed.facts.terms
        for name in names & timed.index.named.keys():
            for number in timed.index.named[name]:
                if terms[number][0] == "call" and means(module, terms[number], name):
                    yield number

    def _is_clock(self, module: int, term: tuple, name: str) -> bool:
        ref = self.linked.expression(module, term[1])
        if ref is None or ref.kind == "val":
            return True
        if ref.kind != "ext":
            return name in self._words["clock"]
        return self._models.clock(ref.dotted.removeprefix("builtins.")) is not None

    def _is_predicate(self, module: int, term: tuple, name: str) -> bool:
        return self._may_be(self._models.predicate, module, term)

    def _is_gate(self, module: int, term: tuple, name: str) -> bool:
        return self._may_be(self._models.gate, module, term)

    def _may_be(self, model: Callable[[str], object], module: int, term: tuple) -> bool:
        """Whether a call is one that a model is of, or one of which nothing is known but its name."""
        ref = self.linked.expression(module, term[1])
        if ref is not None and ref.kind == "ext":
            return model(ref.dotted.removeprefix("builtins.")) is not None
        return ref is None or ref.kind == "val"

    def _converting(self) -> frozenset[str]:
        """The last names of what gives back the instant or span that it gets, converted or moved."""
        models, generic = self._models, self._words["generic"]
        tables = (*models.identities, *models.durations, *models.shifts)
        methods = {call[2:] for model in tables for call in model.calls if call[:2] == "*."}
        return frozenset(methods | {name for name in self._last_names(tables) if name not in generic})

    # answers

    def is_handed(self, function: Ref) -> bool:
        """Whether some call gives a function a timed argument."""
        return function.number in self._modules[function.module].handed

    def answers(self, function: Ref) -> bool:
        """Whether what a function returns or raises may be timed, by its name."""
        if function in self._answering or function in self._failing:
            return True
        return self.linked.function(function).name in self._clocks  # a reading, however it is converted inside

    def _last_names(self, models: Iterable[Any]) -> frozenset[str]:
        """The last names of what these models call, of libraries that the program imports at all."""
        return frozenset(
            call.rpartition(".")[2]
            for model in models
            for call in model.calls
            if "." not in call or call[0] == "*" or call.partition(".")[0] in self.linked.libraries
        )
