"""Recorded runs out of an SQLite file of Airflow or Prefect, opened for reading only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote

from anchorlint.manifests.history.exports import instant

MAGIC = b"SQLite format 3\0"
_NEWEST = 500  # runs of each schedule, many times the window that counts
_AIRFLOW = """
select dag_id, {planned}, start_date, end_date, state from (
  select *, row_number() over (partition by dag_id order by start_date desc) as number from dag_run
  where start_date is not null
) where number <= ? order by start_date"""
_PREFECT = """
select deployment.name, run.expected_start_time, run.start_time, run.end_time, run.state_type from (
  select *, row_number() over (partition by deployment_id order by start_time desc) as number from flow_run
  where start_time is not null
) as run join deployment on deployment.id = run.deployment_id where number <= ? order by run.start_time"""


class NoRuns(ValueError):
    """A database that cannot be read, or that is neither Airflow's nor Prefect's."""


def is_database(path: str) -> bool:
    """Whether a file begins as an SQLite database does; False where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def exported(path: str) -> str:
    """The newest runs of each schedule in the native form, one JSON object a line; raises NoRuns."""
    import sqlite3

    try:
        with closing(sqlite3.connect(_read_only(path), uri=True, timeout=2)) as connection:
            return "".join(f"{line}\n" for line in _lines(connection))
    except sqlite3.Error as error:
        raise NoRuns(f"cannot read the database: {error}") from None


def _read_only(path: str) -> str:
    # Even a reader makes files beside a database in WAL mode, unless it is told that nobody writes.
    live = os.path.exists(f"{path}-wal") and os.path.exists(f"{path}-shm")
    return f"file:{quote(os.path.abspath(path))}?mode=ro{'' if live else '&immutable=1'}"


def _lines(connection: object) -> Iterator[str]:
    import sqlite3

    assert isinstance(connection, sqlite3.Connection)
    query = _query({row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")},
                   {row[1] for row in connection.execute("pragma table_info(dag_run)")})  # fmt: skip
    for name, *stamps, status in connection.execute(query, (_NEWEST,)):
        try:
            planned, started, finished = (found.isoformat() if (found := instant(stamp)) else None for stamp in stamps)
        except ValueError:
            continue
        row = {"schedule_id": name, "scheduled_for": planned, "started_at": started, "finished_at": finished}
        yield json.dumps({**row, "status": status or "pending"})


def _query(tables: set[str], columns_of_dag_run: set[str]) -> str:
    if "dag_run" in tables:
        # Airflow 2 has no such column: its execution_date is the start of an interval, when nothing fires.
        return _AIRFLOW.format(planned="run_after" if "run_after" in columns_of_dag_run else "null")
    if {"flow_run", "deployment"} <= tables:
        return _PREFECT
    raise NoRuns("the database holds neither Airflow's dag_run nor Prefect's flow_run")
