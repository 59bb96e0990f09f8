"""Reads one configuration: `[tool.anchorlint]` of a pyproject.toml, an anchorlint.toml, or `key = value`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from anchorlint.documents import Entry, Kind, Malformed, Node
from anchorlint.domain.finding import Problem
from anchorlint.domain.span import Span
from anchorlint.engine.discover import tidy
from anchorlint.engine.ignored import is_pattern
from anchorlint.engine.own_models import KEYS, Knowledge, parted, plain
from anchorlint.engine.select import UnknownRule, expand
from anchorlint.engine.settings import Settings
from anchorlint.knowledge.cards import Card

PATTERNS = frozenset({"exclude", "extend-exclude"})
SELECTORS = frozenset({"select", "extend-select", "ignore", "per-file-ignores"})


class Table(msgspec.Struct, frozen=True, eq=False):
    """One configuration: `values` are those that could be understood, `problems` say what could not and where."""

    path: str
    folder: str
    values: dict[str, Any]
    node: Node | None
    problems: tuple[Problem, ...] = ()
    knowledge: Knowledge = Knowledge()

    def place(self, key: str, item: int | None = None) -> Span:
        """Where the value of a key stands, or one item of a list."""
        node = self.node.child(key) if self.node else None
        if node is None:
            return Span.of(self.path, 1, 1, 1, 2)
        return node.items[item].span if item is not None and item < len(node.items) else node.span


def read_file(path: str, cards: Mapping[str, Card]) -> Table | None:
    """The configuration in a file, None if it is a pyproject.toml that has none."""
    shown, folder = tidy(path), os.path.dirname(os.path.abspath(path))
    try:
        with open(path, "rb") as file:
            data = file.read()
        text = data.decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return _broken(shown, folder, Problem(f"cannot read the configuration: {reason}", shown))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _broken(shown, folder, Problem("the configuration is not UTF-8", shown, line, 1))
    within = ("tool", "anchorlint") if os.path.basename(path) != "anchorlint.toml" else ()
    if within and "anchorlint" not in text:
        return None
    return _read(text, shown, folder, within, cards)


def read_text(text: str, cards: Mapping[str, Card]) -> Table:
    """The configuration in `key = value`, as it was given on the command line."""
    read = _read(text, "--config", os.getcwd(), (), cards)
    return read or _broken("--config", os.getcwd(), Problem("not a setting", "--config"))


def _read(text: str, path: str, folder: str, within: tuple[str, ...], cards: Mapping[str, Card]) -> Table | None:
    from anchorlint.documents import toml

    try:
        node = toml.read(text, path).child(*within)
    except Malformed as error:
        return _broken(path, folder, Problem(f"malformed TOML: {error.message}", path, error.line, error.column))
    if node is None:
        return None
    if node.kind is not Kind.MAPPING:
        return _broken(path, folder, _problem("tool.anchorlint is a table of settings", node.span))
    values: dict[str, Any] = {}
    own, settings = parted(node)
    problems = list(own.problems)
    for entry in settings:
        problems += _take(entry, values, cards)
    return Table(path, folder, values, node, tuple(problems), own)


def _take(entry: Entry, values: dict[str, Any], cards: Mapping[str, Card]) -> Iterator[Problem]:
    """Put the entry's value under its field name, or say why not."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
    if entry.key not in fields:
        known = [*fields, *KEYS]
        near = difflib.get_close_matches(entry.key.replace("_", "-"), known, 1, 0.6)
        hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
        yield _problem(f"unknown key {entry.key!r}{hint}", entry.key_span)
        return
    field = fields[entry.key]
    try:
        value = msgspec.convert(plain(entry.node), field.type)
    except msgspec.ValidationError as error:
        yield _problem(f"{entry.key}: {_told(error, field.type)}", entry.node.span)
        return
    yield from _bad_patterns(entry)
    unknown = list(_unknown_rules(entry, cards)) if entry.key in SELECTORS else []
    yield from unknown
    values[field.name] = _known(value, cards) if unknown else value


def _bad_patterns(entry: Entry) -> Iterator[Problem]:
    written = [(item.value, item.span) for item in entry.node.items] if entry.key in PATTERNS else []
    if entry.key == "per-file-ignores":
        written = [(inner.key, inner.key_span) for inner in entry.node.entries]
    for pattern, span in written:
        if not is_pattern(str(pattern)):
            yield _problem(f"{pattern!r} is no pattern as in .gitignore", span)


def _unknown_rules(entry: Entry, cards: Mapping[str, Card]) -> Iterator[Problem]:
    nodes = [entry.node] if entry.node.items else [inner.node for inner in entry.node.entries]
    for item in (item for node in nodes for item in node.items):
        try:
            expand(str(item.value), cards)
        except UnknownRule as error:
            yield _problem(str(error), item.span)


def _known(value: Any, cards: Mapping[str, Card]) -> Any:
    if isinstance(value, dict):
        return {pattern: _known(selectors, cards) for pattern, selectors in value.items()}
    return tuple(selector for selector in value if _is_known(selector, cards))


def _is_known(selector: str, cards: Mapping[str, Card]) -> bool:
    try:
        return bool(expand(selector, cards))
    except UnknownRule:
        return False


def _told(error: msgspec.ValidationError, kind: Any) -> str:
    said = str(error).split(" - at ")[0]
    choices = _choices(kind)
    return f"{said[:1].lower()}{said[1:]}" + (f"; one of {', '.join(choices)}" if choices else "")


def _choices(kind: Any) -> list[str]:
    arguments = getattr(kind, "__args__", ())
    if arguments and all(isinstance(argument, str) for argument in arguments):
        return list(arguments)
    return [str(member) for member in getattr(kind, "__members__", {}).values()]


def _problem(message: str, span: Span) -> Problem:
    return Problem(message, span.path, span.start.line, span.start.column)


def _broken(path: str, folder: str, problem: Problem) -> Table:
    return Table(path, folder, {}, None, (problem,))
