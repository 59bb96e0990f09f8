"""Reads SQL text: which columns a statement compares and with what, and what it writes, without a database at hand."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

#: stands in the text where the program puts a value that is not known when the text is written
HOLE = "anchorlint_hole_"
MOST_TEXT = 20_000  #: characters; a longer text is no statement that somebody wrote by hand
_STATEMENT = re.compile(r"\s*(?:--[^\n]*\n\s*)*(select|insert|update|delete|with|replace|merge)\b", re.IGNORECASE)
_PIECES = re.compile(
    r"(?P<text>'(?:[^']|'')*')|(?P<percent>%s)|%\((?P<percent_name>\w+)\)s|(?P<mark>\?(?!\?|\||&|::))|\$(?P<dollar>\d+)\b"
)
_COMPARED = {"EQ": "==", "NEQ": "!=", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "NullSafeEQ": "=="}
_UNITS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0}
_NOW = {"currenttimestamp", "currentdate", "currentdatetime", "currenttime", "localtimestamp", "utctimestamp", "now",
        "clock_timestamp", "statement_timestamp", "transaction_timestamp", "sysdate", "getdate", "unixepoch",
        "utc_timestamp", "sysutcdatetime", "getutcdate", "unix_timestamp"}  # fmt: skip


class Operand(msgspec.Struct, frozen=True):
    """One side of a comparison or what a column is set to.

    kind: column, param (name: its key, or its position as digits), number, text, null, now, `+`, `-`, call (name).
    A span is a number of seconds; so are the numbers that are added to `now`.
    """

    kind: str
    name: str = ""
    number: float = 0.0
    parts: tuple[Operand, ...] = ()


class Test(msgspec.Struct, frozen=True):
    """A condition: `and`, `or`, `not` of parts; `isnull` or a comparison of operands; `other` where it is not read."""

    op: str
    parts: tuple[Test, ...] = ()
    operands: tuple[Operand, ...] = ()


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
    return _test(where.this) if where is not None else None


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
            found.append(Statement("delete", _table(node), where=_where(node), columns=_returned(node)))
        else:
            found.append(_select(node))
    return found


def _select(node: Any) -> Statement:
    columns = tuple(_column_name(e) for e in node.expressions)
    return Statement("select", _table(node.args.get("from_") or node), where=_where(node), columns=columns)


def _update(node: Any) -> Statement:
    return Statement("update", _table(node), _sets(node.expressions), _where(node), _returned(node))


def _insert(node: Any) -> Statement:
    from sqlglot import exp

    target, source = node.this, node.expression
    names = [c.name for c in target.expressions] if isinstance(target, exp.Schema) else []
    rows = source.expressions if isinstance(source, exp.Values) else [source] if isinstance(source, exp.Select) else []
    row = rows[0].expressions if rows else []
    names = names or [str(position) for position in range(len(row))]
    sets = tuple((name, _operand(value)) for name, value in zip(names, row, strict=False))
    conflict = node.args.get("conflict")
    changed = conflict.expressions if conflict is not None else []
    where = conflict.args.get("where") if conflict is not None else None
    return Statement(
        "insert",
        _table(node),
        sets + _sets(changed),
        _test(where.this) if where is not None else None,
        _returned(node),
        upsert=bool(changed) or str(node.args.get("alternative") or "").upper() == "REPLACE",
    )


def _sets(expressions: list[Any]) -> tuple[tuple[str, Operand], ...]:
    from sqlglot import exp

    return tuple((e.this.name, _operand(e.expression)) for e in expressions if isinstance(e, exp.EQ))


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


def _where(node: Any) -> Test | None:
    where = node.args.get("where")
    return _test(where.this) if where is not None else None


def _test(node: Any) -> Test:
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return _test(node.this)
    if isinstance(node, (exp.And, exp.Or)):
        return Test("and" if isinstance(node, exp.And) else "or", (_test(node.this), _test(node.expression)))
    if isinstance(node, exp.Not):
        return Test("not", (_test(node.this),))
    op = _COMPARED.get(type(node).__name__)
    if op is not None:
        return _within(node, Test(op, operands=(_operand(node.this), _operand(node.expression))))
    if isinstance(node, exp.Is):
        return Test("isnull" if isinstance(node.expression, exp.Null) else "==", operands=(_operand(node.this),))
    if isinstance(node, exp.In) and node.expressions:
        each = (Test("==", operands=(_operand(node.this), _operand(e))) for e in node.expressions)
        return Test("or", tuple(each))
    if isinstance(node, exp.Between):
        this = _operand(node.this)
        low, high = _operand(node.args["low"]), _operand(node.args["high"])
        return Test("and", (Test(">=", operands=(this, low)), Test("<=", operands=(this, high))))
    return _within(node, Test("other", operands=(_operand(node),)))


def _within(node: Any, test: Test) -> Test:
    """The test, and what must hold of the rows that an inner query picks for it."""
    from sqlglot import exp

    inner = node.find(exp.Select)
    where = inner.args.get("where") if inner is not None else None
    return test if where is None else Test("and", (test, _test(where.this)))


def _operand(node: Any) -> Operand:
    from sqlglot import exp

    if isinstance(node, (exp.Paren, exp.Cast, exp.TsOrDsToTimestamp, exp.Extract)):
        return _operand(node.expression if isinstance(node, exp.Extract) else node.this)
    if isinstance(node, exp.Column):
        name = node.name
        return Operand("param", name) if name.startswith(HOLE) else Operand("column", name.lower())
    if isinstance(node, exp.Placeholder):
        name = str(node.this or "")
        return Operand("param", name[1:] if re.fullmatch(r"p\d+", name) else name)
    if isinstance(node, exp.Literal):
        return _literal(node)
    if isinstance(node, (exp.Subquery, exp.Select)):
        return Operand("call", "query")
    if isinstance(node, exp.Null):
        return Operand("null")
    if isinstance(node, exp.Boolean):
        return Operand("number", number=float(bool(node.this)))
    if isinstance(node, exp.Neg):
        return Operand("-", parts=(Operand("number"), _operand(node.this)))
    if isinstance(node, (exp.Add, exp.Sub)):
        sign = "+" if isinstance(node, exp.Add) else "-"
        return Operand(sign, parts=(_operand(node.this), _operand(node.expression)))
    return _function(node)


def _literal(node: Any) -> Operand:
    if node.is_string:
        return Operand("text", node.this)
    try:
        return Operand("number", number=float(node.this))
    except ValueError:
        return Operand("text", node.this)


def _function(node: Any) -> Operand:
    from sqlglot import exp

    if isinstance(node, exp.Interval):
        return Operand("number", number=_span_s(node.this.name if node.this else "", str(node.args.get("unit") or "")))
    name = node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__.lower()
    inner = [child for child in node.args.values() if isinstance(child, exp.Expression)]
    inner += [c for child in node.args.values() if isinstance(child, list) for c in child]
    parts = tuple(_operand(child) for child in inner if isinstance(child, exp.Expression))
    if name in _NOW or (parts and any(p.kind == "text" and p.name == "now" for p in parts)):
        return _moved(parts)
    if name in ("dateadd", "datesub", "timestampadd", "timestampsub") and len(parts) > 1:
        return Operand("+" if name.endswith("add") else "-", parts=parts[:2])
    return Operand("call", name, parts=parts)


def _moved(parts: tuple[Operand, ...]) -> Operand:
    """Now, moved by what SQLite's modifiers say: `datetime('now', '-5 minutes')`."""
    spans = [_span_s(*_split(p.name)) for p in parts if p.kind == "text" and p.name[:1] in "+-"]
    return Operand("+", parts=(Operand("now"), Operand("number", number=sum(spans)))) if spans else Operand("now")


def _split(text: str) -> tuple[str, str]:
    number, _, unit = text.partition(" ")
    return number, unit


def _span_s(number: str, unit: str) -> float:
    """Seconds of `30 seconds`, or of `30` with a unit; 0 where it is not read."""
    if not unit:
        number, unit = _split(number)
    try:
        return float(number) * _UNITS.get(unit.strip().lower().rstrip("s"), 0.0)
    except ValueError:
        return 0.0
