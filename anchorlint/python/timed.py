"""The timed terms of one file among its conditions, failures, answers and arguments: what hands time on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from anchorlint.python.facts import Event
from anchorlint.python.index import Index
from anchorlint.python.marks import Marks
from anchorlint.python.terms import last_name


class Timed(Marks):
    """What hangs on time in one file, and what it hands on to others."""

    def __init__(self, index: Index, classes: Container[str], same: frozenset[str] = frozenset()) -> None:
        super().__init__(index, classes, same)
        self.handed: set[int] = set()  #: functions with a parameter that is given a moment or what is decided
        self.failing: set[int] = set()  #: calls of what fails under a decided condition
        self._failing_calls: dict[tuple[int, Event], None] = {}  #: the same with the function that makes each

    # conditions

    def chain(self, number: int) -> bool:
        """Whether a path condition has a decided test in it, or a failure that hangs on one."""
        return number in self.chains()

    def chains(self) -> set[int]:
        """The path conditions with a decided test in them, or a failure that hangs on one."""
        if self._chains is None:
            self._chains = set(self._deciding()) if self.hangs() else set()
        return self._chains

    def _deciding(self) -> Iterator[int]:
        """The frames in their order: each stands on smaller ones."""
        decided, tries, loops, found = self.decided, self.tries(), self.facts.loops, set()
        for number, frame in enumerate(self.facts.chains):
            kind = frame[1] if frame else ""
            if kind == "test":
                holds = frame[2] in decided
            elif kind == "join":
                holds = not found.isdisjoint(frame[2])
            elif kind == "loop":
                holds = loops[frame[2]].subject in decided
            else:
                holds = kind in ("exc", "noexc") and frame[2] in tries
            if holds or (frame and frame[0] in found):
                found.add(number)
                yield number

    def tries(self) -> set[int]:
        """The try statements in whose body something fails under a decided condition."""
        if self._tries is None:
            self._tries = set()
            for _, event in (*self.index.events("raise"), *self._failing_calls):
                self._tries |= self._open_tries(event)
        return self._tries

    def _open_tries(self, event: Event) -> set[int]:
        found, chain, timed = set(), event.chain, event.kind == "call"
        while chain > 0:
            frame = self.facts.chains[chain]
            if frame[1] == "try" and timed:
                found.add(frame[2])
            timed = timed or (frame[1] == "test" and frame[2] in self.decided)
            chain = frame[0]
        return found

    # what hands it on

    def taken(self) -> list[int]:
        """What was marked since this was last asked."""
        fresh, self.fresh = self.fresh, []
        return fresh

    def hangs(self) -> bool:
        """Whether anything here hangs on how a moment compares."""
        return bool(self.decided or self.failing)

    def returning(self, numbers: Iterable[int]) -> set[int]:
        """The functions that return or yield one of these terms."""
        return {function for number in numbers for function in self._returned.get(number, ())}

    @cached_property
    def _returned(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for function, event in self.index.events("ret", "yield"):
            found.setdefault(event.a, []).append(function)
        return found

    def choosing(self) -> set[int]:
        """The functions whose answer hangs on a decided condition."""
        chains = self.chains()
        return {n for n, e in self.index.events("ret", "yield") if e.chain in chains} if chains else set()

    def raising(self) -> set[int]:
        """The functions that raise under a decided condition."""
        chains = self.chains()
        return {n for n, event in self.index.events("raise") if event.chain in chains} if chains else set()

    def fail(self, calls: Iterable[tuple[int, Event]]) -> set[int]:
        """Take note that these calls fail under a decided condition; the functions that such a failure can leave."""
        left = set()
        for function, event in calls:
            self.failing.add(event.a)
            self._failing_calls[function, event] = None
            if self._may_raise(event):
                left.add(function)
        self._forget()
        return left

    def _may_raise(self, event: Event) -> bool:
        """Whether what a call raises can leave the function: no handler is around it."""
        chain = event.chain
        while chain > 0:
            if self.facts.chains[chain][1] == "try":
                return False
            chain = self.facts.chains[chain][0]
        return True

    def storing(self, numbers: Iterable[int]) -> Iterator[str]:
        """The fields of self in which one of these terms is stored."""
        terms = self.facts.terms
        for number in numbers:
            for function, event in self._sets.get(number, ()):
                if terms[event.a][0] == "attr" and terms[event.b][0] in _STORED:
                    base = terms[terms[event.a][1]]
                    if base[0] == "param" and base[2] == 0 and self.facts.functions[function].cls >= 0:
                        yield terms[event.a][2]

    @cached_property
    def _sets(self) -> dict[int, list[tuple[int, Event]]]:
        found: dict[int, list[tuple[int, Event]]] = {}
        for one in self.index.events("set"):
            found.setdefault(one[1].b, []).append(one)
        return found

    def arguments(self, numbers: Iterable[int]) -> Iterator[tuple[tuple, int | str]]:
        """The calls that get one of these terms, each with the position or keyword under which it does."""
        terms = self.facts.terms
        for number in numbers:
            for parent in self.index.parents[number]:
                term = terms[parent]
                if term[0] == "call" and term[1] != number:
                    if term[2] and last_name(terms, term[1]) == "partial":  # what it calls later gets the rest
                        term = ("call", term[2][0], term[2][1:], term[3])
                    yield from ((term, position) for position, given in enumerate(term[2]) if given == number)
                    yield from ((term, keyword) for keyword, given in term[3] if given == number)

    def parameters(self, function: int, where: int | str) -> Iterator[int]:
        """The parameters of a function that an argument at this position or keyword may fill."""
        record = self.facts.functions[function]
        places = {where}
        if isinstance(where, int) and record.cls >= 0:
            places = {where, where + 1} if record.decorators else {where + 1}
        for number, position in self._params_of.get(function, ()):
            if position in places or record.params[position].name in places:
                self.handed.add(function)
                yield number

    @cached_property
    def _params_of(self) -> dict[int, list[tuple[int, int]]]:
        """Each function's parameters that are used: their terms and positions."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number in self.index.kinds.get("param", ()):
            _, function, position = self.facts.terms[number]
            found.setdefault(function, []).append((number, position))
        return found

    def touched(self) -> set[int]:
        """The functions in which an event stands under a decided condition, or that return what is decided."""
        if not self.hangs():
            return set()
        found = {n for n, _ in self._failing_calls}
        found |= {n for n, e in self.index.events("ret", "yield") if e.a in self.decided}
        chains = self.chains()
        for number, function in enumerate(self.facts.functions) if chains else ():
            if number not in found and not chains.isdisjoint([e.chain for e in function.events]):
                found.add(number)
        return found - {0}


_STORED = frozenset({"call", "bin", "param", "cmp", "bool", "if"})
