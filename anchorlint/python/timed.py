"""The timed terms of one file, and how the marks spread from a term to all that is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from anchorlint.python.facts import Event
from anchorlint.python.index import Index
from anchorlint.python.terms import last_name


class Timed:
    """The timed terms of one file; marks spread from a term to all that is made of it."""

    def __init__(self, index: Index) -> None:
        self.facts = index.facts
        self._index = index
        self.marked: set[int] = set()
        self._chains: dict[int, bool] = {}
        self._tries: set[int] | None = None
        self.failing_names: frozenset[str] = frozenset()
        self.handed: set[int] = set()  #: functions with a timed parameter
        self.checked: frozenset[int] = frozenset()  #: calls of a library that checks an age

    @cached_property
    def _params(self) -> list[tuple[int, tuple]]:
        terms = self.facts.terms
        return [(number, terms[number]) for number in self._index.kinds.get("param", ())]

    @property
    def _raises(self) -> list[tuple[int, Event]]:
        return self._index.events("raise")

    @cached_property
    def _answers(self) -> list[tuple[int, Event]]:
        return self._index.events("ret", "yield")

    @property
    def _calls(self) -> dict[str, list[tuple[int, Event]]]:
        """The calls of the file by the last name of what is called."""
        return self._index.calls

    @property
    def _parents(self) -> list[list[int]]:
        return self._index.parents

    @property
    def by_name(self) -> dict[str, list[int]]:
        """Calls by the last name of their callee, attributes and string subscripts by theirs."""
        return self._index.named

    def mark(self, names: set[str], fields: set[str]) -> None:
        """Mark the calls of these names and the fields of those."""
        index, terms = self.by_name, self.facts.terms
        for name in (names | fields) & index.keys():
            for number in index[name]:
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
        for number, term in self._params:
            if self.facts.functions[term[1]].params[term[2]].name in words:  # type: ignore[operator]
                self._mark(number)

    def mark_handed(self, given: dict[str, set[int | str]]) -> bool:
        """Mark the parameters that calls by the function's name give a timed argument; whether there were new ones."""
        before = len(self.marked)
        for name in given.keys() & self._params_of.keys():
            for number, term in self._params_of[name]:
                function = self.facts.functions[term[1]]
                here = {function.params[term[2]].name, self._position(function.cls, term[2])}
                if number not in self.marked and here & given[name]:
                    self._mark(number)
                    self.handed.add(term[1])
        return len(self.marked) > before

    @cached_property
    def _params_of(self) -> dict[str, list[tuple[int, tuple]]]:
        """The parameters by the name under which their function is called."""
        found: dict[str, list[tuple[int, tuple]]] = {}
        for number, term in self._params:
            function = self.facts.functions[term[1]]
            constructor = function.name == "__init__" and function.cls >= 0
            name = self.facts.classes[function.cls].name if constructor else function.name
            found.setdefault(name, []).append((number, term))
        return found

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
            for _, event in (*self._raises, *self._failing_calls()):
                self._tries |= self._open_tries(event)
        return self._tries

    def _failing_calls(self) -> list[tuple[int, Event]]:
        """The calls of what fails under a timed condition, with the function that makes each."""
        found = [one for name in self.failing_names & self._calls.keys() for one in self._calls[name]]
        if self.checked:
            found += [one for calls in self._calls.values() for one in calls if one[1].a in self.checked]
        return found

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
        if not self.marked and not self.failing_names & self._calls.keys():
            return set()
        functions = self.facts.functions
        return {functions[n].name for n, e in self._answers if e.a in self.marked or self.chain(e.chain)}

    def failing(self, known: set[str]) -> set[str]:
        """The functions that raise under a timed condition, themselves or by what they call."""
        self.failing_names = frozenset(known & self._calls.keys())
        self._tries = None
        self._chains.clear()
        if not self.marked and not self.failing_names and not self.checked:
            return set()
        functions = self.facts.functions
        found = {functions[n].name for n, event in self._raises if self.chain(event.chain)}
        return found | {functions[n].name for n, event in self._failing_calls() if self._may_raise(event)}

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
        for number, event in self._sets if self.marked else ():
            if event.b in self.marked and self._is_moment(event.b, event.a):
                base = terms[terms[event.a][1]]
                if base[0] == "param" and base[2] == 0 and self.facts.functions[number].cls >= 0:
                    found.add(terms[event.a][2])
        return found

    @property
    def _sets(self) -> list[tuple[int, Event]]:
        return self._index.events("set")

    def _is_moment(self, value: int, target: int) -> bool:
        """Whether what is stored in a field is an instant or a span, and no answer or test."""
        kind = self.facts.terms[value][0]
        return self.facts.terms[target][0] == "attr" and kind in ("call", "bin", "param")

    def touched(self) -> set[int]:
        """The functions in which an event stands under a timed condition, or that return or hand on a timed value."""
        if not self.marked and not self.failing_names and not self.checked:
            return set()
        found = {n for n, _ in self._failing_calls()} | {n for n, e in self._answers if e.a in self.marked}
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
