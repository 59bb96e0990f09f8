"""Which terms can hold a reading of a clock, told from names alone in one pass over a module's table."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.python.link import Ref, last_name
from anchorlint.python.queries import FILTERS, RUNS

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_KEEPS = frozenset({"int", "float", "round", "max", "min", "abs", "str", "bool", "all", "any", "cast", "fromtimestamp",
                    "combine", "make_aware", "timedelta"})  # fmt: skip
ASKS = FILTERS | RUNS | {"Q", "put_item", "update_item", "delete_item"}
ROUNDS = 3  #: helpers of helpers that return a reading
_CHILDREN = {
    "attr": (1,), "sub": (1, 2), "bin": (2, 3), "cmp": (2, 3), "un": (2,), "if": (1, 2, 3), "loop": (2,), "idx": (1,),
    "rest": (1,), "star": (1,), "outer": (2,), "entered": (1,), "iter": (1,),
}  # fmt: skip

_GATHERS = frozenset({"bool", "seq", "phi", "fstr"})


class _Seeds(NamedTuple):
    """Terms of a module in their order: those that read a clock `always`, and calls and attributes by their name."""

    always: list[int]
    named: dict[str, list[int]]


class Timely:
    """Marks the terms of a program's modules that may stand on a clock; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self._words = program.words
        models = program.models
        self._clocks = {c.rpartition(".")[2] for m in models.clocks for c in m.calls} - {"time"}
        self._clocks |= {c.rpartition(".")[2] for m in (*models.gates, *models.predicates) for c in m.calls}
        self._marks: dict[int, bytearray] = {}
        self._seeded: dict[int, _Seeds] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """What is called or read to get a reading: clocks, and the project's functions that return one."""
        names, fresh = set(self._clocks), None
        for _ in range(ROUNDS):
            more: set[str] = set()
            for module, facts in enumerate(self.linked.modules):
                if fresh is not None and fresh.isdisjoint(self._seeds(module).named):
                    continue  # nothing can be marked here that was not marked in the round before
                marks = self._pass(module, names, strict=True)
                for record in facts.functions[1:] if 1 in marks else ():
                    known = record.name in names or record.name in more or record.name in self._words["generic"]
                    if not known and any(e.kind == "ret" and e.a >= 0 and marks[e.a] for e in record.events):
                        more.add(record.name)
            if not more:
                break
            names |= more
            fresh = more
        return frozenset(names)

    def marks(self, module: int) -> bytearray:
        """For each term of a module, whether it may stand on a clock."""
        found = self._marks.get(module)
        if found is None:
            found = self._marks[module] = self._pass(module, self.names)
        return found

    def _pass(self, module: int, names: set[str] | frozenset[str], strict: bool = False) -> bytearray:
        """One pass over a module's terms; `strict` asks for a reading itself, not for what was handed one."""
        terms, seeds = self.linked.modules[module].terms, self._seeds(module)
        marks, first = bytearray(len(terms)), len(terms)
        for found in (seeds.always, *(seeds.named[name] for name in names & seeds.named.keys())):
            for number in found:
                marks[number] = 1
            first = min(first, found[0]) if found else first
        for number in range(first, len(terms)):
            if not marks[number]:
                marks[number] = _is_made(terms, number, marks, strict)
        return marks

    def _seeds(self, module: int) -> _Seeds:
        """The terms of a module that read a clock by themselves, or do if a name does."""
        found = self._seeded.get(module)
        if found is None:
            found = self._seeded[module] = self._sown(module)
        return found

    def _sown(self, module: int) -> _Seeds:
        facts, now, clock = self.linked.modules[module], self._words["now"], self._words["clock"]
        terms, always = facts.terms, []
        named: dict[str, list[int]] = {}
        for number, term in enumerate(terms):
            kind = term[0]
            if kind == "call":
                name = last_name(terms, term[1])
                if not term[2] and name and (name == "time" or name in clock):
                    always.append(number)
                elif name != "time":
                    named.setdefault(name, []).append(number)
            elif kind == "attr":
                if terms[term[1]][0] != "import":
                    named.setdefault(term[2], []).append(number)
            elif kind == "param":
                if facts.functions[term[1]].params[term[2]].name in now:
                    always.append(number)
            elif kind == "const" and term[1] == "str" and 8 < len(term[2]) < 4000 and _asks_now(term[2]):
                always.append(number)
        return _Seeds(always, named)

    # functions

    @cached_property
    def gated(self) -> tuple[Ref, ...]:
        """The functions outside of tests that test or ask for something that may stand on a clock."""
        return tuple(
            ref
            for module, facts in enumerate(self.linked.modules)
            if module not in self.program.tests and 1 in self.marks(module)
            for number in range(len(facts.functions))
            if self.is_gated(ref := Ref("fn", module, number))
        )

    def is_gated(self, function: Ref) -> bool:
        """Whether a function tests or asks a query for something that may stand on a clock."""
        facts, marks = self.linked.modules[function.module], self.marks(function.module)
        seen: set[int] = set()
        for event in facts.functions[function.number].events:
            chain = event.chain
            while chain > 0 and chain not in seen:
                seen.add(chain)
                frame = facts.chains[chain]
                if frame[1] == "test" and marks[frame[2]]:
                    return True
                if frame[1] == "loop" and facts.loops[frame[2]].subject >= 0 and marks[facts.loops[frame[2]].subject]:
                    return True
                if frame[1] == "join" and any(self._tests(facts, marks, c, seen) for c in frame[2]):
                    return True
                chain = frame[0]
            if event.kind == "set" and event.b >= 0 and facts.terms[event.b][0] == "comp" and marks[event.b]:
                return True
            if event.kind == "call" and marks[event.a]:
                name = last_name(facts.terms, facts.terms[event.a][1])
                if name in ASKS:
                    return True
        return False

    def _tests(self, facts: object, marks: bytearray, chain: int, seen: set[int]) -> bool:
        chains = facts.chains  # type: ignore[attr-defined]
        while chain > 0 and chain not in seen:
            seen.add(chain)
            if chains[chain][1] == "test" and marks[chains[chain][2]]:
                return True
            chain = chains[chain][0]
        return False

    @cached_property
    def stamped(self) -> frozenset[str]:
        """The names under which something is kept that may stand on a clock; "" if SQL text is given such a value."""
        names: set[str] = set()
        for module, facts in enumerate(self.linked.modules):
            marks = self.marks(module)
            for record in facts.functions if 1 in marks else ():
                for event in record.events:
                    if event.kind == "set" and event.b >= 0 and marks[event.b]:
                        names.add(_key(facts.terms, event.a))
                    elif event.kind == "call" and marks[event.a]:
                        names |= _carried(facts.terms, marks, facts.terms[event.a])
            for term in facts.terms if 1 in marks else ():
                if term[0] == "map":
                    names |= {facts.terms[k][2] for k, v in term[1] if k >= 0 and marks[v] and _is_text(facts.terms[k])}
        return frozenset(names)


def _is_made(terms: list[tuple], number: int, marks: bytearray, strict: bool) -> bool:
    """Whether a term is made of one that is marked."""
    term = terms[number]
    kind = term[0]
    if kind == "call":
        if marks[term[1]]:
            return True
        handed = any([marks[n] for n in term[2]]) or any([marks[n] for _, n in term[3]])
        return handed and (not strict or last_name(terms, term[1]) in _KEEPS)
    if kind in _CHILDREN:
        return any([marks[term[at]] for at in _CHILDREN[kind] if 0 <= term[at] < number])
    if kind in _GATHERS:
        inner = next((part for part in term[1:] if isinstance(part, tuple)), ())
        return any([marks[n] for n in inner if n >= 0])
    if kind == "map":
        return any([marks[v] for _, v in term[1]])
    return kind == "comp" and bool(marks[term[2]] or any([marks[t] for t in term[4]]))


def _is_text(term: tuple) -> bool:
    return term[0] == "const" and term[1] == "str"


def _key(terms: list[tuple], target: int) -> str:
    term = terms[target]
    if term[0] == "attr":
        return str(term[2])
    key: tuple = terms[term[2]] if term[0] == "sub" else ("",)
    return str(key[2]) if _is_text(key) else ""


def _carried(terms: list[tuple], marks: bytearray, term: tuple) -> set[str]:
    found = {name for name, n in term[3] if name and marks[n]}
    if last_name(terms, term[1]) in RUNS or last_name(terms, term[1])[:1].isupper():
        found.add("")
    return found


def _asks_now(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in ("now", "current_timestamp", "sysdate", "getdate", "unixepoch"))
