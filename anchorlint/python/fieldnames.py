"""Fields: under which name of which record a value is kept, and what is written to it."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from anchorlint.domain.gate import said
from anchorlint.domain.linear import Linear, Role
from anchorlint.python.gates import Seen
from anchorlint.python.queries import Queries
from anchorlint.python.sqltext import sql_of
from anchorlint.python.sums import is_foreign_column
from anchorlint.python.value import Value, root

if TYPE_CHECKING:
    from anchorlint.python.arithmetic import Arithmetic

WALL = frozenset({"wall", "db"})
_FRESH = frozenset({"uuid1", "uuid4", "uuid7", "token_hex", "token_urlsafe", "token_bytes", "urandom", "ObjectId",
                    "nextval", "ulid", "ULID", "nanoid"})  # fmt: skip


def field_of(value: Value, queries: Queries) -> str | None:
    """The name under which a record keeps a value: `until` for `row.until`, `row["until"]` and a selected column.

    "" is the value of an entry itself, as in `for key, at in seen.items()`; None where there is no record.
    """
    kind, args = value.kind, value.args
    if kind == "attr":
        return str(args[1])
    if kind == "ext" and is_foreign_column(args[0]):
        return str(args[0].rpartition(".")[2])
    if kind == "item":
        return str(args[1].args[0]) if args[1].kind == "str" else ""
    if kind == "part":
        return selected_column(value, queries)
    if kind == "result" and args[0].kind == "attr" and args[0].args[1] in ("get", "pop") and args[1]:
        return str(args[1][0].args[0]) if args[1][0].kind == "str" else ""
    if kind == "result" and args[0].kind == "attr" and args[0].args[1] in ("scalar", "scalar_one", "fetchval"):
        return selected_column(value, queries)
    return None


def selected_column(value: Value, queries: Queries) -> str | None:
    """The column that a position of a row is, where the statement can be read; "" for an entry of a mapping."""
    position = int(value.args[1]) if value.kind == "part" else 0
    row = value.args[0] if value.kind == "part" else value
    for _ in range(6):
        if row.kind == "iter":
            row = row.args[0]
        row = queries.fetched.get(row, row)
        if row.kind != "result" or row.args[0].kind != "attr":
            return None
        name, given = row.args[0].args[1], row.args[1]
        if name == "items":
            return "" if position == 1 else None
        text = sql_of(given[0]) if given else None
        if text is not None:
            for statement in queries.sql.statements(text)[:1]:
                return statement.columns[position] if 0 <= position < len(statement.columns) else None
            return None
        row = row.args[0].args[0]
    return None


def instant_of(seen: Seen) -> Value | None:
    """The instant of a gate that a wall clock decides, None for any other clock and for what is no value."""
    item = seen.gate.item.key
    return item if seen.gate.clock in WALL and isinstance(item, Value) else None


def known_instant_of(seen: Seen) -> Value | None:
    """The instant of such a gate where it is known whose it is."""
    item = instant_of(seen)
    return item if item is not None and root(record_of(item)).kind not in ("unknown", "none") else None


def asked_field(literal: Value, queries: Queries, kinds: Container[str]) -> str | None:
    """The field that a literal of these kinds asks about, whether it is denied or not."""
    inner = literal.args[0] if literal.kind == "not" else literal
    return field_of(inner.args[0], queries) if inner.kind in kinds else None


def record_of(value: Value) -> Value:
    """What a field is a field of."""
    if value.kind == "result" and value.args[0].kind == "attr":
        return value.args[0].args[0]
    return value.args[0] if value.kind in ("attr", "item", "part") else value


def horizon_of(seen: Seen, queries: Queries) -> str:
    """The instant of a gate as people say it; a long chain of calls is called by its record and field."""
    item = seen.gate.item.key
    if "…" not in seen.gate.item.text or not isinstance(item, Value):
        return seen.gate.text
    name, record = field_of(item, queries), str(queries.record(record_of(item)).args[-1])
    if not name:
        return seen.gate.text
    return said(name if "…" in record or "(" in record else f"{record}.{name}", seen.gate.slack)


def stamp(value: Value) -> Linear | None:
    """What is added to now in a value that is written: the life that it gives; None where no clock is in it."""
    if value.kind in ("case", "phi"):
        arms = [arm[1] if value.kind == "case" else arm for arm in value.args[0]]
        return next((s for s in map(stamp, arms) if s is not None), None)
    if value.kind == "minmax":
        return next((s for s in map(stamp, value.args[1]) if s is not None), None)
    if value.kind != "lin":
        return None
    form: Linear = value.args[1]
    now = form.of_role(Role.NOW)
    if len(now) != 1 or now[0][1] <= 0 or not isinstance(now[0][0].key, tuple) or now[0][0].key[0] not in WALL:
        return None
    return form.without(now[0][0]) * (1.0 / now[0][1])


def is_constant(value: Value, arithmetic: Arithmetic) -> bool:
    """Whether a value is a literal or a member, also one that stands outside of the project: `jobs.Job.RUNNING`."""
    return arithmetic.fixed(value) or (value.kind == "ext" and value.args[0].rpartition(".")[2].isupper())


def word_of(value: Value) -> str:
    """What a constant is called: its text, or the name of a member."""
    if value.kind == "str":
        return str(value.args[0])
    if value.kind == "ext":
        return str(value.args[0]).rpartition(".")[2]
    return str(value.args[1]) if value.kind == "attr" else ""


def is_raised(value: Value) -> bool:
    """Whether a value is another one and a step more: what counts takings, versions and epochs."""
    if value.kind in ("case", "phi"):
        return any(is_raised(arm[1] if value.kind == "case" else arm) for arm in value.args[0])
    if value.kind != "lin" or value.args[1].of_role(Role.NOW):
        return False
    form: Linear = value.args[1]
    items = form.of_role(Role.ITEM)
    if len(items) != 1 or items[0][1] != 1.0:
        return False
    step = form.without(items[0][0]).number
    return step is not None and 0 < step <= 16


def is_fresh(value: Value) -> bool:
    """Whether a value is one that nobody had before: a random token, the next of a sequence."""
    for _ in range(5):
        if value.kind == "attr":
            value = value.args[0]
        elif value.kind == "fstr" and value.args[0]:
            value = value.args[0][-1]
        elif value.kind == "result":
            callee = value.args[0]
            name = str(callee.args[-1] if callee.kind == "attr" else callee.args[0]).rpartition(".")[2]
            if name.removeprefix("sql ") in _FRESH:
                return True
            inner = value.args[1][0] if value.args[1] and callee.kind == "ext" else None
            value = inner if inner is not None else callee.args[0] if callee.kind == "attr" else value
            if callee.kind not in ("ext", "attr"):
                return False
        else:
            return False
    return False
