"""TOML: values are tomli's, and every place maps back to the text that tomlkit wrote there."""

from __future__ import annotations

import datetime as dt
import math

import pytest
import tomli
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from anchorlint.documents import Kind, Malformed, Node, toml
from anchorlint.domain.span import Span

KEYS = st.one_of(
    st.text("abcdefgh-_0123456789", min_size=1, max_size=6),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=5),
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",), exclude_characters="\r"), max_size=12)
SCALARS = st.one_of(
    TEXTS,
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False),
    st.dates(),
    st.times().map(lambda t: t.replace(microsecond=0)),
    st.datetimes(timezones=st.none()).map(lambda t: t.replace(microsecond=0)),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)


def text_at(text: str, span: Span) -> str:
    lines = text.split("\n")[span.start.line - 1 : span.end.line]
    lines[-1] = lines[-1][: span.end.column - 1]
    lines[0] = lines[0][span.start.column - 1 :]
    return "\n".join(lines)


def plain(node: Node) -> object:
    if node.kind is Kind.MAPPING:
        return {entry.key: plain(entry.node) for entry in node.entries}
    if node.kind is Kind.SEQUENCE:
        return [plain(item) for item in node.items]
    return node.value


def same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, (dt.date, dt.time)):
        return ours == theirs.isoformat()
    return ours == theirs or (isinstance(theirs, float) and math.isnan(theirs))


def check_places(node: Node, text: str) -> None:
    """Each key's text names the key, each scalar's text is that very value for tomli."""
    for entry in node.entries:
        key = text_at(text, entry.key_span)
        assert next(iter(tomli.loads(f"{key} = 0"))) == entry.key
        check_places(entry.node, text)
    for item in node.items:
        check_places(item, text)
    if node.kind not in (Kind.MAPPING, Kind.SEQUENCE):
        assert same(node.value, tomli.loads("x = " + text_at(text, node.span))["x"])


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_places_in_what_tomlkit_writes(values: dict[str, object]) -> None:
    text = tomlkit.dumps(values)
    node = toml.read(text, "x.toml")
    assert same(plain(node), tomli.loads(text))
    check_places(node, text)


MANIFEST = '''\
# head
version = 1
defaults.timezone = "UTC"   # dotted

[[jobs]]
id = "a"
"quoted key" = \'\'\'one
two\'\'\'
list = [
  "x", # comment ] here
  { inner = [1, 2], other = 'q' },
]

[jobs.more]
at = 1979-05-27 07:32:00
until = 17:30:00

  [[jobs]]
  id = """b"""
[tail.deep."er"]
n = -0x1F
'''


def test_every_form_by_hand() -> None:
    text = MANIFEST.replace("-0x1F", "0x1F")
    node = toml.read(text, "x.toml")
    assert same(plain(node), tomli.loads(text))
    check_places(node, text)
    jobs = node.child("jobs")
    assert jobs is not None
    assert [item.span.start.line for item in jobs.items] == [5, 18]
    assert jobs.items[0].span.end.line == 12
    until = node.child("jobs").items[0].child("more", "until")
    assert (until.kind, until.raw) == (Kind.TIME, "17:30:00")
    deep = node.child("tail", "deep", "er", "n")
    assert deep.span == Span.of("x.toml", 21, 5, 21, 9)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_carriage_returns_change_no_place(values: dict[str, object]) -> None:
    text = tomlkit.dumps(values)
    if "'''" in text or '"""' in text:
        return
    ours, windows = toml.read(text, "x"), toml.read(text.replace("\n", "\r\n"), "x")
    assert [e.span for e in ours.entries] == [e.span for e in windows.entries]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('a = 1\nb = "x\n', 2, 7),
        ("a = 1\na = 2\n", 2, 6),
        ("a = " + "[" * 5000, 1, 1),
        ("[a\n", 1, 3),
        (".".join("a" * 3000) + " = 1", 1, 1),
    ],
)
def test_malformed(text: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as caught:
        toml.read(text, "x.toml")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.message[0].islower() and not caught.value.message.endswith(".")
