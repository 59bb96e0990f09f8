"""A query's predicates are the same gates as a comparison in Python."""

from __future__ import annotations

import pytest

from anchorlint.python.facts import read
from anchorlint.python.formula import literals
from anchorlint.python.program import Program
from anchorlint.python.view import View
from anchorlint.python.writes import Touch, Writes

HEAD = """
import time
from datetime import datetime, timedelta, timezone as tz
from boto3.dynamodb.conditions import Attr
from django.db.models import F, Q
from django.utils import timezone
from sqlalchemy import and_, delete, or_, select, text, update
from shop.models import Hold

KEEP = timedelta(days=2)
"""


def written(body: str) -> tuple[Program, list[Touch]]:
    """A program of one function and what it writes."""
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    program = Program([read("one.py", f"{HEAD}\ndef run(db, table, rows, limit):\n{lines}\n")])
    return program, list(program.part(Writes).of(view_of(program)))


def view_of(program: Program) -> View:
    functions = program.linked.modules[0].functions
    return program.engine.view(0, next(n for n, f in enumerate(functions) if f.name == "run"))


def gates(body: str) -> list[str]:
    """The gates under which the last write of a function happens, opening ones with `after`."""
    program, touches = written(body)
    seen = program.gates.within(program.part(Writes).reach(touches[-1]))
    return sorted(f"{'before' if s.gate.closing else 'after'} {s.gate.text}" for s in seen)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Hold.objects.filter(made_at__lt=timezone.now() - KEEP).delete()", ["after Hold.made_at + 2d"]),
        ("Hold.objects.exclude(made_at__gte=timezone.now() - KEEP).delete()", ["after Hold.made_at + 2d"]),
        ("Hold.objects.filter(Q(ends__lte=timezone.now()) | Q(state='x')).update(state='y')", ["after Hold.ends"]),
        ("Hold.objects.filter(~Q(ends__gt=timezone.now())).update(state='y')", ["after Hold.ends"]),
        ("Hold.objects.filter(ends__range=(timezone.now(), limit)).delete()", ["before Hold.ends"]),
        ("db.execute('DELETE FROM holds WHERE ends < ?', (time.time(),))", ["after holds.ends"]),
        ("db.execute('DELETE FROM holds WHERE ends < %(at)s', {'at': time.time()})", ["after holds.ends"]),
        ("db.execute(text('DELETE FROM holds WHERE ends < :at'), {'at': time.time()})", ["after holds.ends"]),
        ("db.execute('DELETE FROM holds WHERE $1 > ends', time.time())", ["after holds.ends"]),
        ("db.execute(\"DELETE FROM holds WHERE made < now() - interval '2 days'\")", ["after holds.made + 2d"]),
        ("db.execute(\"DELETE FROM holds WHERE made < datetime('now', '-2 days')\")", ["after holds.made + 2d"]),
        ("db.execute('DELETE FROM holds WHERE NOT (ends >= ?)', (time.time(),))", ["after holds.ends"]),
        ("db.execute(f'DELETE FROM holds WHERE ends < {time.time()}')", ["after holds.ends"]),
        ("db.execute(delete(Hold).where(Hold.ends < datetime.now(tz.utc)))", ["after shop.models.Hold.ends"]),
        ("db.execute(update(Hold).where(or_(Hold.ends < time.time(), Hold.n == 1)).values(n=2))",
         ["after shop.models.Hold.ends"]),
        ("for one in db.scalars(select(Hold).where(Hold.ends < time.time())):\n    one.state = 'free'",
         ["after shop.models.Hold.ends"]),
        ("one = db.execute('SELECT id FROM holds WHERE ends < ?', (time.time(),)).fetchone()\n"
         "db.execute('UPDATE holds SET n = 1 WHERE id = ?', (one[0],))", ["after holds.ends"]),
        ("table.put_item(Item={'id': 1}, ConditionExpression='ends < :at',"
         " ExpressionAttributeValues={':at': int(time.time())})", ["after table.ends"]),
        ("table.put_item(Item={'id': 1}, ConditionExpression=Attr('ends').lt(int(time.time())))", ["after item.ends"]),
        ("table.update_one({'ends': {'$lt': time.time()}}, {'$set': {'n': 1}})", ["after table.ends"]),
        ("for one in [r for r in rows if r.ends < time.time()]:\n    one.n = 1", ["after r.ends"]),
        ("if rows.ends > time.time():\n    return\nrows.n = 1", ["after rows.ends"]),
        ("db.execute('UPDATE holds SET ends = ?', (time.time(),))", []),
        ("Hold.objects.filter(state='x').update(made_at=timezone.now())", []),
    ],
)  # fmt: skip
def test_a_query_is_a_gate(body: str, expected: list[str]) -> None:
    assert gates(body) == expected


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("Hold.objects.filter(pk=1).update(n=F('n') + 1)", {"n"}),
        ("db.execute('UPDATE holds SET n = n + 1, state = ? WHERE id = ?', ('x', 1))", {"n", "state"}),
        ("db.execute('INSERT INTO holds (id, state) VALUES (?, ?)', (1, 'x'))", {"id", "state"}),
        ("db.execute(update(Hold).where(Hold.id == 1).values(n=2))", {"n"}),
        ("table.update_item(Key={'id': 1}, UpdateExpression='SET a = :a ADD n :one',"
         " ExpressionAttributeValues={':a': 1, ':one': 1})", {"a", "n"}),
        ("table.update_one({'id': 1}, {'$set': {'a': 1}, '$inc': {'n': 1}})", {"a", "n"}),
        ("rows['a'] = 1", {"a"}),
        ("rows.a = 1", {"a"}),
    ],
)  # fmt: skip
def test_what_is_written_is_named(body: str, fields: set[str]) -> None:
    _, touches = written(body)
    assert {name for name, _ in touches[-1].fields} == fields


def test_the_place_of_a_gate_is_its_query() -> None:
    program, touches = written("at = timezone.now()\nold = Hold.objects.filter(\n    ends__lt=at)\nold.delete()")
    (seen,) = program.gates.within(program.part(Writes).reach(touches[-1]))
    first = HEAD.count("\n") + 3
    assert seen.place[1:] == (first + 1, 11, first + 2, 21)


def test_a_condition_without_a_clock_is_no_gate() -> None:
    program, touches = written("db.execute('DELETE FROM holds WHERE ends < ?', (limit,))")
    kinds = {literal.kind for literal in literals(program.part(Writes).reach(touches[-1]))}
    assert kinds == {"cmp"}
