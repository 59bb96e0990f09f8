"""Which terms can hold a reading of a clock, told from names alone in each module's table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

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


class Timely:
    """Marks the terms of a program's modules that may stand on a clock; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self._words = program.words
        models = program.models
        self._clocks = {c.rpartition(".")[2] for m in models.clocks for c in m.calls} - {"time"}
        self._clocks |= {c.rpartition(".")[2] for m in (*models.gates, *models.predicates) for c in m.calls}
        self._marks: dict[int, set[int]] = {}
        self._always: dict[int, list[int]] = {}
        self._tested: dict[int, frozenset[int]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """What is called or read to get a reading: clocks, and the project's functions that return one."""
        names, fresh = set(self._clocks), frozenset(self._clocks)
        marks: list[set[int]] = [set() for _ in self.linked.modules]
        for round_ in range(ROUNDS):
            more: set[str] = set()
            for module in range(len(marks)):
                seeds = self._seeds(module, fresh, always=not round_)
                if self._spread(module, seeds, marks[module], strict=True):
                    more |= self._answering(module, marks[module])
            fresh = frozenset(name for name in more - names if name not in self._words["generic"])
            names |= fresh
            if not fresh:
                break
        return frozenset(names)

    def _answering(self, module: int, marks: set[int]) -> set[str]:
        """The functions of a module that return what is marked."""
        functions = self.linked.modules[module].functions
        returns = self.linked.indexes[module].events("ret")
        return {functions[number].name for number, event in returns if event.a in marks}

    def marks(self, module: int) -> set[int]:
        """The terms of a module that may stand on a clock."""
        found = self._marks.get(module)
        if found is None:
            found = self._marks[module] = set()
            self._spread(module, self._seeds(module, self.names, always=True), found, strict=False)
        return found

    def _seeds(self, module: int, names: frozenset[str], always: bool) -> list[int]:
        """The terms of a module that read a clock if these names do, with those that `always` read one."""
        terms, named = self.linked.modules[module].terms, self.linked.indexes[module].named
        found = list(self._alone(module)) if always else []
        for name in names & named.keys():
            for number in named[name]:
                term = terms[number]
                if term[0] == "attr" and terms[term[1]][0] != "import" or term[0] == "call" and name != "time":
                    found.append(number)
        return found

    def _alone(self, module: int) -> list[int]:
        """The terms of a module that read a clock by themselves."""
        found = self._always.get(module)
        if found is None:
            found = self._always[module] = self._reading(module)
        return found

    def _reading(self, module: int) -> list[int]:
        facts, index = self.linked.modules[module], self.linked.indexes[module]
        now, clock, terms = self._words["now"], self._words["clock"], facts.terms
        found: list[int] = []
        for name, numbers in index.named.items():
            bare = [n for n in numbers if terms[n][0] == "call" and not terms[n][2]]
            if bare and (name == "time" or (name and name in clock)):
                found += bare
        for number in index.kinds.get("param", ()):
            _, function, position = terms[number]
            if facts.functions[function].params[position].name in now:
                found.append(number)
        return found + _asking_now(terms, index.kinds.get("const", ()))

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
            if module not in self.program.tests and self.marks(module)
            for number in sorted(self._testing(module))
        )

    def _testing(self, module: int) -> set[int]:
        """The functions of a module that test or ask a query for something that may stand on a clock."""
        facts, marks, index = self.linked.modules[module], self.marks(module), self.linked.indexes[module]
        terms, found = facts.terms, set()
        for name in ASKS & index.calls.keys():
            found.update([number for number, event in index.calls[name] if event.a in marks])
        for number, event in index.events("set"):
            if event.b in marks and terms[event.b][0] == "comp":
                found.add(number)
        tested = self.tested(module)
        for number, function in enumerate(facts.functions) if tested else ():
            if number not in found and any([event.chain in tested for event in function.events]):
                found.add(number)
        return found

    def tested(self, module: int) -> frozenset[int]:
        """The path conditions of a module in which something is tested that may stand on a clock."""
        found = self._tested.get(module)
        if found is None:
            found = self._tested[module] = frozenset(self._conditions(module))
        return found

    def _conditions(self, module: int) -> set[int]:
        facts, marks, found = self.linked.modules[module], self.marks(module), set()
        for number, frame in enumerate(facts.chains) if marks else ():
            if number and (
                frame[0] in found
                or (frame[1] == "test" and frame[2] in marks)
                or (frame[1] == "loop" and facts.loops[frame[2]].subject in marks)
                or (frame[1] == "join" and not found.isdisjoint(frame[2]))
            ):
                found.add(number)
        return found

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
