"""What comes from outside: results of calls that ask somebody else, not our own rows, clocks and arithmetic."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anchorlint.domain.linear import Linear
from anchorlint.python.queries import FILTERS, RUNS
from anchorlint.python.value import PATHS, Value, root, within

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator

_ASKING_MODULES = frozenset(
    {
        "http", "urllib", "smtplib", "ftplib", "imaplib", "poplib", "subprocess", "socket", "xmlrpc",
    }
)  # fmt: skip
_OUR_OWN = frozenset(
    {
        "django", "sqlalchemy", "sqlite3", "psycopg", "psycopg2", "asyncpg", "peewee", "flask", "celery",
        "logging", "pydantic", "attr", "attrs", "dateutil", "pendulum", "arrow", "pytz", "fastapi", "sql",
        "structlog", "numpy", "pandas", "sqlmodel", "dj_database_url", "environ", "click", "rest_framework",
        "starlette", "airflow", "prefect", "tortoise", "mongoengine", "pymongo", "redis", "singer", "dagster",
    }
)  # fmt: skip
_OUR_CALLS = FILTERS | RUNS | frozenset(
    {
        "objects", "commit", "get_one", "refresh", "all", "first", "one", "one_or_none", "items", "values", "keys",
        "append", "add", "flush", "query", "values_list", "iterator", "order_by", "select_for_update", "fetchone",
        "fetchall", "pop", "encode", "decode", "strip", "split", "join", "format", "lower", "upper", "replace",
        "startswith", "endswith", "isoformat", "timestamp",
    }
)  # fmt: skip
MOST_PARTS = 160


class Outside:
    """Tells answers of somebody else from what the program knows by itself; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self._asks: dict[Value, bool] = {}

    def asked(self, value: Value) -> Iterator[Value]:
        """The answers from outside that a value hangs on."""
        return (part for part in parts_of(value) if part.kind == "result" and self.is_answer(part))

    def is_answer(self, value: Value) -> bool:
        """Whether a result is what somebody else said: a call of a client, or one that is handed a client's object."""
        found = self._asks.get(value)
        if found is None:
            found = self._asks[value] = self._is_answer(value)
        return found

    def _is_answer(self, value: Value) -> bool:
        callee = value.args[0]
        if callee.kind == "ext":
            return self._is_foreign(callee.args[0])
        if callee.kind != "attr" or callee.args[1] in _OUR_CALLS and callee.args[1] != "get":
            return False
        base = callee.args[0]
        owner = self.engine.attributes.type_of(base)
        if owner is not None:
            return owner.kind == "ext" and self._is_foreign(owner.dotted)
        start = root(base)
        if start.kind == "ext":
            return self._is_foreign(start.args[0])
        if start.kind == "result":
            return self.is_answer(start)
        # a client that is handed in: it is asked by an address or a key, not for all that there is
        return callee.args[1] == "get" and start.kind == "param" and bool(value.args[1]) and self._is_address(value)

    def _is_address(self, value: Value) -> bool:
        first = value.args[1][0]
        return first.kind == "fstr" or (first.kind == "str" and "/" in first.args[0])

    def _is_foreign(self, dotted: str) -> bool:
        top = dotted.partition(".")[0]
        if top in _ASKING_MODULES:
            return True
        if top in ("builtins", "in") or not top.isidentifier():
            return False
        return top not in sys.stdlib_module_names and top not in _OUR_OWN


def parts_of(value: Value) -> Iterator[Value]:
    """A value and all values inside of it, outermost first, within bounds."""
    pending, count, seen = [value], 0, {value}
    while pending and count < MOST_PARTS:
        one = pending.pop(0)
        count += 1
        yield one
        stack = list(one.args)
        while stack:
            arg = stack.pop()
            if isinstance(arg, Value):
                if arg not in seen:
                    seen.add(arg)
                    pending.append(arg)
            elif isinstance(arg, tuple):
                stack += arg
            elif isinstance(arg, Linear):
                stack += [atom.key for atom in arg.terms if isinstance(atom.key, Value)]


def mentions(value: Value, record: Value) -> bool:
    """Whether a value is made of a field of a record, or of the record."""
    return record.kind in PATHS and within(value, record)
