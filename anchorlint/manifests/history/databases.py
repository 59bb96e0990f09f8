"""Recorded runs out of an SQLite file of Airflow or Prefect, opened for reading only."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import quote

from anchorlint.manifests.history import Records
from anchorlint.manifests.history.exports import converted
from anchorlint.manifests.history.tables import WANTED, NoRuns, Table, queries
from anchorlint.manifests.history.writing import json_lines

if TYPE_CHECKING:
    import sqlite3

MAGIC = b"SQLite format 3\0"


def is_database(path: str) -> bool:
    """Whether a file begins as an SQLite database does; False where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def exported(path: str) -> str:
    """The newest runs of each schedule in the native form, one JSON object a line; raises NoRuns."""
    return json_lines(read(path).runs)


def read(path: str) -> Records:
    """The newest runs of each schedule, and how many rows cannot be read; raises NoRuns."""
    import sqlite3

    try:
        with closing(sqlite3.connect(_read_only(path), uri=True, timeout=2)) as connection:
            return _records(connection, path)
    except sqlite3.Error as error:
        raise NoRuns(f"cannot read the database: {error}") from None


def _read_only(path: str) -> str:
    # Even a reader makes files beside a database in WAL mode, unless it is told that nobody writes.
    live = os.path.exists(f"{path}-wal") and os.path.exists(f"{path}-shm")
    return f"file:{quote(os.path.abspath(path))}?mode=ro{'' if live else '&immutable=1'}"


def _records(connection: sqlite3.Connection, path: str) -> Records:
    query = next(queries(_tables(connection)), None)
    if query is None:
        raise NoRuns("the database holds neither Airflow's dag_run nor Prefect's flow_run")
    rows = connection.execute(query.sql)
    names = [column[0] for column in rows.description]
    return converted((dict(zip(names, row, strict=True)) for row in rows), query.convert, path)


def _tables(connection: sqlite3.Connection) -> dict[str, Table]:
    found = {}
    for name in WANTED:
        columns = frozenset(row[1] for row in connection.execute("select * from pragma_table_info(?)", (name,)))
        if columns:
            found[name] = Table(name, columns)
    return found
