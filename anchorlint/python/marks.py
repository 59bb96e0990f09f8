"""Marks: which terms of one file hold a moment, which hang on how one compares, and how this spreads over terms."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from anchorlint.python.index import Index
from anchorlint.python.terms import last_name, made_of


class Marks:
    """The timed terms of one file.

    A *moment* is made of a reading of a clock; a term is *decided* when it hangs on how a moment compares: a
    comparison, and what is made of one. Only what is decided can open or close.
    """

    def __init__(self, index: Index, classes: Container[str], same: frozenset[str] = frozenset()) -> None:
        self.facts = index.facts
        self._same = _SAME | same  #: the last names of calls whose result is what they get
        self._classes = classes  #: the names of the project's classes: what they are given is in their fields
        self.index = index
        self.moments: set[int] = set()
        self.readings: frozenset[int] = frozenset()  #: the moments that are a call of a clock
        self.decided: set[int] = set()
        self.fresh: list[int] = []  #: what was marked since `taken` was last asked
        self._chains: set[int] | None = None
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
                    if self._orders(term) and not self._is_elapsed(term):
                        yield parent
                elif term[0] in ("un", "bool") and term[1] != "-" and self._is_span(moment):
                    yield parent
        for frame in self.facts.chains:
            if frame[1:2] == ("test",) and frame[2] in moments and self._is_span(frame[2]):
                yield frame[2]

    def _orders(self, compared: tuple) -> bool:
        return compared[1] in _ORDERS or (compared[1] in ("==", "!=") and any(map(self._is_span, compared[2:4])))

    def _is_elapsed(self, compared: tuple) -> bool:
        """Whether two readings of the function itself are compared with a length: it says nothing of an item."""
        terms, readings = self.facts.terms, 0
        for number in made_of(terms, compared[2:4]):
            kind = terms[number][0]
            if number in self.readings:
                readings += 1
            elif kind in ("sub", "iter", "idx") or (kind == "attr" and not self._is_own(terms[number])):
                return False
        return readings > 1

    def _is_own(self, attribute: tuple) -> bool:
        """Whether an attribute is a setting of the object or module itself, or a view of a span, no item's field."""
        base = self.facts.terms[attribute[1]]
        if base[0] == "param":
            return base[2] == 0 and self.facts.functions[base[1]].cls >= 0
        return base[0] in ("name", "import", "attr") or attribute[2] in _OF_SPANS

    def _is_span(self, number: int) -> bool:
        """Whether a moment is reckoned with, so that its truth or equality can hang on now: a rest, a bound."""
        term = self.facts.terms[number]
        if number not in self.moments or term[0] not in ("bin", "call", "attr"):
            return False
        name = last_name(self.facts.terms, term[1]) if term[0] == "call" else term[2]
        return term[0] == "bin" or name in (_BOUNDS if term[0] == "call" else _OF_SPANS)

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
        self._chains = None
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
                return name in self._same or terms[part][0] in _HANDED
            return name in self._same or name in self._classes or name[:1].isupper()
        if kind == "attr":
            # an answer is taken apart here; a field of an object that once got a time is not time
            return terms[part][0] in _CARRIERS or term[2] in _OF_SPANS or term[2] in self._same
        if kind == "sub":
            return term[1] == part and terms[part][0] in _CARRIERS
        if kind == "bin":
            return term[1] in ("+", "-", "*", "/", "//")
        if kind == "iter":
            return terms[part][0] in ("comp", "seq")
        return kind not in ("fstr", "entered")


#: calls whose result is the moment, span or truth that they get, beside those of the models
_SAME = frozenset(
    {"abs", "max", "min", "sum", "all", "any", "bool", "list", "tuple", "sorted", "partial", "replace", "fromtimestamp"}
)
_CARRIERS = frozenset({"call", "if", "phi", "idx", "loop", "bool", "map", "seq"})
_OF_SPANS = frozenset({"total_seconds", "days", "seconds", "timestamp", "replace", "astimezone", "date"})
_HANDED = frozenset({"call", "param", "if", "phi", "outer"})
_BOUNDS = frozenset({"max", "min", "int", "float", "round", "abs", "total_seconds"})
_ORDERS = frozenset({"<", "<=", ">", ">="})
