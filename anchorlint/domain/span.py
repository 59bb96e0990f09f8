"""A place in a file: lines and columns count from 1, columns in code points, ends are exclusive."""

from __future__ import annotations

import msgspec


class Position(msgspec.Struct, frozen=True, order=True):
    """One point in a text; `column` counts code points, both count from 1."""

    line: int
    column: int


class Span(msgspec.Struct, frozen=True, order=True):
    """A stretch of one file; `path` is relative to the working directory with `/`."""

    path: str
    start: Position
    end: Position

    @classmethod
    def of(cls, path: str, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The span from its four numbers, each counted from 1."""
        return cls(path, Position(line, column), Position(end_line, end_column))
