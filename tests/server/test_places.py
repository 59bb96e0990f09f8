"""Columns of people, of anchorlint and of editors are three different things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from anchorlint.domain.span import Span
from anchorlint.server.places import LINE_END, client_range, column_in, line_at

WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
texts = st.text(st.sampled_from("a é\u2028\x0c\x1c漢😀\U0010ffff\n"), max_size=30)


@pytest.mark.parametrize("encoding", WIDTHS)
@given(text=texts, data=st.data())
def test_a_column_counts_the_units_before_it(encoding: str, text: str, data: st.DataObject) -> None:
    lines = LINE_END.split(text)
    number = data.draw(st.integers(1, len(lines)))
    line = lines[number - 1]
    column = data.draw(st.integers(1, len(line) + 1))
    codec = PositionCodec(types.PositionEncodingKind(encoding))
    start = client_range(Span.of("x", number, column, number, column), lines, codec).start
    name, width = WIDTHS[encoding]
    assert start == types.Position(number - 1, len(line[: column - 1].encode(name)) // width)
    assert line_at(start, text) == line
    assert column_in(line, start.character, codec) == column - 1


@pytest.mark.parametrize("text", ["", "one", "one\n"])
def test_a_place_beyond_the_text_is_its_end(text: str) -> None:
    lines = LINE_END.split(text)
    found = client_range(Span.of("x", 9, 1, 9, 5), lines, PositionCodec())
    assert found.start == found.end == types.Position(len(lines) - 1, len(lines[-1]))


def test_a_file_that_can_no_longer_be_read_has_only_a_top() -> None:
    assert client_range(Span.of("x", 3, 2, 3, 5), [], PositionCodec()).start == types.Position(0, 0)


def test_a_line_beyond_the_text_is_empty() -> None:
    assert line_at(types.Position(7, 0), "one\ntwo") == ""


def test_a_column_beyond_the_line_is_its_end() -> None:
    assert column_in("a😀", 99, PositionCodec()) == 2
