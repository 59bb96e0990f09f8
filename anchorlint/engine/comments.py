"""Finds the comments that speak to anchorlint, and the lines that each of them covers."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from anchorlint.documents import Kind, Malformed, Node

MARKER = "anchorlint:"
SPOKEN = re.compile(r"(?:#|;|--|//)\s*anchorlint:\s*(?P<said>.*?)\s*$")
COMMENT_LINE = re.compile(r"\s*(?:#|;|--|//)")
UNMARKED = (".json", ".csv", ".jsonl")
DOCUMENTS = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}
LAYOUT = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


class Comment(msgspec.Struct, frozen=True, array_like=True):
    """What a comment says after the marker, where that stands, and the first and last line that it covers.

    Lines and columns count from 1, columns in code points; `column` is that of `said`, `start` where the comment
    begins with the blanks before it. It is `alone` if nothing else stands on its line.
    """

    said: str
    line: int
    column: int
    first: int
    last: int
    start: int = 1
    alone: bool = False


def comments(path: str, text: str, kind: str) -> tuple[Comment, ...]:
    """The comments of a text that start with the marker; `kind` is "python" or "manifest"."""
    if MARKER not in text or path.endswith(UNMARKED):
        return ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if kind == "python":
        return tuple(_in_python(text))
    for suffix, form in DOCUMENTS.items():
        if path.endswith(suffix):
            return tuple(_in_document(path, text, form))
    return tuple(_in_lines(text.split("\n"), alone=True))


class _Layout:
    """The comments of a Python text, the first and last line of each statement, and the lines that hold any code."""

    def __init__(self, text: str) -> None:
        self.comments: list[tuple[tokenize.TokenInfo, bool]] = []
        self.statements: list[tuple[int, int]] = []
        self.rows: list[int] = []
        # What comes after an error is no Python, and the file is reported as not parsed.
        with suppress(tokenize.TokenError, SyntaxError):
            self._read(text)
        self.rows.sort()

    def _read(self, text: str) -> None:
        first = 0
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                self.comments.append((token, first > 0))
            elif token.type == tokenize.NEWLINE:
                self.statements.append((first or token.start[0], token.start[0]))
                first = 0
            elif token.type not in LAYOUT:
                first = first or token.start[0]
                self.rows += range(token.start[0], token.end[0] + 1)


def statements(text: str) -> list[tuple[int, int]]:
    """The first and last line of each statement of a Python text, of a compound one those of its head."""
    return _Layout(text).statements


def _in_python(text: str) -> Iterator[Comment]:
    layout = _Layout(text)
    for token, within in layout.comments:
        if found := SPOKEN.search(token.string):
            covered = _covered(token, within, layout.statements, layout.rows)
            yield _comment(found, token.line, token.start[0], token.start[1], covered)


def _covered(
    token: tokenize.TokenInfo, within: bool, statements: list[tuple[int, int]], rows: list[int]
) -> tuple[int, int]:
    """A comment alone on its line covers the statement below; at either end of a statement, that statement."""
    line = token.start[0]
    alone = not token.line[: token.start[1]].strip()
    if alone and within:
        after = bisect_left(rows, line + 1)
        return (rows[after], rows[after]) if after < len(rows) else (line, line)
    if alone:
        return next(((first, last) for first, last in statements if first > line), (line, line))
    return next(((first, last) for first, last in statements if line in (first, last)), (line, line))


def _comment(found: re.Match[str], text: str, line: int, column: int, covered: tuple[int, int]) -> Comment:
    """The comment found in a line of `text`; `column` is where the match counts from (from 0)."""
    before = text[: column + found.start()].rstrip()
    return Comment(
        found["said"], line, column + found.start("said") + 1, *covered, start=len(before) + 1, alone=not before
    )


def _in_document(path: str, text: str, form: str) -> Iterator[Comment]:
    from anchorlint.documents import toml, yaml

    try:
        trees = yaml.read_all(text, path) if form == "yaml" else [toml.read(text, path)]
    except Malformed:
        return
    scalars = [span for tree in trees for span in _scalars(tree)]
    for comment in _in_lines(text.split("\n"), alone=False):
        place = (comment.line, comment.column)
        if not any((s[0], s[1]) <= place < (s[2], s[3]) for s in scalars):
            yield comment


def _scalars(node: Node) -> Iterator[tuple[int, int, int, int]]:
    if node.kind in (Kind.MAPPING, Kind.SEQUENCE):
        for child in (*(entry.node for entry in node.entries), *node.items):
            yield from _scalars(child)
    else:
        start, end = node.span.start, node.span.end
        yield start.line, start.column, end.line, end.column


def _in_lines(lines: list[str], alone: bool) -> Iterator[Comment]:
    """Comments by line; a comment with a line of its own covers the next line that is neither empty nor a comment."""
    for number, line in enumerate(lines, 1):
        found = SPOKEN.search(line)
        if found is None:
            continue
        covered = number
        if COMMENT_LINE.match(line):
            rest = enumerate(lines[number:], number + 1)
            covered = next((n for n, below in rest if below.strip() and not COMMENT_LINE.match(below)), number)
        elif alone or not line[: found.start()].endswith((" ", "\t")):
            continue
        yield _comment(found, line, number, 0, (covered, covered))
