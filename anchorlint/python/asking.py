"""Asking: whether anybody reads a private field, told from the terms alone: what nobody reads decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.documents.sql import is_statement
from anchorlint.python.index import Index
from anchorlint.python.units import Units

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_MERGES = frozenset({"if", "phi", "loop"})  #: what the ways through a function leave in a place, read or not


class Asking:
    """Looks for readers of fields; one for a program."""

    def __init__(self, program: Program) -> None:
        self.linked = program.linked
        self.units = program.part(Units)
        self._asked: dict[tuple[int, str], bool] = {}

    def is_asked(self, module: int, name: str) -> bool:
        """Whether a module of the unit reads a field of this name; of one that is not private anybody may."""
        if not name.startswith("_"):
            return True
        return any(self._reads(number, name) for number in self.units.around(module))

    def _reads(self, module: int, name: str) -> bool:
        key = (module, name)
        found = self._asked.get(key)
        if found is None:
            index = self.linked.indexes[module]
            found = self._asked[key] = _is_read(index, name) or _is_queried(index, name)
        return found


def _is_read(index: Index, name: str) -> bool:
    """Whether anything is made of an attribute or entry of this name, or it is handed on as it is."""
    terms, parents = index.facts.terms, index.parents
    pending = [n for n in index.named.get(name, ()) if terms[n][0] != "call"]
    numbers = set(pending)
    while pending:
        for parent in parents[pending.pop()]:
            if terms[parent][0] not in _MERGES:
                return True
            if parent not in numbers:
                numbers.add(parent)
                pending.append(parent)
    handed = {event.a for _, event in index.events("ret", "yield")} | {event.b for _, event in index.events("set")}
    tested = {frame[2] for frame in index.facts.chains if frame[1:2] == ("test",)}
    return not numbers.isdisjoint(handed | tested)


def _is_queried(index: Index, name: str) -> bool:
    """Whether a statement, a document, a filter or `get` may ask for the name."""
    terms = index.facts.terms
    for number in index.kinds.get("const", ()):
        _, kind, text = terms[number][:3]
        if kind == "str" and name in text and (text != name or _is_word(index, number)) and _may_ask(text, name):
            return True
    return any(
        keyword.partition("__")[0] == name for number in index.kinds.get("call", ()) for keyword, _ in terms[number][3]
    )


def _may_ask(text: str, name: str) -> bool:
    return text.partition("__")[0] == name or is_statement(text)


def _is_word(index: Index, number: int) -> bool:
    """Whether a text is more than the key of an entry or one of a list of keys: a call or a comparison gets it."""
    return any(index.facts.terms[parent][0] not in ("sub", "seq") for parent in index.parents[number])
