"""The tree that every document format is read into: values, keys and where each of them stands."""

from __future__ import annotations

import enum
from collections.abc import Iterator

import msgspec

from anchorlint.domain.span import Span

MAX_DEPTH = 200  # deeper than any document that people write, and far from Python's recursion limit


class Malformed(Exception):
    """A text that is no document of its format; line and column count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class Kind(enum.StrEnum):
    """The type of a value, in words that a message can use."""

    MAPPING = "mapping"
    SEQUENCE = "list"
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    TIME = "time"  # TOML's dates and times, in `raw` as written

    @property
    def said(self) -> str:
        """The type in the words of a message: `a number`, `text`."""
        words = {"text": "text", "null": "empty", "boolean": "true or false", "time": "a date or time"}
        return words.get(self.value, f"a {self.value}")


class Entry(msgspec.Struct, frozen=True, eq=False):
    """One key of a mapping with its value; `merged` when it came by a YAML merge key and stands elsewhere."""

    key: str
    key_span: Span
    node: Node
    merged: bool = False

    @property
    def span(self) -> Span:
        """From the start of the key to the end of the value."""
        return Span(self.key_span.path, self.key_span.start, max(self.key_span.end, self.node.span.end))


class Node(msgspec.Struct, frozen=True, eq=False):
    """A value with its place. `value` is set for scalars, `entries` for mappings, `items` for lists.

    `entries` keeps every key as written, duplicates too. `raw` is the text of a scalar as written, without quotes.
    `tag` is an explicit YAML tag such as `!Ref`. A YAML alias is the very node it names, so a tree may share nodes.
    """

    kind: Kind
    span: Span
    value: str | int | float | bool | None = None
    entries: tuple[Entry, ...] = ()
    items: tuple[Node, ...] = ()
    raw: str = ""
    tag: str | None = None

    def entry(self, key: str) -> Entry | None:
        """The entry that counts for `key`: the last one written here, else a merged one, else None."""
        found = None
        for entry in self.entries:
            if entry.key == key and (found is None or _counts(entry, found)):
                found = entry
        return found

    def child(self, *keys: str) -> Node | None:
        """The node below this one at `keys`, None where a step is missing."""
        node: Node = self
        for key in keys:
            entry = node.entry(key)
            if entry is None:
                return None
            node = entry.node
        return node

    def effective(self) -> dict[str, Entry]:
        """One entry a key, the one that counts, in the order of the text."""
        found: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.key not in found or _counts(entry, found[entry.key]):
                found[entry.key] = entry
        return found

    @property
    def text(self) -> str | None:
        """The value of a text, None for any other kind."""
        return self.value if isinstance(self.value, str) and self.kind is Kind.TEXT else None

    @property
    def duplicates(self) -> Iterator[tuple[Entry, Entry]]:
        """Each key that is written again in this mapping, with the entry before it."""
        seen: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.merged:
                continue
            if entry.key in seen:
                yield seen[entry.key], entry
            seen[entry.key] = entry


def _counts(entry: Entry, before: Entry) -> bool:
    """Whether a later entry of the same key takes the place of the one before."""
    return before.merged or not entry.merged
