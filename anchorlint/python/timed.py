"""The timed terms of one file: those that hold a moment, those that hang on one, and how the marks spread."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from anchorlint.python.facts import Event
from anchorlint.python.index import Index
from anchorlint.python.terms import last_name


class Timed:
    """The timed terms of one file.

    A *moment* is made of a reading of a clock; a term is *decided* when it hangs on how a moment compares: a
    comparison, and what is made of one. Only what is decided can open or close.
    """

    def __init__(self, index: Index, classes: Container[str]) -> None:
        self.facts = index.facts
        self._classes = classes  #: the names of the project's classes: what they are given is in their fields
        self.index = index
        self.moments: set[int] = set()
        self.decided: set[int] = set()
        self.handed: set[int] = set()  #: functions with a parameter that is given a moment or what is decided
        self.failing: set[int] = set()  #: calls of what fails under a decided condition
        self.fresh: list[int] = []  #: what was marked since `taken` was last asked
        self._chains: dict[int, bool] = {}
        self._tries: set[int] | None = None
        self._changed = False

    # moments

    def mark_moments(self, numbers: Iterable[int]) -> None:
        """Mark these terms as moments, and all that is a moment because of them."""
        pending = [number for number in numbers if number not in self.moments]
        if not pending:
            return
        terms, parents = self.facts.terms, self.index.parents
        while pending:
            number = pending.pop()
            if number not in self.moments:
                self.moments.add(number)
                self.fresh.append(number)
                pending += [p for p in parents[number] if self._is_moment(terms[p]) and self._hands_on(p, number)]

    def _is_moment(self, term: tuple) -> bool:
        """Whether what is made of a moment can be one: no comparison is, no object of ours, which has it in a field."""
        if term[0] == "call":
            return last_name(self.facts.terms, term[1]) not in self._classes
        return term[0] != "cmp"

    def parameters_called(self, words: Iterable[str]) -> Iterator[int]:
        """The parameters that are named like a reading of now."""
        functions, terms = self.facts.functions, self.facts.terms
        for number in self.index.kinds.get("param", ()):
            if functions[terms[number][1]].params[terms[number][2]].name in words:  # type: ignore[operator]
                yield number

    def comparisons(self) -> Iterator[int]:
        """The terms at which it is decided how a moment compares: an order, or the truth of a span that is left."""
        terms, moments = self.facts.terms, self.moments
        for moment in moments:
            for parent in self.index.parents[moment]:
                term = terms[parent]
                if term[0] == "cmp":
                    if term[1] in _ORDERS or any(self._is_span(n) for n in term[2:4]):
                        yield parent
                elif term[0] in ("un", "bool") and term[1] != "-" and self._is_span(moment):
                    yield parent
        for frame in self.facts.chains:
            if frame[1:2] == ("test",) and frame[2] in moments and self._is_span(frame[2]):
                yield frame[2]

    def _is_span(self, number: int) -> bool:
        """Whether a moment is reckoned with, so that its truth or equality can hang on now: a rest, a bound."""
        term = self.facts.terms[number]
        if term[0] == "call":
            return number in self.moments and last_name(self.facts.terms, term[1]) in _SAME
        return term[0] in _RECKONED and number in self.moments

    # what hangs on them

    def mark_decided(self, numbers: Iterable[int]) -> None:
        """Mark these terms as decided, and all that hangs on them."""
        pending = [number for number in numbers if number not in self.decided]
        if not pending:
            return
        parents = self.index.parents
        while pending:
            number = pending.pop()
            if number not in self.decided:
                self.decided.add(number)
                self.fresh.append(number)
                pending += [parent for parent in parents[number] if self._hands_on(parent, number)]
        self._forget()

    def _forget(self) -> None:
        self._chains.clear()
        self._tries = None
        self._changed = True

    def has_changed(self) -> bool:
        """Whether what hangs on a moment here has grown since this was last asked."""
        changed, self._changed = self._changed, False
        return changed

    def fields(self, names: set[str]) -> Iterator[int]:
        """The reads of these fields."""
        index, terms = self.index.named, self.facts.terms
        for name in names & index.keys():
            yield from (number for number in index[name] if terms[number][0] != "call")

    def _hands_on(self, parent: int, part: int) -> bool:
        """Whether what is made of a timed term is timed: sums, tests and merges are, most calls and fields are not."""
        term, terms = self.facts.terms[parent], self.facts.terms
        kind = term[0]
        if kind == "call":
            name = last_name(terms, term[1])
            if part == term[1]:  # a method of an instant, or a function that was made of one or handed over
                return name in _SAME or terms[part][0] in _HANDED
            return name in _SAME or name[:1].isupper()
        if kind == "attr":
            # an answer is taken apart here; a field of an object that once got a time is not time
            return terms[part][0] in _CARRIERS or term[2] in _OF_SPANS
        if kind == "sub":
            return term[1] == part and terms[part][0] in _CARRIERS
        if kind == "bin":
            return term[1] in ("+", "-", "*", "/", "//")
        if kind == "iter":
            return terms[part][0] in ("comp", "seq")
        return kind not in ("fstr", "entered")

    # conditions

    def chain(self, number: int) -> bool:
        """Whether a path condition has a decided test in it, or a failure that hangs on one."""
        found = self._chains.get(number)
        if found is None:
            frame = self.facts.chains[number]
            found = self._chains[number] = self._frame(frame) or (frame[0] > 0 and self.chain(frame[0]))
        return found

    def _frame(self, frame: tuple) -> bool:
        if frame[1] == "test":
            return frame[2] in self.decided
        if frame[1] == "join":
            return any(self.chain(c) for c in frame[2])
        if frame[1] in ("exc", "noexc"):
            return frame[2] in self.tries()
        return frame[1] == "loop" and self.facts.loops[frame[2]].subject in self.decided

    def tries(self) -> set[int]:
        """The try statements in whose body something fails under a decided condition."""
        if self._tries is None:
            self._tries = set()
            for _, event in (*self.index.events("raise"), *self._failing_calls()):
                self._tries |= self._open_tries(event)
        return self._tries

    def _failing_calls(self) -> list[tuple[int, Event]]:
        """The calls of what fails under a decided condition, with the function that makes each."""
        if not self.failing:
            return []
        return [one for one in self.index.events("call") if one[1].a in self.failing]

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
        return {n for n, e in self.index.events("ret", "yield") if self.chain(e.chain)}

    def raising(self) -> set[int]:
        """The functions that raise under a decided condition."""
        return {n for n, event in self.index.events("raise") if self.chain(event.chain)}

    def fail(self, calls: Iterable[tuple[int, Event]]) -> set[int]:
        """Take note that these calls fail under a decided condition; the functions that such a failure can leave."""
        left = set()
        for function, event in calls:
            self.failing.add(event.a)
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
        found = {n for n, _ in self._failing_calls()}
        found |= {n for n, e in self.index.events("ret", "yield") if e.a in self.decided}
        for number, function in enumerate(self.facts.functions):
            if number not in found and any(self.chain(c) for c in {e.chain for e in function.events}):
                found.add(number)
        return found - {0}


#: calls whose result is the moment, span or truth that they get
_SAME = frozenset(
    "int float round abs max min sum all any bool timestamp total_seconds timedelta relativedelta fromtimestamp "
    "utcfromtimestamp replace astimezone Decimal floor ceil make_aware make_naive cast Timedelta duration list tuple "
    "sorted date ensure_utc as_utc isoformat partial add subtract shift".split()
)
_CARRIERS = frozenset({"call", "if", "phi", "idx", "loop", "bool", "map", "seq"})
_OF_SPANS = frozenset({"total_seconds", "days", "seconds", "timestamp", "replace", "astimezone", "date"})
_HANDED = frozenset({"call", "param", "if", "phi", "outer"})
_RECKONED = frozenset({"bin", "if", "phi", "loop", "attr"})
_STORED = frozenset({"call", "bin", "param", "cmp", "bool", "if"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
