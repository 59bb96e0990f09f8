"""Conditions and expressions inside SQL statements, away from the classes of the library that reads them."""

from __future__ import annotations

import re
from typing import Any

import msgspec

#: stands in the text where the program puts a value that is not known when the text is written
HOLE = "anchorlint_hole_"
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


def where_of(node: Any) -> Test | None:
    """The condition of a statement, None where it asks for nothing."""
    where = node.args.get("where")
    return test_of(where.this) if where is not None else None


def test_of(node: Any) -> Test:
    """A condition of sqlglot as a test."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return test_of(node.this)
    if isinstance(node, (exp.And, exp.Or)):
        return Test("and" if isinstance(node, exp.And) else "or", (test_of(node.this), test_of(node.expression)))
    if isinstance(node, exp.Not):
        return Test("not", (test_of(node.this),))
    op = _COMPARED.get(type(node).__name__)
    if op is not None:
        return _within(node, Test(op, operands=(operand_of(node.this), operand_of(node.expression))))
    if isinstance(node, exp.Is):
        return Test("isnull" if isinstance(node.expression, exp.Null) else "==", operands=(operand_of(node.this),))
    if isinstance(node, exp.In) and node.expressions:
        each = (Test("==", operands=(operand_of(node.this), operand_of(e))) for e in node.expressions)
        return Test("or", tuple(each))
    if isinstance(node, exp.Between):
        this = operand_of(node.this)
        low, high = operand_of(node.args["low"]), operand_of(node.args["high"])
        return Test("and", (Test(">=", operands=(this, low)), Test("<=", operands=(this, high))))
    return _within(node, Test("other", operands=(operand_of(node),)))


def _within(node: Any, test: Test) -> Test:
    """The test, and what must hold of the rows that an inner query picks for it."""
    from sqlglot import exp

    inner = node.find(exp.Select)
    where = inner.args.get("where") if inner is not None else None
    return test if where is None else Test("and", (test, test_of(where.this)))


def operand_of(node: Any) -> Operand:
    """An expression of sqlglot as an operand."""
    from sqlglot import exp

    if isinstance(node, (exp.Paren, exp.Cast, exp.TsOrDsToTimestamp, exp.Extract)):
        return operand_of(node.expression if isinstance(node, exp.Extract) else node.this)
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
        return Operand("-", parts=(Operand("number"), operand_of(node.this)))
    if isinstance(node, (exp.Add, exp.Sub)):
        sign = "+" if isinstance(node, exp.Add) else "-"
        return Operand(sign, parts=(operand_of(node.this), operand_of(node.expression)))
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
    parts = tuple(operand_of(child) for child in inner if isinstance(child, exp.Expression))
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
