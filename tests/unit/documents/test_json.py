"""JSON: values are the standard library's, places map back to the text, bad texts say where."""

from __future__ import annotations

import json as standard

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorlint.documents import Kind, Malformed, Node, json
from anchorlint.documents.lines import Lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def plain(node: Node) -> object:
    if node.kind is Kind.MAPPING:
        return {entry.key: plain(entry.node) for entry in node.entries}
    if node.kind is Kind.SEQUENCE:
        return [plain(item) for item in node.items]
    return node.value


def offsets(text: str, node: Node) -> tuple[int, int]:
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    start, end = node.span.start, node.span.end
    return starts[start.line - 1] + start.column - 1, starts[end.line - 1] + end.column - 1


def check_places(text: str, node: Node) -> None:
    start, end = offsets(text, node)
    assert standard.loads(text[start:end]) == plain(node)
    for child in (*node.items, *(entry.node for entry in node.entries)):
        check_places(text, child)


@given(VALUES, st.sampled_from([None, 1, 3]), st.booleans())
def test_values_and_places(value: object, indent: int | None, ascii_only: bool) -> None:
    text = standard.dumps(value, indent=indent, ensure_ascii=ascii_only)
    node = json.read(text, "x.json")
    assert plain(node) == value
    check_places(text, node)


@given(st.text('{}[]",:0123e-.tfn\\u \n', max_size=14))
def test_accepts_what_the_standard_library_accepts(text: str) -> None:
    try:
        expected = standard.loads(text)
    except ValueError:
        with pytest.raises(Malformed):
            json.read(text, "x.json")
    else:
        assert plain(json.read(text, "x.json")) == expected or "NaN" in text


def test_duplicate_keys_are_kept() -> None:
    node = json.read('{"a": 1, "b": 2, "a": 3}', "x.json")
    (pair,) = node.duplicates
    assert [entry.key_span.start.column for entry in pair] == [2, 18]
    assert node.child("a").value == 3


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ('{"a": 1,\n "b" 2}', 2, 6),
        ("[1,\n]", 2, 1),
        ('{"a": tru}', 1, 7),
        ("[" * 100_000, 1, 202),
        ('["\\q"]', 1, 2),
        ("[1]\n[2]", 2, 1),
    ],
)
def test_malformed(text: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as caught:
        json.read(text, "x.json")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_comments_and_trailing_commas_only_on_request() -> None:
    text = '// head\n{"a": [1, /* two */ 2,], // tail\n}'
    assert plain(json.read(text, "x.jsonc", comments=True)) == {"a": [1, 2]}
    with pytest.raises(Malformed):
        json.read(text, "x.json")


def test_lines_count_code_points() -> None:
    lines = Lines("a😀b\nc", "x")
    assert (lines.position(2).line, lines.position(2).column) == (1, 3)
    assert (lines.position(4).line, lines.position(4).column) == (2, 1)
