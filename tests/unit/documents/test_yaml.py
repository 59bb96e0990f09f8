"""YAML 1.2: scalars by the core schema, places, merge keys, duplicates, and bombs that do not go off."""

from __future__ import annotations

import json as standard
import time

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from anchorlint.documents import Kind, Malformed, Node, yaml
from anchorlint.domain.span import Span


def plain(node: Node) -> object:
    if node.kind is Kind.MAPPING:
        return {key: plain(entry.node) for key, entry in node.effective().items()}
    if node.kind is Kind.SEQUENCE:
        return [plain(item) for item in node.items]
    return node.value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("17:30", "17:30"),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("no", "no"),
        ("On", "On"),
        ("True", True),
        ("~", None),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1_000", "1_000"),
        ("2026-11-30", "2026-11-30"),
        ("-.inf", float("-inf")),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_core_schema(raw: str, value: object) -> None:
    found = yaml.read(f"k: {raw}", "x").child("k")
    assert found.value == value or len(raw) > 1000
    assert type(found.value) is type(value) or len(raw) > 1000


def test_quoted_scalars_are_text() -> None:
    node = yaml.read("a: 'true'\nb: \"5\"\nc: !!str 5\nd: !Ref 5", "x")
    assert plain(node) == {"a": "true", "b": "5", "c": "5", "d": "5"}
    assert node.child("d").tag == "!Ref"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9999, 9999) | st.text("ab :#'\"-é😀", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc é", max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, True, False]))
def test_reads_what_pyyaml_writes(value: object, flow: bool | None) -> None:
    text = pyyaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    assert plain(yaml.read(text, "x")) == value


@given(VALUES)
def test_json_is_yaml_at_the_same_places(value: object) -> None:
    from anchorlint.documents import json

    text = standard.dumps(value, indent=2, ensure_ascii=False)
    ours, theirs = yaml.read(text, "x"), json.read(text, "x")
    assert spans(ours) == spans(theirs)


def spans(node: Node) -> list[Span]:
    below = [*node.items, *(entry.node for entry in node.entries)]
    return [node.span, *(e.key_span for e in node.entries), *(span for one in below for span in spans(one))]


def test_block_places_end_with_the_last_value() -> None:
    node = yaml.read("a:\n  - id: x  # c\n    on: y\n\n\nb: 1\n", "x")
    assert node.child("a").items[0].span == Span.of("x", 2, 5, 3, 10)
    assert node.entry("a").span == Span.of("x", 1, 1, 3, 10)
    assert node.child("a").items[0].entry("on").key_span == Span.of("x", 3, 5, 3, 7)


def test_merge_keys() -> None:
    text = "d: &d {a: 1, b: 2}\ne: &e {b: 3, c: 4}\nx: {<<: [*d, *e], a: 9}\ny:\n  a: 9\n  <<: *d\n"
    node = yaml.read(text, "x")
    assert plain(node.child("x")) == {"b": 2, "c": 4, "a": 9}
    assert plain(node.child("y")) == {"a": 9, "b": 2}
    assert node.child("x").entry("b").merged
    assert not list(node.child("x").duplicates)


def test_duplicates() -> None:
    node = yaml.read("a: 1\nb: 2\na: 3\n", "x")
    (pair,) = node.duplicates
    assert [entry.key_span.start.line for entry in pair] == [1, 3]
    assert node.child("a").value == 3


def test_several_documents() -> None:
    documents = yaml.read_all("a: &x 1\n---\nb: 2\n---\n", "x")
    assert [plain(document) for document in documents] == [{"a": 1}, {"b": 2}, None]
    assert yaml.read("", "x").kind is Kind.NULL


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a:\n  b: [1\n", 3),
        ("cron: * * * * *", 1),
        ("a: 1\n\tb: 2", 2),
        ("a: 1\nb: \x00", 2),
        ("a: \ud800", 1),
        ("a: &a [*a]", 1),
        ("a: *b", 1),
        ("[" * 100_000, 1),
        ("- " * 5000 + "a", 1),
        (LAUGHS, 6),
    ],
)
def test_malformed_quickly(text: str, line: int) -> None:
    begun = time.process_time()
    with pytest.raises(Malformed) as caught:
        yaml.read(text, "x.yaml")
    assert caught.value.line == line
    assert "\n" not in caught.value.message
    assert time.process_time() - begun < 1
