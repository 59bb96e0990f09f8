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
from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.link import Linked, Ref, last_name

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
        self._modules = [Timed(facts) for facts in linked.modules]
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


class Timed:
    """The timed terms of one file; marks spread from a term to all that is made of it."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.marked: set[int] = set()
        self._chains: dict[int, bool] = {}
        self._tries: set[int] | None = None
        self.failing_names: frozenset[str] = frozenset()
        self.handed: set[int] = set()  #: functions with a timed parameter
        self.checked: frozenset[int] = frozenset()  #: calls of a library that checks an age

    @cached_property
    def _parents(self) -> list[list[int]]:
        parents: list[list[int]] = [[] for _ in self.facts.terms]
        for number, term in enumerate(self.facts.terms):
            for part in _parts(term):
                parents[part].append(number)
        return parents

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Calls by the last name of their callee, attributes and string subscripts by theirs."""
        found: dict[str, list[int]] = {}
        terms = self.facts.terms
        for number, term in enumerate(terms):
            if term[0] == "call":
                name = last_name(terms, term[1])
            elif term[0] == "attr":
                name = term[2]
            elif term[0] == "sub" and terms[term[2]][0] == "const" and terms[term[2]][1] == "str":
                name = terms[term[2]][2]
            else:
                continue
            found.setdefault(name, []).append(number)
        return found

    def mark(self, names: set[str], fields: set[str]) -> None:
        """Mark the calls of these names and the fields of those."""
        index, terms = self.by_name, self.facts.terms
        for name in names | fields:
            for number in index.get(name, ()):
                if name in fields or terms[number][0] == "call" or terms[number][0] == "attr":
                    self._mark(number)

    def _mark(self, number: int) -> None:
        pending = [number]
        while pending:
            term = pending.pop()
            if term not in self.marked:
                self.marked.add(term)
                pending += [parent for parent in self._parents[term] if self._hands_on(parent, term)]
        self._chains.clear()
        self._tries = None

    def _hands_on(self, parent: int, part: int) -> bool:
        """Whether what is made of a timed term is timed: sums, tests and merges are, most calls and fields are not."""
        term, terms = self.facts.terms[parent], self.facts.terms
        kind = term[0]
        if kind == "call":
            name = last_name(terms, term[1])
            if part == term[1]:  # a method of an instant, or a function that was made of one
                return name in _SAME or terms[part][0] == "call"
            return name in _SAME or name[:1].isupper()
        if kind in ("attr", "sub"):
            # an answer is taken apart here; a field of an object that once got a time is not time
            return term[1] == part and terms[part][0] in _CARRIERS
        if kind == "bin":
            return term[1] in ("+", "-", "*", "/", "//")
        if kind == "iter":
            return terms[part][0] in ("comp", "seq")
        return kind not in ("fstr", "entered")

    def mark_calls(self, numbers: Iterable[int]) -> None:
        """Mark these terms."""
        for number in list(numbers):
            self._mark(number)

    def mark_parameters(self, words: Iterable[str]) -> None:
        """Mark the parameters that are named like a reading of now."""
        for number, term in enumerate(self.facts.terms):
            if term[0] == "param" and self.facts.functions[term[1]].params[term[2]].name in words:  # type: ignore[operator]
                self._mark(number)

    def mark_handed(self, given: dict[str, set[int | str]]) -> bool:
        """Mark the parameters that calls by the function's name give a timed argument; whether there were new ones."""
        before = len(self.marked)
        for number, term in enumerate(self.facts.terms):
            if term[0] != "param" or number in self.marked:
                continue
            function = self.facts.functions[term[1]]
            name = function.name
            if name == "__init__" and function.cls >= 0:
                name = self.facts.classes[function.cls].name
            where = given.get(name)
            if where and (function.params[term[2]].name in where or self._position(function.cls, term[2]) in where):
                self._mark(number)
                self.handed.add(term[1])
        return len(self.marked) > before

    def _position(self, cls: int, position: int) -> int:
        return position - 1 if cls >= 0 else position

    def arguments(self) -> Iterator[tuple[str, int | str]]:
        """The timed arguments of calls: the callee's last name, and the position or keyword."""
        terms = self.facts.terms
        for marked in self.marked:
            for parent in self._parents[marked]:
                term = terms[parent]
                if term[0] == "call" and term[1] != marked:
                    name = last_name(terms, term[1])
                    yield from ((name, position) for position, given in enumerate(term[2]) if given == marked)
                    yield from ((name, keyword) for keyword, given in term[3] if given == marked)

    # conditions

    def chain(self, number: int) -> bool:
        """Whether a path condition has a timed test in it, or a failure of something timed."""
        found = self._chains.get(number)
        if found is None:
            frame = self.facts.chains[number]
            found = self._chains[number] = self._frame(frame) or (frame[0] > 0 and self.chain(frame[0]))
        return found

    def _frame(self, frame: tuple) -> bool:
        if frame[1] == "test":
            return frame[2] in self.marked
        if frame[1] == "join":
            return any(self.chain(c) for c in frame[2])
        if frame[1] in ("exc", "noexc"):
            return frame[2] in self._timed_tries()
        if frame[1] == "loop":
            subject = self.facts.loops[frame[2]].subject
            return subject in self.marked
        return False

    def _timed_tries(self) -> set[int]:
        """The try statements in whose body something fails under a timed condition."""
        if self._tries is None:
            self._tries = set()
            for function in self.facts.functions:
                for event in function.events:
                    if event.kind == "raise" or self._fails(event):
                        self._tries |= self._open_tries(event)
        return self._tries

    def _fails(self, event: Event) -> bool:
        """Whether an event is a call of something that fails under a timed condition."""
        if event.kind != "call":
            return False
        callee = self.facts.terms[event.a][1]
        return event.a in self.checked or last_name(self.facts.terms, callee) in self.failing_names

    def _open_tries(self, event: Event) -> set[int]:
        found, chain, timed = set(), event.chain, event.kind == "call"
        while chain > 0:
            frame = self.facts.chains[chain]
            if frame[1] == "try" and timed:
                found.add(frame[2])
            timed = timed or (frame[1] == "test" and frame[2] in self.marked)
            chain = frame[0]
        return found

    # what hands time on

    def answering(self) -> set[str]:
        """The functions whose answer is timed."""
        found = set()
        for function in self.facts.functions:
            for event in function.events:
                if event.kind in ("ret", "yield") and (event.a in self.marked or self.chain(event.chain)):
                    found.add(function.name)
        return found

    def failing(self, known: set[str]) -> set[str]:
        """The functions that raise under a timed condition, themselves or by what they call."""
        self.failing_names = frozenset(known)
        self._tries = None
        found = set()
        for function in self.facts.functions:
            for event in function.events:
                if event.kind == "raise" and self.chain(event.chain) or self._fails(event) and self._may_raise(event):
                    found.add(function.name)
        return found

    def _may_raise(self, event: Event) -> bool:
        """Whether what a call raises can leave the function: no bare or broad handler is around it."""
        chain = event.chain
        while chain > 0:
            if self.facts.chains[chain][1] == "try":
                return False
            chain = self.facts.chains[chain][0]
        return True

    def storing(self) -> set[str]:
        """The fields in which a timed value is stored on self."""
        terms, found = self.facts.terms, set()
        for function in self.facts.functions:
            for event in function.events:
                if event.kind == "set" and event.b in self.marked and self._is_moment(event.b, event.a):
                    base = terms[terms[event.a][1]]
                    if base[0] == "param" and base[2] == 0 and function.cls >= 0:
                        found.add(terms[event.a][2])
        return found

    def _is_moment(self, value: int, target: int) -> bool:
        """Whether what is stored in a field is an instant or a span, and no answer or test."""
        kind = self.facts.terms[value][0]
        return self.facts.terms[target][0] == "attr" and kind in ("call", "bin", "param")

    def touched(self) -> set[int]:
        """The functions in which an event stands under a timed condition, or that return or hand on a timed value."""
        found = set()
        for number, function in enumerate(self.facts.functions):
            if number and any(
                self.chain(e.chain) or self._fails(e) or (e.kind == "ret" and e.a in self.marked) for e in function.events
            ):
                found.add(number)
        return found


#: calls whose result is the moment, span or truth that they get
_SAME = frozenset(
    "int float round abs max min sum all any bool timestamp total_seconds timedelta relativedelta fromtimestamp "
    "utcfromtimestamp replace astimezone Decimal floor ceil make_aware make_naive cast Timedelta duration list tuple "
    "sorted date ensure_utc as_utc isoformat partial add subtract shift".split()
)
_CARRIERS = frozenset({"call", "if", "phi", "idx", "loop", "bool", "map", "seq"})


def _last_names(models: Iterable[Any]) -> frozenset[str]:
    return frozenset(call.rpartition(".")[2] for model in models for call in model.calls)


def _parts(term: tuple) -> Iterator[int]:
    """The terms that a term is made of."""
    kind = term[0]
    if kind in ("attr", "loop", "iter", "idx", "rest", "star", "entered", "outer"):
        at = 2 if kind in ("loop", "outer") else 1
        if term[at] >= 0:
            yield term[at]
    elif kind == "call":
        yield term[1]
        yield from term[2]
        for _, number in term[3]:
            yield number
    elif kind in ("bin", "cmp"):
        yield term[2]
        yield term[3]
    elif kind in ("sub",):
        yield term[1]
        yield term[2]
    elif kind == "un":
        yield term[2]
    elif kind in ("bool", "seq"):
        yield from (n for n in term[2] if n >= 0)
    elif kind == "if":
        yield from term[1:]
    elif kind in ("phi", "fstr"):
        yield from term[1]
    elif kind == "map":
        for key, value in term[1]:
            if key >= 0:
                yield key
            yield value
    elif kind == "comp":
        yield term[2]
        yield from (iterable for iterable, _ in term[3])
        yield from term[4]
