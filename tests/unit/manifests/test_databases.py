"""SQLite files of Airflow and Prefect: read without leaving a trace, into the native form."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anchorlint.manifests.history import read_runs
from anchorlint.manifests.history.databases import exported, is_database, read
from anchorlint.manifests.history.tables import NoRuns

AIRFLOW_2 = (
    "create table dag_run (dag_id text, run_id text, state text, execution_date text, start_date text, end_date text)"
)
AIRFLOW_3 = AIRFLOW_2.replace("execution_date", "run_after")
PREFECT = """
create table deployment (id text, name text);
create table flow_run (
  id text, deployment_id text, expected_start_time text, start_time text, end_time text, state_type text
);
insert into deployment values ('d1', 'nightly');
insert into flow_run values
  ('1', 'd1', '2026-11-28 00:00:00', '2026-11-28 00:00:05', '2026-11-28 00:10:05', 'COMPLETED'),
  ('2', 'd1', '2026-11-29 00:00:00', '2026-11-29 00:00:05', '2026-11-29 00:05:05', 'CANCELLED'),
  ('3', 'd1', '2026-11-30 00:00:00', null, null, 'SCHEDULED'),
  ('4', null, '2026-11-30 00:00:00', '2026-11-30 00:00:05', null, 'RUNNING');
"""


def database(path: Path, script: str) -> str:
    with sqlite3.connect(path) as connection:
        connection.executescript(f"begin;\n{script}\ncommit;")
    connection.close()
    return str(path)


def rows(count: int) -> str:
    return "".join(
        f"insert into dag_run values ('load', 'r{n}', '{'success' if n else 'failed'}', '2026-11-01 00:00:00',"
        f" '2026-11-01 {n // 60:02}:{n % 60:02}:00.000000', '2026-11-01 {n // 60:02}:{n % 60:02}:30.000000');\n"
        for n in range(count)
    )


@pytest.mark.parametrize(("table", "planned"), [(AIRFLOW_2, False), (AIRFLOW_3, True)])
def test_airflow(tmp_path: Path, table: str, planned: bool) -> None:
    path = database(tmp_path / "air flow.db", f"{table};\n{rows(3)}")
    assert is_database(path)
    records = read_runs(exported(path), path)
    assert not records.problems
    assert [(run.schedule, run.ending.value, run.duration_s) for run in records.runs] == [
        ("load", "failed", 30.0),
        ("load", "completed", 30.0),
        ("load", "completed", 30.0),
    ]
    assert (records.runs[0].scheduled_for is not None) == planned
    assert [file.name for file in tmp_path.iterdir()] == ["air flow.db"]


def test_what_the_clock_of_airflow_2_has_started_is_due_when_its_interval_ends(tmp_path: Path) -> None:
    table = AIRFLOW_2.replace("end_date text", "end_date text, run_type text, data_interval_end text")
    path = database(
        tmp_path / "airflow.db",
        f"""{table};
        insert into dag_run values ('load', 'a', 'success', '2026-11-20 03:00:00', '2026-11-20 04:00:07.000000',
          '2026-11-20 04:10:00.000000', 'scheduled', '2026-11-20 04:00:00.000000');
        insert into dag_run values ('load', 'b', 'success', '2026-11-20 05:30:00', '2026-11-20 05:30:07.000000',
          '2026-11-20 05:40:00.000000', 'manual', '2026-11-20 04:00:00.000000');""",
    )
    planned, by_hand = read_runs(exported(path), path).runs
    assert (planned.scheduled_for, planned.by_clock) == (datetime(2026, 11, 20, 4, tzinfo=UTC), True)
    assert (by_hand.scheduled_for, by_hand.by_clock) == (None, False)


def test_rows_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    broken = "insert into dag_run values ('load', 'x', 'success', null, 'soon', 'later');"
    records = read(database(tmp_path / "airflow.db", f"{AIRFLOW_2};\n{rows(2)}{broken}"))
    assert len(records.runs) == 2
    assert [problem.message for problem in records.problems] == ["1 of 3 records of this export cannot be read"]


def test_only_the_newest_runs(tmp_path: Path) -> None:
    path = database(tmp_path / "airflow.db", f"{AIRFLOW_2};\n{rows(700)}")
    runs = read_runs(exported(path), path).runs
    assert len(runs) == 500
    assert f"{runs[-1].started_at:%H:%M}" == "11:39"


def test_prefect(tmp_path: Path) -> None:
    path = database(tmp_path / "prefect.db", PREFECT)
    records = read_runs(exported(path), path)
    assert [(run.schedule, run.ending.value, run.duration_s) for run in records.runs] == [
        ("nightly", "completed", 600.0),
        ("nightly", "cut", 300.0),
    ]


def test_a_database_in_use_is_read_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "airflow.db"
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.executescript(f"begin;\n{AIRFLOW_2};\n{rows(2)}\ncommit;")
    before = sorted(file.name for file in tmp_path.iterdir())
    assert len(read_runs(exported(str(path)), "x").runs) == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == before
    writer.close()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"SQLite format 3\0" + b"x" * 200, "cannot read the database"),
        (b"", "neither"),
    ],
)
def test_other_databases(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)
    with pytest.raises(NoRuns, match=words):
        exported(str(path))
    assert not is_database(str(tmp_path / "missing.db"))
