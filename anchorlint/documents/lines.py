"""Offsets in a text turned into lines and columns."""

from __future__ import annotations

from bisect import bisect_right

from anchorlint.domain.span import Position, Span


class Lines:
    """Where each line of one text begins; lines end at `\\n`, lines and columns count from 1."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def position(self, offset: int) -> Position:
        """The line and column of the character at `offset` (code points from 0)."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters from `start` to before `end`."""
        return Span(self.path, self.position(start), self.position(end))
