"""Fields that decide, by their names: counters ordered against a bound, states that are tested or selected by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.facts import NONE
from anchorlint.python.link import Linked, Ref

#: calls that give a copy of a record, some of its fields replaced
COPIES = frozenset({"replace", "_replace", "evolve", "model_copy", "copy", "dict", "structs_replace"})


class Fields:
    """What the names of fields are used for, anywhere in a program."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    @cached_property
    def counters(self) -> frozenset[str]:
        """The fields that are ordered against something anywhere: only those can be budgets."""
        found: set[str] = set()
        for terms, _, op, left, right, *_ in self._comparisons():
            if op in ("<", "<=", ">", ">=", "=="):
                found.update(self._fields(terms, left))
                found.update(self._fields(terms, right))
        return frozenset(found)

    def _comparisons(self) -> Iterator[tuple]:
        """Each comparison of the program, after the table that it stands in."""
        for index in self.linked.indexes:
            terms = index.facts.terms
            yield from ((terms, *terms[number]) for number in index.kinds.get("cmp", ()))

    def _keywords(self) -> Iterator[tuple[list[tuple], str, int]]:
        """The keyword arguments of all calls: their table, their name up to the first `__`, their term."""
        for index in self.linked.indexes:
            terms = index.facts.terms
            for call in index.kinds.get("call", ()):
                for name, number in terms[call][3]:
                    yield terms, name.partition("__")[0], number

    def _fields(self, terms: list[tuple], number: int) -> Iterator[str]:
        term = terms[number]
        if term[0] in ("attr", "sub"):
            yield field_name(terms, term)
        elif term[0] == "bin":
            yield from self._fields(terms, term[2])
            yield from self._fields(terms, term[3])
        elif term[0] == "call" and term[2]:
            callee = terms[term[1]]
            if callee[0] == "attr" and callee[2] == "get":
                key = terms[term[2][0]]
                if key[0] == "const":
                    yield str(key[2])

    @cached_property
    def states(self) -> frozenset[str]:
        """The fields that are tested for equality or that a query selects by, anywhere."""
        found: set[str] = set()
        for terms, _, op, left, right, *_ in self._comparisons():
            if op in ("==", "!=", "in", "not in", "is", "is not") and terms[right] != ("const", "NoneType", None):
                found.update(self._fields(terms, left))
        found.update(name for terms, name, n in self._keywords() if name and terms[n][0] in ("const", "attr", "seq"))
        return frozenset(found)

    def waiting(self, function: Ref, target: int) -> frozenset[str]:
        """The texts by which items are selected under a state's name: query keywords and equality tests."""
        facts = self.linked.modules[function.module]
        return self._selected.get(field_name(facts.terms, facts.terms[target]), frozenset())

    @cached_property
    def _selected(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for terms, _, op, left, right, *_ in self._comparisons():
            if op in ("==", "!=", "in", "not in"):
                for name in self._fields(terms, left):
                    found.setdefault(name, set()).update(_texts(terms, right))
        for terms, name, number in self._keywords():
            found.setdefault(name, set()).update(_texts(terms, number))
        return {name: frozenset(texts) for name, texts in found.items()}


def _texts(terms: list[tuple], number: int) -> Iterator[str]:
    term = terms[number]
    if term[0] == "attr" or term[:2] == ("const", "str"):
        yield term[2]
    elif term[0] == "seq":
        for part in term[2]:
            yield from _texts(terms, part)


def same_place(terms: list[tuple], target: int, read: int) -> bool:
    """Whether what is read is the target itself: `x.n`, `d["n"]`, `d.get("n", 0)`, `x.n or 0`."""
    if read == target:
        return True
    term = terms[read]
    if term[0] == "bool":
        return same_place(terms, target, term[2][0])
    if term[0] == "call" and term[2]:
        callee, place = terms[term[1]], terms[target]
        if callee == ("name", "int") or callee == ("name", "getattr"):
            return same_place(terms, target, term[2][0])
        return (
            callee[0] == "attr"
            and callee[2] == "get"
            and place[0] == "sub"
            and (callee[1] == place[1] and term[2][0] == place[2])
        )
    return False


def field_name(terms: list[tuple], target: tuple) -> str:
    """The last name of an attribute or of a subscript with a literal key; `[]` for any other key."""
    if target[0] == "attr":
        return str(target[2])
    key = terms[target[2]]
    return str(key[2]) if key[0] == "const" else "[]"


def counter_place(terms: list[tuple], record: int, name: str, read: int) -> int:
    """The place that a counter is read from: `item.tries`, `body["tries"]` or `body.get("tries", 0)`; else NONE."""
    term = terms[read]
    if term == ("attr", record, name):
        return read
    if term[0] == "sub" and term[1] == record and terms[term[2]] == ("const", "str", name):
        return read
    if term[0] == "call" and term[2] and terms[term[2][0]] == ("const", "str", name):
        callee = terms[term[1]]
        return read if callee[0] == "attr" and callee[1:] == (record, "get") else NONE
    return NONE
