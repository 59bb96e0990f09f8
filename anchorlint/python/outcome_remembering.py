"""Remembering: comparisons with what a function stores, and who answers by them, before anything is evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.facts import Event, Facts
from anchorlint.python.index import Index
from anchorlint.python.link import Linked, last_name
from anchorlint.python.outcome_answers import Answers
from anchorlint.python.outcome_terms import inside, tests

MOST_DEPTH = 3  #: functions within functions that answer
_SAYING = frozenset({"==", "!=", "<", "<=", ">", ">="})


class Remembering:
    """Knows the comparisons of one program one side of which may be what was seen before."""

    def __init__(self, linked: Linked, answers: Answers) -> None:
        self.linked = linked
        self.answers = answers
        self._comparing: dict[int, frozenset[int]] = {}

    def may_compare(self, module: int, condition: int) -> bool:
        """Whether a condition holds such a comparison, or a call that may answer by one."""
        facts, comparing = self.linked.modules[module], self.comparing(module)
        for one in inside(facts, condition):
            term = facts.terms[one]
            if one in comparing or (term[0] == "call" and last_name(facts.terms, term[1]) in self._names):
                return True
        return False

    def comparing(self, module: int) -> frozenset[int]:
        """The comparisons of a module with something that its functions store."""
        found = self._comparing.get(module)
        if found is None:
            found = self._comparing[module] = frozenset(_comparing(self.linked.indexes[module]))
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of functions that answer by such a comparison; "" is a call without a name."""
        modules = self.linked.modules
        return frozenset({"", *[modules[module].functions[number].name for module, number in self.answering]})

    @cached_property
    def answering(self) -> set[tuple[int, int]]:
        """The functions, by module and number, that answer by such a comparison, through others too."""
        found = set(self._comparing_themselves())
        for _ in range(MOST_DEPTH - 1):
            names = {self.linked.modules[module].functions[number].name for module, number in found}
            for module, index in enumerate(self.linked.indexes):
                for called in index.calls.keys() & names:
                    found.update([(module, n) for n, _ in index.calls[called] if self._decides(index, n)])
        return found

    def _comparing_themselves(self) -> Iterator[tuple[int, int]]:
        for module, index in enumerate(self.linked.indexes):
            comparing = self.comparing(module)
            for number, event in index.events("ret") if comparing else ():
                if self._decides(index, number) and not comparing.isdisjoint(_decided_by(index.facts, event)):
                    yield module, number

    def _decides(self, index: Index, number: int) -> bool:
        name = index.facts.functions[number].name
        return self.answers.may_decide(name, True) or self.answers.may_decide(name, False)


def _decided_by(facts: Facts, event: Event) -> set[int]:
    """All that a return answers with or hangs on."""
    found = set(inside(facts, event.a))
    for frame in tests(facts, event.chain):
        found.update(inside(facts, frame[2]))
    return found


def _comparing(index: Index) -> Iterator[int]:
    facts = index.facts
    stored = {event.a for _, event in index.events("set")}
    fields = {facts.terms[target][2] for target in stored if facts.terms[target][0] == "attr"}
    entries = {facts.terms[target][1:3] for target in stored if facts.terms[target][0] == "sub"}
    for number in index.kinds.get("cmp", ()):
        _, op, left, right, *_ = facts.terms[number]
        for kept, seen in ((left, right), (right, left)) if op in _SAYING else ():
            term = facts.terms[kept]
            if term[0] == "attr":
                found = term[2] in fields
            elif term[0] == "loop":
                found = _is_kept(index, term[1], seen)
            elif term[0] == "call":
                found = bool(term[2]) and (facts.terms[term[1]][1], term[2][0]) in entries
            else:
                found = kept in stored
            if found:
                yield number


def _is_kept(index: Index, name: str, seen: int) -> bool:
    """Whether a variable is set to something made of what is seen now."""
    return any(event.a == name and seen in inside(index.facts, event.b, 20) for _, event in index.events("bind"))
