"""Places of findings as the editor counts them: lines from 0, columns in the client's code units."""

from __future__ import annotations

import re

from lsprotocol import types
from pygls.workspace import PositionCodec

from anchorlint.domain.span import Position, Span

# What editors count as the end of a line. `str.splitlines` also splits on form feeds and U+2028, which they do not.
LINE_END = re.compile(r"\r\n|\n|\r")


def client_range(span: Span, lines: list[str], codec: PositionCodec) -> types.Range:
    """The range of a span within the lines that it was found in; places beyond them end with them."""
    return types.Range(_client_position(span.start, lines, codec), _client_position(span.end, lines, codec))


def line_at(position: types.Position, text: str) -> str:
    """The line that a client's position stands on, "" beyond the end."""
    lines = LINE_END.split(text)
    return lines[position.line] if position.line < len(lines) else ""


def column_in(line: str, character: int, codec: PositionCodec) -> int:
    """The index in code points of a client's column within a line."""
    taken = 0
    for index, point in enumerate(line):
        if taken >= character:
            return index
        taken += codec.client_num_units(point)
    return len(line)


def _client_position(position: Position, lines: list[str], codec: PositionCodec) -> types.Position:
    if position.line > len(lines):
        last = lines[-1] if lines else ""
        return types.Position(max(len(lines) - 1, 0), codec.client_num_units(last))
    before = lines[position.line - 1][: position.column - 1]
    return types.Position(position.line - 1, codec.client_num_units(before))
