"""What a user says about libraries and words in the configuration: the same tables as in rules/, checked alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from anchorlint.documents import Entry, Kind, Node
from anchorlint.domain.finding import Problem

WORDS = "words"
KEYS = frozenset(
    {
        "clock", "predicate", "identity", "duration", "shift", "cyclic", "gate", "type", "store", "handle", "retry",
        "broker", "sink", "effect", "unit", "persist", "exceptions", WORDS,
    }
)  # fmt: skip


class Knowledge(msgspec.Struct, frozen=True):
    """Model tables by key and vocabularies by name, as plain values, with what is wrong in them."""

    tables: dict[str, Any] = {}
    words: dict[str, Any] = {}
    problems: tuple[Problem, ...] = ()


def parted(node: Node) -> tuple[Knowledge, list[Entry]]:
    """The knowledge in a configuration, and its other entries; faulty tables count as not written."""
    mine = [entry for entry in node.entries if entry.key in KEYS]
    rest = [entry for entry in node.entries if entry.key not in KEYS]
    if not mine:
        return Knowledge(), rest
    from anchorlint.knowledge.invalid import InvalidModel, placed
    from anchorlint.knowledge.models import models
    from anchorlint.knowledge.words import words

    tables = {entry.key: plain(entry.node) for entry in mine if entry.key != WORDS}
    spoken: dict[str, Any] = next((plain(entry.node) for entry in mine if entry.key == WORDS), {})
    problems = []
    try:
        models(tables)
    except InvalidModel as error:
        place = placed(node, error.keys)
        problems.append(Problem(str(error), place.path, place.start.line, place.start.column))
        tables = {}
    try:
        words(spoken)
    except InvalidModel as error:
        place = placed(node, (WORDS, *error.keys))
        problems.append(Problem(f"words: {error}", place.path, place.start.line, place.start.column))
        spoken = {}
    return Knowledge(tables, spoken, tuple(problems)), rest


def joined(parts: Iterable[Knowledge]) -> Knowledge:
    """The knowledge of several configurations; of two that speak of one word the last counts."""
    tables: dict[str, Any] = {}
    spoken: dict[str, Any] = {}
    for part in parts:
        for key, value in part.tables.items():
            tables[key] = _with(tables.get(key), value)
        for name, vocabulary in part.words.items():
            spoken[name] = {**spoken.get(name, {}), **vocabulary}
    return Knowledge(tables, spoken)


def _with(before: Any, value: Any) -> Any:
    if isinstance(before, list):
        return [*before, *value]
    if isinstance(before, dict):
        return {**before, **{key: _with(before.get(key), inner) for key, inner in value.items()}}
    return value


def plain(node: Node) -> Any:
    """The value of a node without its places."""
    if node.kind is Kind.MAPPING:
        return {entry.key: plain(entry.node) for entry in node.entries}
    if node.kind is Kind.SEQUENCE:
        return [plain(item) for item in node.items]
    return node.value
