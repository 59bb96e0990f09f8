"""Which terms can hold a reading of a clock, told from names alone in each module's table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.python.facts import Facts
from anchorlint.python.index import Index
from anchorlint.python.link import Ref, last_name
from anchorlint.python.queries import FILTERS, RUNS

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_KEEPS = frozenset({"int", "float", "round", "max", "min", "abs", "str", "bool", "all", "any", "cast", "fromtimestamp",
                    "combine", "make_aware", "timedelta"})  # fmt: skip
ASKS = FILTERS | RUNS | {"Q", "put_item", "update_item", "delete_item"}
ROUNDS = 3  #: helpers of helpers that return a reading
_NOWS = ("now", "current_timestamp", "sysdate", "getdate", "unixepoch")


class Chains(NamedTuple):
    """Path conditions of a module: those with a test that may be a gate, those in a loop over what a clock chooses."""

    testing: frozenset[int]
    turning: frozenset[int]


class Timely:
    """Marks the terms of a program's modules that may stand on a clock; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self._marks: dict[int, set[int]] = {}
        self._chains: dict[int, Chains] = {}

    @cached_property
    def _readings(self) -> list[set[int]]:
        """For each module what reads a clock or tells how a reading compares, answers of functions included."""
        relevance = self.program.relevance
        marks: list[set[int]] = [set() for _ in self.linked.modules]
        fresh = {module: self._seeds(module) for module in range(len(marks))}
        answered: set[Ref] = set()
        for _ in range(ROUNDS + 1):
            answering: set[Ref] = set()
            for module, seeds in fresh.items():
                if self._spread(module, seeds, marks[module], strict=True):
                    answering |= self._answering(module, marks[module])
            fresh = {}
            for function in answering - answered:
                for call in relevance.callers.calls(function):
                    fresh.setdefault(call.module, []).append(call.event.a)
                for module, number in relevance.callers.uses(function):
                    fresh.setdefault(module, []).append(number)
            answered |= answering
        return marks

    def _seeds(self, module: int) -> list[int]:
        """The terms of a module that read a clock or compare with one by themselves."""
        texts = self.linked.indexes[module].kinds.get("const", ())
        begun = self.program.relevance.beginnings(module)
        return [*begun, *_asking_now(self.linked.modules[module].terms, texts)]

    def _answering(self, module: int, marks: set[int]) -> set[Ref]:
        """The functions of a module that return what is marked."""
        returns = self.linked.indexes[module].events("ret")
        return {Ref("fn", module, number) for number, event in returns if event.a in marks}

    def marks(self, module: int) -> set[int]:
        """The terms of a module that may stand on a clock."""
        found = self._marks.get(module)
        if found is None:
            found = self._marks[module] = set()
            self._spread(module, self._readings[module], found, strict=False)
        return found

    def _spread(self, module: int, seeds: Iterable[int], marks: set[int], strict: bool) -> bool:
        """Mark these terms and what is made of them; `strict` asks for a reading itself, not for what was handed one.

        Tells whether any mark is new.
        """
        pending, before = [n for n in seeds if n not in marks], len(marks)
        if not pending:
            return False
        terms, parents = self.linked.modules[module].terms, self.linked.indexes[module].parents
        marks.update(pending)
        while pending:
            number = pending.pop()
            for parent in parents[number]:
                if parent not in marks and _is_made(terms, parent, number, strict):
                    marks.add(parent)
                    pending.append(parent)
        return len(marks) > before

    # functions

    @cached_property
    def gated(self) -> tuple[Ref, ...]:
        """The functions outside of tests that test or ask for something that may stand on a clock."""
        return tuple(
            Ref("fn", module, number)
            for module in range(len(self.linked.modules))
            if module not in self.program.tests
            for number in sorted(self._testing(module))
        )

    def _testing(self, module: int) -> set[int]:
        """The functions of a module that test or ask a query for something that may stand on a clock."""
        facts, marks, index = self.linked.modules[module], self.marks(module), self.linked.indexes[module]
        terms, found = facts.terms, set()
        for name in ASKS & index.calls.keys() if marks else ():
            found.update([number for number, event in index.calls[name] if event.a in marks])
        for number, event in index.events("set") if marks else ():
            if event.b in marks and terms[event.b][0] == "comp":
                found.add(number)
        chains = self.chains(module)
        tested = chains.testing | chains.turning
        for number, function in enumerate(facts.functions) if tested else ():
            if number not in found and any([event.chain in tested for event in function.events]):
                found.add(number)
        return found

    # path conditions

    def chains(self, module: int) -> Chains:
        """The path conditions of a module in which a gate may stand, with all that stands on them."""
        found = self._chains.get(module)
        if found is None:
            found = self._chains[module] = self._on_clock(module)
        return found

    def _on_clock(self, module: int) -> Chains:
        facts, marks = self.linked.modules[module], self.marks(module)
        testing: set[int] = set()
        turning: set[int] = set()
        for number, frame in enumerate(facts.chains[1:], 1):
            joined = frame[2] if frame[1] == "join" else ()
            if frame[0] in testing or not testing.isdisjoint(joined) or self.is_test(module, frame):
                testing.add(number)
            subject = facts.loops[frame[2]].subject if frame[1] == "loop" else -1
            if frame[0] in turning or not turning.isdisjoint(joined) or subject in marks:
                turning.add(number)
        return Chains(frozenset(testing), frozenset(turning))

    def is_test(self, module: int, frame: tuple) -> bool:
        """Whether a frame is a test that hangs on how a moment compares: no other holds a gate."""
        return frame[1] == "test" and self.program.relevance.is_decided(module, frame[2])

    @cached_property
    def stamped(self) -> frozenset[str]:
        """The names under which something is kept that may stand on a clock; "" if SQL text is given such a value."""
        names: set[str] = set()
        for module, facts in enumerate(self.linked.modules):
            marks = self.marks(module)
            if marks:
                names |= _stamped(facts, self.linked.indexes[module], marks)
        return frozenset(names)


def _asking_now(terms: list[tuple], numbers: Collection[int]) -> list[int]:
    """The texts among constants that ask a database for its now."""
    texts = [n for n in numbers if terms[n][1] == "str" and 8 < len(terms[n][2]) < 4000]
    together = "\n".join([terms[n][2] for n in texts]).lower()
    words = [word for word in _NOWS if word in together]
    return [n for n in texts if any([word in terms[n][2].lower() for word in words])] if words else []


def _is_made(terms: list[tuple], number: int, part: int, strict: bool) -> bool:
    """Whether a term is marked because one that it is made of is."""
    term = terms[number]
    kind = term[0]
    if kind == "call":
        return term[1] == part or not strict or last_name(terms, term[1]) in _KEEPS
    if kind == "map":
        return any([value == part for _, value in term[1]])
    return kind != "comp" or term[2] == part or part in term[4]


def _stamped(facts: Facts, index: Index, marks: set[int]) -> set[str]:
    """The names under which a module keeps what is marked."""
    terms = facts.terms
    names = {_key(terms, event.a) for _, event in index.events("set") if event.b in marks}
    for _, event in index.events("call"):
        if event.a in marks:
            names |= _carried(terms, marks, terms[event.a])
    for number in index.kinds.get("map", ()):
        names.update([terms[k][2] for k, v in terms[number][1] if v in marks and k >= 0 and _is_text(terms[k])])
    return names


def _is_text(term: tuple) -> bool:
    return term[0] == "const" and term[1] == "str"


def _key(terms: list[tuple], target: int) -> str:
    term = terms[target]
    if term[0] == "attr":
        return str(term[2])
    key: tuple = terms[term[2]] if term[0] == "sub" else ("",)
    return str(key[2]) if _is_text(key) else ""


def _carried(terms: list[tuple], marks: set[int], term: tuple) -> set[str]:
    found = {name for name, n in term[3] if name and n in marks}
    name = last_name(terms, term[1])
    if name in RUNS or name[:1].isupper():
        found.add("")
    return found
