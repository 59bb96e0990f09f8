"""Rows: those whose status is written from a value in SQL text, which on some ways is the one they are selected by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event
from anchorlint.python.link import Ref
from anchorlint.python.site import Site
from anchorlint.python.value import parts
from anchorlint.python.view import View

MOST_TEXT = 4000  #: characters of a statement that is looked at
_UPDATE = re.compile(r"\s*update\s+[\"`]?(?:\w+\.)?(\w+)[\"`]?\s+set\s+(.*?)(?:\bwhere\b|$)", re.IGNORECASE | re.DOTALL)
_SET = re.compile(r"(\w+)[\"`]?\s*=\s*(?:%s|\?|%\((\w+)\)s|:(\w+)|\$(\d+))")
_PLACES = re.compile(r"%s|\?")
_FROM = re.compile(r"\bfrom\s+[\"`]?(?:\w+\.)?(\w+)", re.IGNORECASE)
_CHOSEN = re.compile(r"(\w+)[\"`]?\s*(?:=\s*('\w+')|in\s*\(((?:\s*'\w+'\s*,?)+)\))", re.IGNORECASE)
_FILTERED = re.compile(r"\bselect\b.*\bwhere\b", re.IGNORECASE | re.DOTALL)
_WORD = re.compile(r"'(\w+)'")


class Rows:
    """Finds such statements; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    @property
    def functions(self) -> tuple[Ref, ...]:
        """The functions that update rows by a status."""
        return tuple(self._executed)

    def kept(self, function: Ref) -> Iterator[Site]:
        """The columns that a function updates to a value, of tables from which rows are selected by that column."""
        for event in self._executed.get(function, ()):
            yield from self._written(function, event)

    @cached_property
    def _executed(self) -> dict[Ref, list[Event]]:
        """The calls with parameters by which each function runs what may be an update, if rows are selected at all."""
        found: dict[Ref, list[Event]] = {}
        for call in self.engine.linked.calls.get("execute", ()) if self._selected else ():
            terms = self.engine.linked.modules[call.module].terms
            given = terms[call.event.a][2]
            text = terms[given[0]] if len(given) > 1 else ("const", "str", "")
            if text[0] != "const" or _UPDATE.match(str(text[2])):
                found.setdefault(Ref("fn", call.module, call.function), []).append(call.event)
        return found

    def _written(self, function: Ref, event: Event) -> Iterator[Site]:
        view = self.engine.view(function.module, function.number)
        term = view.terms[event.a]
        text = view.value(term[2][0])
        if text.kind == "result" and text.args[1]:
            text = text.args[1][0]
        if text.kind != "str" or len(text.args[0]) > MOST_TEXT:
            return
        update = _UPDATE.match(text.args[0])
        if update is None:
            return
        for column in _SET.finditer(update[2]):
            words = self._selected.get((update[1].lower(), column[1].lower()), {})
            number = self._given(view.terms, term, column, update[2]) if words else NONE
            waiting = self._waiting(view, term, words) if number != NONE else frozenset[str]()
            if waiting:
                yield Site(function, "stays", event, state=number, waiting=waiting)

    def _waiting(self, view: View, call: tuple, words: dict[str, set[str]]) -> frozenset[str]:
        """The words that bring a row back: those called so, and those by which the very rows in hand were selected."""
        known = self.engine.words
        given = [view.value(number) for number in call[2][1:]]
        selected = {part.args[0] for value in given for part in parts(value, "str")}
        return frozenset(
            word
            for word, texts in words.items()
            if word in known["waiting"] or (word not in known["terminal"] and texts & selected)
        )

    def _given(self, terms: list[tuple], call: tuple, column: re.Match[str], before: str) -> int:
        """The term that a placeholder stands for, NONE where it cannot be told."""
        rest = call[2][1:]
        if column[4]:
            return rest[int(column[4]) - 1] if 0 < int(column[4]) <= len(rest) else NONE
        given, name = terms[rest[0]], column[2] or column[3]
        if name:
            entries = given[1] if given[0] == "map" else ()
            return next((n for key, n in entries if key != NONE and terms[key] == ("const", "str", name)), NONE)
        place = len(_PLACES.findall(before[: column.start()]))
        return given[2][place] if given[0] == "seq" and place < len(given[2]) else NONE

    @cached_property
    def _selected(self) -> dict[tuple[str, str], dict[str, set[str]]]:
        """The words by which rows are selected anywhere, and by which texts: by table and column."""
        found: dict[tuple[str, str], dict[str, set[str]]] = {}
        for index in self.engine.linked.indexes:
            for number in index.kinds.get("const", ()):
                _, kind, text = index.facts.terms[number]
                if kind == "str" and 20 < len(text) < MOST_TEXT and "'" in text and _FILTERED.search(text):
                    _add(found, text)
        return found


def _add(found: dict[tuple[str, str], dict[str, set[str]]], text: str) -> None:
    for table in _FROM.findall(text):
        for column, one, several in _CHOSEN.findall(text[text.lower().find("where") :]):
            words = found.setdefault((table.lower(), column.lower()), {})
            for word in _WORD.findall(one or several):
                words.setdefault(word, set()).add(text)
