"""JSON with the position of every key and value; on request with comments and trailing commas (JSONC)."""

from __future__ import annotations

import json
import re

from anchorlint.documents.lines import Lines
from anchorlint.documents.node import MAX_DEPTH, Entry, Kind, Malformed, Node

_SPACE = re.compile(r"[ \t\r\n]*")
_SPACE_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"[A-Za-z_]\w*")


def read(text: str, path: str, *, comments: bool = False) -> Node:
    """The tree of a JSON text, with `comments` of JSONC; raises Malformed."""
    return _Reader(text, path, comments).document()


class _Reader:
    def __init__(self, text: str, path: str, comments: bool) -> None:
        self.text = text
        self.lines = Lines(text, path)
        self.lenient = comments
        self.space = _SPACE_AND_COMMENTS if comments else _SPACE

    def document(self) -> Node:
        node, at = self.value(self.skip(1 if self.text.startswith("\ufeff") else 0), 0)
        at = self.skip(at)
        if at < len(self.text):
            raise self.error("more text after the end of the document", at)
        return node

    def skip(self, at: int) -> int:
        found = self.space.match(self.text, at)
        return found.end() if found else at

    def error(self, message: str, at: int) -> Malformed:
        place = self.lines.position(min(at, len(self.text)))
        return Malformed(message, place.line, place.column)

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        if depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH} levels", at)
        first = self.text[at : at + 1]
        if first == "{":
            return self.mapping(at, depth)
        if first == "[":
            return self.sequence(at, depth)
        if first == '"':
            text, end = self.string(at)
            return Node(Kind.TEXT, self.lines.span(at, end), text, raw=text), end
        return self.number_or_word(at)

    def string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if not found:
            raise self.error("a text without its closing quote", at)
        try:
            return json.loads(found[0]), found.end()
        except ValueError:
            raise self.error("an escape that JSON does not know", at) from None

    def number_or_word(self, at: int) -> tuple[Node, int]:
        if found := _NUMBER.match(self.text, at):
            written = found[0]
            span = self.lines.span(at, found.end())
            whole = not found[1] and not found[2] and len(written) < 1000
            return Node(Kind.NUMBER, span, int(written) if whole else float(written), raw=written), found.end()
        word = _WORD.match(self.text, at)
        if word and word[0] in _WORDS:
            value = _WORDS[word[0]]
            kind = Kind.NULL if value is None else Kind.BOOLEAN
            return Node(kind, self.lines.span(at, word.end()), value, raw=word[0]), word.end()
        raise self.error("the text ends where a value has to stand" if at >= len(self.text) else "no JSON value", at)

    def mapping(self, start: int, depth: int) -> tuple[Node, int]:
        entries: list[Entry] = []
        at, comma = self.skip(start + 1), False
        while not self.closes("}", at, comma):
            if self.text[at : at + 1] != '"':
                raise self.error("a key in quotes has to stand here", at)
            key, end = self.string(at)
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                raise self.error("a colon has to stand here", colon)
            node, after = self.value(self.skip(colon + 1), depth + 1)
            entries.append(Entry(key, self.lines.span(at, end), node))
            at, comma = self.next_member("}", after)
        return Node(Kind.MAPPING, self.lines.span(start, at + 1), entries=tuple(entries)), at + 1

    def sequence(self, start: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        at, comma = self.skip(start + 1), False
        while not self.closes("]", at, comma):
            node, after = self.value(at, depth + 1)
            items.append(node)
            at, comma = self.next_member("]", after)
        return Node(Kind.SEQUENCE, self.lines.span(start, at + 1), items=tuple(items)), at + 1

    def closes(self, bracket: str, at: int, comma: bool) -> bool:
        """Whether the bracket stands at `at`; strict JSON refuses it right after a comma."""
        if self.text[at : at + 1] != bracket:
            return False
        if comma and not self.lenient:
            raise self.error("a comma before the closing bracket", at)
        return True

    def next_member(self, bracket: str, after: int) -> tuple[int, bool]:
        """Where the next member or the bracket stands after a value, and whether a comma came before it."""
        at = self.skip(after)
        sign = self.text[at : at + 1]
        if sign == ",":
            return self.skip(at + 1), True
        if sign == bracket:
            return at, False
        raise self.error(f"a comma or {bracket} has to stand here", at)
