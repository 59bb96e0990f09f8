"""TOML with the position of every key and value: tomli reads the values, a scan of the valid text finds the places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time
from typing import Any

from anchorlint.documents.lines import Lines
from anchorlint.documents.node import MAX_DEPTH, Entry, Kind, Malformed, Node
from anchorlint.domain.span import Span

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BETWEEN = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BASIC = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"'[^'\n]*'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
_PLAIN = re.compile(r"[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?")  # numbers, booleans and dates; a blank may part date and time


def read(text: str, path: str) -> Node:
    """The tree of a TOML text; raises Malformed (duplicate keys are malformed in TOML)."""
    import tomli

    text = text.removeprefix("\ufeff")
    try:
        return _Scan(text, path).document(tomli.loads(text))
    except tomli.TOMLDecodeError as error:
        raise Malformed(_one_sentence(error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise Malformed(f"nested deeper than {MAX_DEPTH} levels", 1, 1) from None


def values(text: str) -> dict[str, Any]:
    """The plain values of a TOML text, for those who need no places; raises Malformed."""
    import tomli

    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise Malformed(_one_sentence(error.msg), error.lineno, error.colno) from None


def _one_sentence(message: str) -> str:
    """tomli's words in the form of ours: lower case, no full stop."""
    return message[:1].lower() + message[1:].rstrip(".")


class _Table:
    """A table on its way to a node: its span grows with what is put into it."""

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.keys: dict[str, tuple[int, int]] = {}
        self.children: dict[str, _Table | _Tables | _Value] = {}


class _Tables(list["_Table"]):
    """The tables of one `[[name]]`."""


class _Value:
    """A value that stands in one piece; `inner` for lists and inline tables."""

    def __init__(self, start: int, end: int, inner: list[_Value] | _Table | None = None) -> None:
        self.start = start
        self.end = end
        self.inner = inner


class _Scan:
    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.lines = Lines(text, path)

    def document(self, values: dict[str, Any]) -> Node:
        root = _Table(0, len(self.text))
        table, at = root, self.blank(0)
        while at < len(self.text):
            if self.text[at] == "[":
                table, at = self.header(root, at)
            else:
                at = self.pair(table, at, 0)
            at = self.blank(at)
        return self.mapping(root, values)

    def blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def header(self, root: _Table, start: int) -> tuple[_Table, int]:
        """The table that `[name]` or `[[name]]` at `start` opens, and where the header ends."""
        many = self.text.startswith("[[", start)
        *above, last = keys = list(self.keys(start + 1 + many))
        end = self.text.index("]", keys[-1][2]) + 1 + many
        table = root
        for name, key_start, key_end in above:
            table = self.step(table, name, key_start, key_end, start)
        name, key_start, key_end = last
        if many:
            table.keys.setdefault(name, (key_start, key_end))
            tables = table.children.setdefault(name, _Tables())
            tables.append(_Table(start, end))  # type: ignore[union-attr]
        opened = self.step(table, name, key_start, key_end, start)
        opened.end = max(opened.end, end)
        return opened, end

    def step(self, table: _Table, name: str, key_start: int, key_end: int, start: int) -> _Table:
        """The table below `table` under this name, made when it is new; the newest one of an array of tables."""
        table.keys.setdefault(name, (key_start, key_end))
        child = table.children.setdefault(name, _Table(start, key_end))
        return child[-1] if isinstance(child, _Tables) else child  # type: ignore[return-value]

    def keys(self, at: int) -> Iterator[tuple[str, int, int]]:
        """The parts of a dotted key from `at` on: name, start, end."""
        while True:
            at = self.between(at)
            name, end = self.key(at)
            yield name, at, end
            at = self.between(end)
            if self.text[at : at + 1] != ".":
                return
            at += 1

    def between(self, at: int) -> int:
        found = _BETWEEN.match(self.text, at)
        return found.end() if found else at

    def key(self, at: int) -> tuple[str, int]:
        for form in (_BARE, _LITERAL, _BASIC):
            if found := form.match(self.text, at):
                return _unquoted(found[0]), found.end()
        raise self.lost(at)

    def lost(self, at: int) -> Malformed:
        place = self.lines.position(at)
        return Malformed("no place found for what stands here", place.line, place.column)

    def pair(self, table: _Table, at: int, depth: int) -> int:
        """Puts `key = value` at `at` into the table; returns where the value ends."""
        *above, (name, key_start, key_end) = list(self.keys(at))
        value = self.value(self.blank(self.text.index("=", key_end) + 1), depth)
        table.end = max(table.end, value.end)
        for part, part_start, part_end in above:
            table = self.step(table, part, part_start, part_end, part_start)
            table.end = max(table.end, value.end)
        table.keys[name] = key_start, key_end
        table.children[name] = value
        return value.end

    def value(self, at: int, depth: int) -> _Value:
        if depth > MAX_DEPTH:
            place = self.lines.position(at)
            raise Malformed(f"nested deeper than {MAX_DEPTH} levels", place.line, place.column)
        if self.text[at] == "[":
            return self.sequence(at, depth)
        if self.text[at] == "{":
            return self.inline(at, depth)
        for form in (_LONG_BASIC, _LONG_LITERAL, _BASIC, _LITERAL, _PLAIN):
            if found := form.match(self.text, at):
                return _Value(at, found.end())
        raise self.lost(at)

    def sequence(self, start: int, depth: int) -> _Value:
        inner: list[_Value] = []
        at = self.blank(start + 1)
        while self.text[at] != "]":
            inner.append(self.value(at, depth + 1))
            at = self.comma(inner[-1].end)
        return _Value(start, at + 1, inner)

    def inline(self, start: int, depth: int) -> _Value:
        table = _Table(start, start + 1)
        at = self.blank(start + 1)
        while self.text[at] != "}":
            at = self.comma(self.pair(table, at, depth + 1))
        return _Value(start, at + 1, table)

    def comma(self, at: int) -> int:
        at = self.blank(at)
        return self.blank(at + 1) if self.text[at] == "," else at

    def mapping(self, table: _Table, values: dict[str, Any]) -> Node:
        entries = tuple(
            Entry(name, self.lines.span(*table.keys[name]), self.node(child, values[name]))
            for name, child in table.children.items()
        )
        return Node(Kind.MAPPING, self.lines.span(table.start, table.end), entries=entries)

    def node(self, child: _Table | _Tables | _Value, value: Any) -> Node:
        if isinstance(child, _Table):
            return self.mapping(child, value)
        if isinstance(child, _Tables):
            items = tuple(self.mapping(table, one) for table, one in zip(child, value, strict=True))
            return Node(Kind.SEQUENCE, Span(self.lines.path, items[0].span.start, items[-1].span.end), items=items)
        span = self.lines.span(child.start, child.end)
        if isinstance(child.inner, _Table):
            inline = self.mapping(child.inner, value)
            return Node(Kind.MAPPING, span, entries=inline.entries)
        if isinstance(child.inner, list):
            items = tuple(self.node(one, each) for one, each in zip(child.inner, value, strict=True))
            return Node(Kind.SEQUENCE, span, items=items)
        return _scalar(value, span, self.text[child.start : child.end])


def _unquoted(key: str) -> str:
    if key[0] == "'":
        return key[1:-1]
    if key[0] == '"' and "\\" in key:
        import tomli

        return str(next(iter(tomli.loads(f"{key} = 0"))))
    return key.strip('"')


def _scalar(value: Any, span: Span, raw: str) -> Node:
    if isinstance(value, bool):
        return Node(Kind.BOOLEAN, span, value, raw=raw)
    if isinstance(value, (int, float)):
        return Node(Kind.NUMBER, span, value, raw=raw)
    if isinstance(value, (date, time)):
        return Node(Kind.TIME, span, value.isoformat(), raw=raw)
    return Node(Kind.TEXT, span, str(value), raw=str(value))
