"""systemd unit files: sections of `Key=value` lines, each value with its place."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anchorlint.documents.lines import Lines
from anchorlint.documents.node import Kind, Malformed, Node
from anchorlint.domain.span import Span


class Setting(msgspec.Struct, frozen=True, eq=False):
    """One line of a section: its key and value; a key may stand there several times."""

    section: str
    key: str
    key_span: Span
    node: Node


def read(text: str, path: str) -> tuple[Setting, ...]:
    """The settings of a unit file in the order of the text; raises Malformed."""
    return tuple(_settings(text, Lines(text, path)))


def _settings(text: str, places: Lines) -> Iterator[Setting]:
    section = ""
    for start, line in _joined(text):
        said = line.strip()
        if not said or said[0] in "#;":
            continue
        if said.startswith("[") and said.endswith("]"):
            section = said[1:-1]
            continue
        key, equals, value = line.partition("=")
        if not equals or not section:
            raise Malformed("neither a [Section] nor Key=value", places.position(start).line, 1)
        raw = value.strip()
        first = start + len(key) + 1 + len(value) - len(value.lstrip())
        indent = len(key) - len(key.lstrip())
        yield Setting(
            section,
            key.strip(),
            places.span(start + indent, start + indent + len(key.strip())),
            Node(Kind.TEXT, places.span(first, first + len(raw)), " ".join(raw.split("\\\n")), raw=raw),
        )


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its offset, with those that a backslash at its end continues."""
    start, held = 0, ""
    for line in text.split("\n"):
        held = f"{held}\n{line}" if held else line
        if not line.rstrip("\r").endswith("\\"):
            yield start, held
            start, held = start + len(held) + 1, ""
    if held:
        yield start, held
