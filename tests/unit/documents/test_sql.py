"""SQL text: what is compared, what is written, whatever the dialect and the placeholders."""

from __future__ import annotations

import pytest

from anchorlint.documents import sql


@pytest.mark.parametrize(
    ("text", "kind", "table", "columns"),
    [
        ("SELECT a FROM one WHERE b < ?", "select", "one", ()),
        ("delete from One where b < %s", "delete", "one", ()),
        ("UPDATE one SET a = 1, c = :c WHERE b = $1 RETURNING a", "update", "one", ("a", "c")),
        ("INSERT INTO one (a, b) VALUES (?, ?)", "insert", "one", ("a", "b")),
        ("INSERT OR REPLACE INTO one (a) VALUES (1)", "insert", "one", ("a",)),
        ("INSERT INTO one (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2", "insert", "one", ("a", "b")),
    ],
)
def test_a_statement_says_what_it_does(text: str, kind: str, table: str, columns: tuple[str, ...]) -> None:
    statement = sql.read(text)[0]
    assert (statement.kind, statement.table) == (kind, table)
    assert tuple(name for name, _ in statement.sets) == columns


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT 1 FROM t WHERE a = ? AND b = ?", ["0", "1"]),
        ("SELECT 1 FROM t WHERE a = %s AND b = %s", ["0", "1"]),
        ("SELECT 1 FROM t WHERE a = $2 AND b = $1", ["1", "0"]),
        ("SELECT 1 FROM t WHERE a = :x AND b = %(y)s", ["x", "y"]),
        ("SELECT 1 FROM t WHERE a = '?' AND b = ?", ["0"]),
        ("SELECT 1 FROM t WHERE a = 'it''s %s' AND b = %s", ["0"]),
    ],
)
def test_placeholders_keep_their_place(text: str, names: list[str]) -> None:
    test = sql.read(text)[0].where
    assert test is not None
    operands = [o for part in (test.parts or (test,)) for o in part.operands]
    assert [o.name for o in operands if o.kind == "param"] == names


@pytest.mark.parametrize(
    ("expression", "seconds"),
    [
        ("now() - interval '5 minutes'", -300),
        ("NOW() - INTERVAL 2 HOUR", -7200),
        ("datetime('now', '-3 days')", -259200),
        ("CURRENT_TIMESTAMP", 0),
        ("unixepoch() - 60", -60),
    ],
)
def test_now_is_moved_by_what_is_written(expression: str, seconds: float) -> None:
    test = sql.read(f"DELETE FROM t WHERE a < {expression}")[0].where
    assert test is not None
    side = test.operands[1]
    moved = 0.0
    if side.kind in ("+", "-"):
        side, span = side.parts
        moved = span.number if test.operands[1].kind == "+" else -span.number
    assert (side.kind, moved) == ("now", seconds)


def test_what_an_inner_query_asks_is_asked_of_the_row() -> None:
    text = "UPDATE t SET a = 1 WHERE id = (SELECT id FROM t WHERE b < now() LIMIT 1 FOR UPDATE SKIP LOCKED)"
    where = sql.read(text)[0].where
    assert where is not None and where.op == "and"
    assert where.parts[1].operands[0].name == "b"


def test_a_condition_stands_alone() -> None:
    test = sql.condition("attribute_not_exists(id) OR version = :v")
    assert test is not None and test.op == "or"
    assert test.parts[1].operands[1].name == "v"


@pytest.mark.parametrize("text", ["SELECT", "DELETE FROM", "UPDATE t SET WHERE", "WITH x AS (", "SELECT ((((("])
def test_what_no_dialect_reads_is_nothing(text: str) -> None:
    assert sql.is_statement(f"{text} ") and [s for s in sql.read(text) if s.sets or s.where] == []


def test_a_sentence_is_no_statement() -> None:
    assert not sql.is_statement("Hello, select one")
    assert not sql.is_statement("SELECT 1" * 5000)
