"""Reads SQL text: which columns a statement compares and with what, and what it writes, without a database at hand."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

import msgspec

from anchorlint.documents.sqltests import HOLE, Operand, Test, operand_of, test_of, where_of

MOST_TEXT = 20_000  #: characters; a longer text is no statement that somebody wrote by hand
_STATEMENT = re.compile(r"\s*(?:--[^\n]*\n\s*)*(select|insert|update|delete|with|replace|merge)\b", re.IGNORECASE)
_PIECES = re.compile(
    r"(?P<text>'(?:[^']|'')*')|(?P<percent>%s)|%\((?P<percent_name>\w+)\)s|(?P<mark>\?(?!\?|\||&|::))|\$(?P<dollar>\d+)\b"
)


_VERBS = {"insert": ("insert", "replace", "merge"), "update": ("update",), "delete": ("delete",)}


class Statement(msgspec.Struct, frozen=True):
    """One statement: kind is select, insert, update or delete; `sets` pairs columns with what they get.

    `columns` are the names of what comes back, "" where an expression has none; `upsert` is set where an insert
    changes the row that is already there.
    """

    kind: str
    table: str
    sets: tuple[tuple[str, Operand], ...] = ()
    where: Test | None = None
    columns: tuple[str, ...] = ()
    upsert: bool = False


def is_statement(text: str) -> bool:
    """Whether a text begins like a statement that reads or changes rows."""
    return len(text) < MOST_TEXT and _STATEMENT.match(text) is not None


def may_write(text: str, kinds: Collection[str], names: Collection[str] = ()) -> bool:
    """Whether a text may hold a statement of one of these kinds that writes, and one of these names.

    Told from its words alone, so that a text which does not need to be understood is not.
    """
    lowered = text.lower()
    if names and not any(name.lower() in lowered for name in names):
        return False
    return any(word in lowered for kind in kinds for word in _VERBS.get(kind, ()))


@lru_cache(maxsize=2048)
def read(text: str) -> tuple[Statement, ...]:
    """The statements of a text, those inside of others included; none where no dialect reads it."""
    tree = _parsed(_numbered(text))
    found: list[Statement] = []
    for statement in tree:
        found += _statements(statement)
    return tuple(found)


@lru_cache(maxsize=512)
def condition(text: str) -> Test | None:
    """A condition that stands alone, as DynamoDB and others take it; None where it is not read."""
    tree = _parsed(f"SELECT 1 FROM t WHERE {_numbered(text)}")
    where = tree[0].args.get("where") if tree else None
    return test_of(where.this) if where is not None else None


def _numbered(text: str) -> str:
    """The text with every placeholder written as `:name`; positions count from 0."""
    count = 0

    def named(match: re.Match[str]) -> str:
        nonlocal count
        if match["text"] is not None:
            return match[0]
        if match["percent_name"] is not None:
            return f":{match['percent_name']}"
        if match["dollar"] is not None:
            return f":p{int(match['dollar']) - 1}"
        count += 1
        return f":p{count - 1}"

    return _PIECES.sub(named, text)


def _parsed(text: str) -> list[Any]:
    import logging

    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    for dialect in ("postgres", "sqlite", "mysql", "tsql"):
        try:
            return [tree for tree in sqlglot.parse(text, read=dialect) if tree is not None]
        except (SqlglotError, RecursionError, ValueError):
            continue
    return []


def _statements(tree: Any) -> list[Statement]:
    from sqlglot import exp

    found = []
    for node in tree.find_all(exp.Insert, exp.Update, exp.Delete, exp.Select):
        if isinstance(node, exp.Insert):
            found.append(_insert(node))
        elif isinstance(node, exp.Update):
            found.append(_update(node))
        elif isinstance(node, exp.Delete):
            found.append(Statement("delete", _table(node), where=where_of(node), columns=_returned(node)))
        else:
            found.append(_select(node))
    return found


def _select(node: Any) -> Statement:
    columns = tuple(_column_name(e) for e in node.expressions)
    return Statement("select", _table(node.args.get("from_") or node), where=where_of(node), columns=columns)


def _update(node: Any) -> Statement:
    return Statement("update", _table(node), _sets(node.expressions), where_of(node), _returned(node))


def _insert(node: Any) -> Statement:
    from sqlglot import exp

    target, source = node.this, node.expression
    names = [c.name for c in target.expressions] if isinstance(target, exp.Schema) else []
    rows = source.expressions if isinstance(source, exp.Values) else [source] if isinstance(source, exp.Select) else []
    row = rows[0].expressions if rows else []
    names = names or [str(position) for position in range(len(row))]
    sets = tuple((name, operand_of(value)) for name, value in zip(names, row, strict=False))
    conflict = node.args.get("conflict")
    changed = conflict.expressions if conflict is not None else []
    where = conflict.args.get("where") if conflict is not None else None
    return Statement(
        "insert",
        _table(node),
        sets + _sets(changed),
        test_of(where.this) if where is not None else None,
        _returned(node),
        upsert=bool(changed) or str(node.args.get("alternative") or "").upper() == "REPLACE",
    )


def _sets(expressions: list[Any]) -> tuple[tuple[str, Operand], ...]:
    from sqlglot import exp

    return tuple((e.this.name, operand_of(e.expression)) for e in expressions if isinstance(e, exp.EQ))


def _table(node: Any) -> str:
    from sqlglot import exp

    table = node.this
    while isinstance(table, exp.Schema):
        table = table.this
    return table.name.lower() if isinstance(table, exp.Table) else ""


def _returned(node: Any) -> tuple[str, ...]:
    returning = node.args.get("returning")
    return tuple(_column_name(e) for e in returning.expressions) if returning is not None else ()


def _column_name(node: Any) -> str:
    from sqlglot import exp

    name = node.alias_or_name
    if not name and isinstance(node, (exp.Max, exp.Min, exp.Coalesce)):
        return _column_name(node.this)
    return str(name).lower()


__all__ = ["HOLE", "Operand", "Statement", "Test", "condition", "is_statement", "read"]
