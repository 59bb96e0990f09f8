"""YAML 1.2 with the position of every key and value, built from the events of libyaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anchorlint.documents.node import MAX_DEPTH, Entry, Kind, Malformed, Node
from anchorlint.domain.span import Position, Span

MAX_EXPANDED = 200_000  # values that aliases may stand for, far above any schedule file and far below a bomb

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"([-+]?)\.(?:(inf|Inf|INF)|(?:nan|NaN|NAN))")


def read(text: str, path: str) -> Node:
    """The first document of a YAML text (a null node when there is none); raises Malformed."""
    documents = read_all(text, path)
    start = Position(1, 1)
    return documents[0] if documents else Node(Kind.NULL, Span(path, start, start))


def read_all(text: str, path: str) -> list[Node]:
    """Every document of a YAML text; raises Malformed."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(path).documents(yaml.parse(text.removeprefix("\ufeff"), Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise Malformed(_one_line(error.problem or error.context), line, column) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        raise Malformed(_one_line(error.reason), before.count("\n") + 1, 1) from None
    except UnicodeEncodeError as error:
        before = text[: error.start]
        raise Malformed("a character that is no text", before.count("\n") + 1, 1) from None


def _one_line(words: str | None) -> str:
    return " ".join((words or "no YAML").split())


def scalar(raw: str) -> tuple[Kind, str | int | float | bool | None]:
    """The kind and value of a plain scalar by the core schema of YAML 1.2: `17:30`, `no` and `on` are text."""
    if raw in _NULL:
        return Kind.NULL, None
    if raw in _BOOLEAN:
        return Kind.BOOLEAN, _BOOLEAN[raw]
    if len(raw) < 1000 and _INTEGER.fullmatch(raw):
        return Kind.NUMBER, int(raw, {"0o": 8, "0x": 16}.get(raw[:2], 10))
    if _FLOAT.fullmatch(raw):
        return Kind.NUMBER, float(raw)
    if special := _SPECIAL.fullmatch(raw):
        return Kind.NUMBER, float(special[1] + ("inf" if special[2] else "nan"))
    return Kind.TEXT, raw


class _Open:
    """A mapping or list that is being read; `size` counts the values in it, aliases expanded."""

    def __init__(self, kind: Kind, start: Position, anchor: str | None, tag: str | None) -> None:
        self.kind = kind
        self.start = start
        self.anchor = anchor
        self.tag = tag
        self.nodes: list[Node] = []
        self.size = 1


class _Builder:
    def __init__(self, path: str) -> None:
        self.path = path
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.open: list[_Open] = []
        self.roots: list[Node] = []

    def documents(self, events: Iterator[Any]) -> list[Node]:
        for event in events:
            match type(event).__name__:
                case "ScalarEvent":
                    self.add(self.scalar(event), 1, event.anchor)
                case "MappingStartEvent" | "SequenceStartEvent":
                    self.start(event)
                case "MappingEndEvent" | "SequenceEndEvent":
                    self.end(event)
                case "AliasEvent":
                    self.alias(event)
                case "DocumentStartEvent":
                    self.anchors.clear()
        return self.roots

    def place(self, mark: Any) -> Position:
        return Position(mark.line + 1, mark.column + 1)

    def error(self, message: str, event: Any) -> Malformed:
        return Malformed(message, event.start_mark.line + 1, event.start_mark.column + 1)

    def scalar(self, event: Any) -> Node:
        span = Span(self.path, self.place(event.start_mark), self.place(event.end_mark))
        tag = event.tag if event.tag not in (None, "!") else None
        plain = event.implicit[0] and tag is None
        kind, value = scalar(event.value) if plain else (Kind.TEXT, event.value)
        return Node(kind, span, value, raw=event.value, tag=tag)

    def start(self, event: Any) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH} levels", event)
        kind = Kind.MAPPING if type(event).__name__ == "MappingStartEvent" else Kind.SEQUENCE
        self.open.append(_Open(kind, self.place(event.start_mark), event.anchor, event.tag))

    def alias(self, event: Any) -> None:
        if any(level.anchor == event.anchor for level in self.open) and event.anchor not in self.anchors:
            raise self.error(f"alias {event.anchor} stands within what it names", event)
        if event.anchor not in self.anchors:
            raise self.error(f"alias {event.anchor} names nothing", event)
        node, size = self.anchors[event.anchor]
        if size + sum(level.size for level in self.open) > MAX_EXPANDED:
            raise self.error(f"aliases stand for more than {MAX_EXPANDED} values", event)
        self.add(node, size, None)

    def end(self, event: Any) -> None:
        level = self.open.pop()
        last = level.nodes[-1].span.end if level.nodes else None
        flow = event.start_mark.index != event.end_mark.index
        end = self.place(event.end_mark) if flow or last is None else max(last, level.start)
        span = Span(self.path, level.start, end)
        if level.kind is Kind.SEQUENCE:
            node = Node(Kind.SEQUENCE, span, items=tuple(level.nodes), tag=level.tag)
        else:
            node = Node(Kind.MAPPING, span, entries=tuple(_entries(level.nodes)), tag=level.tag)
        self.add(node, level.size, level.anchor)

    def add(self, node: Node, size: int, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = node, size
        if self.open:
            self.open[-1].nodes.append(node)
            self.open[-1].size += size
        else:
            self.roots.append(node)


def _entries(nodes: list[Node]) -> Iterator[Entry]:
    """Keys and values in turn as entries; merge keys are replaced by the entries of what they name."""
    for key, value in zip(nodes[::2], nodes[1::2], strict=True):
        if key.raw == "<<" and key.kind is Kind.TEXT:
            sources = value.items if value.kind is Kind.SEQUENCE else (value,)
            # of two merged mappings the first one counts, and `entry` takes the last
            for source in reversed(sources):
                yield from (Entry(e.key, e.key_span, e.node, merged=True) for e in source.effective().values())
        else:
            yield Entry(key.raw, key.span, value)
