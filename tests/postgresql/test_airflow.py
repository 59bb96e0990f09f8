"""`runs import --from`: what Airflow's own tables on a real server mean in the native form."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchorlint.manifests.history import read_runs
from postgresql.conftest import Database
from postgresql.importing import dag_runs, imported, rows
from postgresql.server import Server

DAY = "2026-11-20"


def airflow_3(hour: int, **record: object) -> dict[str, object]:
    return {"logical_date": f"{DAY} {hour:02}:00Z", "run_after": f"{DAY} {hour:02}:00Z", **record}


def airflow_2(hour: int, **record: object) -> dict[str, object]:
    """A run of the hour before, which begins at `hour`."""
    begin = f"{DAY} {hour - 1:02}:00Z"
    interval = {"data_interval_start": begin, "data_interval_end": f"{DAY} {hour:02}:00Z"}
    return {"execution_date": begin, **interval, **record}


def span(hour: int, minutes: int | None, zone: str = "Z") -> dict[str, object]:
    end = None if minutes is None else f"{DAY} {hour:02}:{minutes:02}:02.5{zone}"
    return {"start_date": f"{DAY} {hour:02}:00:02.5{zone}", "end_date": end}


def told(server: Server, name: str, *more: str) -> list[tuple[str | None, ...]]:
    done = imported("--from", server.url(name), *more)
    assert done.exit_code == 0, done.output
    return [tuple(row[key] for key in ("scheduled_for", "started_at", "finished_at", "status")) for row in rows(done)]


@pytest.mark.parametrize(("version", "make"), [("airflow3", airflow_3), ("airflow2", airflow_2)])
def test_each_ending(server: Server, database: Database, version: str, make: object) -> None:
    assert callable(make)
    records = [
        make(4, state="success", **span(4, 20)),
        make(5, state="failed", **span(5, 1)),
        make(6, state="running", **span(6, None)),
        make(7, state="queued", start_date=None, end_date=None),
        make(8, state=None, **span(8, None)),
        make(9, state="success", **span(9, 3, "-05")),
    ]
    name = database(version, script=dag_runs("dag_run", *records))
    assert told(server, name) == [
        (f"{DAY}T04:00:00Z", f"{DAY}T04:00:02.500000Z", f"{DAY}T04:20:02.500000Z", "completed"),
        (f"{DAY}T05:00:00Z", f"{DAY}T05:00:02.500000Z", f"{DAY}T05:01:02.500000Z", "failed"),
        (f"{DAY}T06:00:00Z", f"{DAY}T06:00:02.500000Z", None, "running"),
        (f"{DAY}T08:00:00Z", f"{DAY}T08:00:02.500000Z", None, "running"),
        (f"{DAY}T09:00:00Z", f"{DAY}T14:00:02.500000Z", f"{DAY}T14:03:02.500000Z", "completed"),
    ]


@pytest.mark.parametrize(
    "kind", ["manual", "backfill", "asset_triggered", "asset_materialization", "operator_triggered"]
)
def test_what_no_clock_has_started_is_never_late(server: Server, database: Database, kind: str) -> None:
    """Its length counts all the same."""
    run = airflow_3(4, run_type=kind, state="success", **span(9, 20))
    (row,) = rows(imported("--from", server.url(database("airflow3", script=dag_runs("dag_run", run)))))
    assert (row["scheduled_for"], row["by_clock"], row["status"]) == (None, False, "completed")


def test_zones_of_the_server_and_of_the_role_change_nothing(server: Server, database: Database) -> None:
    name = database("airflow3", script=dag_runs("dag_run", airflow_3(4, state="success", **span(4, 20))))
    plain = told(server, name)
    with server.connected(name) as connection:
        connection.execute(f"alter database {name} set timezone = 'Asia/Kolkata'".encode())
        connection.execute(f"alter database {name} set datestyle = 'SQL, DMY'".encode())
    assert told(server, name) == plain


def test_instants_that_python_has_no_date_for(server: Server, database: Database) -> None:
    """One row that cannot be read is said, and the others are written."""
    odd = [airflow_3(hour, state="success", **span(hour, 5)) for hour in (4, 5, 6)]
    odd[0]["end_date"], odd[1]["start_date"] = "infinity", "0044-03-15 04:00Z BC"
    name = database("airflow3", script=dag_runs("dag_run", *odd))
    done = imported("--from", server.url(name))
    assert done.exit_code == 2
    assert f"error: postgresql://owner@/{name}: 2 of 3 records of this export cannot be read" in done.stderr
    assert [row["started_at"] for row in rows(done)] == [f"{DAY}T06:00:02.500000Z"]


def test_the_newest_of_very_many(server: Server, database: Database, tmp_path: Path) -> None:
    """60,000 rows of three DAGs: the last 500 of each, in the order of their starts, the same as those of a file."""
    script = """
    insert into dag_run (dag_id, run_id, run_type, state, logical_date, run_after, start_date, end_date)
    select 'dag' || n % 3, 'scheduled__' || n, 'scheduled', 'success', at, at, at + interval '1 s', at + interval '61 s'
    from generate_series(1, 60000) n, lateral (select timestamptz '2026-01-01 00:00Z' + n * interval '1 minute') t(at)
    order by n * 7919 % 60000"""
    name = database("airflow3", script=script)
    out = tmp_path / "runs.csv"
    done = imported("--from", server.url(name), "-o", str(out))
    assert (done.exit_code, done.stderr) == (0, f"1500 runs written to {out}\n")
    found = read_runs(out.read_text(), "runs.csv").runs
    starts = [run.started_at for run in found if run.started_at]
    assert starts == sorted(starts)
    assert f"{starts[-1]:%F %T}" == "2026-02-11 16:00:01"
    assert (starts[-1] - starts[0]).total_seconds() == 1499 * 60
    assert {run.duration_s for run in found} == {60.0}


def test_since(server: Server, database: Database) -> None:
    runs = [airflow_3(hour, state="success", **span(hour, 5)) for hour in (4, 5, 6)]
    name = database("airflow3", script=dag_runs("dag_run", *runs))
    assert len(told(server, name, "--since", f"{DAY}T05:00:02.5Z")) == 2
    assert len(told(server, name, "--since", f"{DAY}T06:30:00+01:00")) == 1
    done = imported("--from", server.url(name), "--since", "2026-11-21")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there are no runs since 2026-11-21T00:00:00+00:00 in postgresql://owner@/" in done.stderr


def test_old_tables_without_types_and_intervals(server: Server, database: Database) -> None:
    """Airflow before 2.2 knew neither, and of 1.10 not the run's type."""
    run = {"execution_date": f"{DAY} 03:00Z", "state": "success", **span(4, 20)}
    name = database("airflow2", script=dag_runs("dag_run", run, {**run, "run_type": "manual", "dag_id": "other"}))
    with server.connected(name) as connection:
        connection.execute("alter table dag_run drop run_type, drop data_interval_start, drop data_interval_end")
    found = {row["schedule_id"]: row for row in rows(imported("--from", server.url(name)))}
    assert found["load"]["scheduled_for"] is None
    assert "by_clock" not in found["load"]
    assert found["other"]["by_clock"] is False


def test_a_schema_of_its_own(server: Server, database: Database) -> None:
    run = airflow_3(4, state="success", **span(4, 20))
    script = 'create schema "air-flow"; alter table dag_run set schema "air-flow";'
    name = database("airflow3", script=script + dag_runs('"air-flow".dag_run', run))
    assert len(told(server, name)) == 1
    with server.connected(name) as connection:
        connection.execute('create schema other; create table other.dag_run (like "air-flow".dag_run)')
    done = imported("--from", server.url(name))
    assert done.exit_code == 2
    assert "dag_run stands in the schemas air-flow, other: add ?options=-csearch_path%3D" in done.stderr
    done = imported("--from", server.url(name, "&options=-csearch_path%3Dair-flow"))
    assert (done.exit_code, len(rows(done))) == (0, 1)


def test_text_of_any_encoding(server: Server, database: Database) -> None:
    run = airflow_3(4, state="success", dag_id="entrepôt", **span(4, 20))
    name = database("airflow3", script=dag_runs("dag_run", run), options="encoding 'LATIN1' locale 'C'")
    assert [row["schedule_id"] for row in rows(imported("--from", server.url(name)))] == ["entrepôt"]


def test_the_url_of_airflows_own_settings(server: Server, database: Database) -> None:
    """They name SQLAlchemy's driver."""
    name = database("airflow3", script=dag_runs("dag_run", airflow_3(4, state="success", **span(4, 20))))
    url = server.url(name).replace("postgresql://", "postgresql+psycopg2://")
    assert len(rows(imported("--from", url))) == 1
    assert len(rows(imported("--from", server.url(name).replace("postgresql", "postgres")))) == 1


def test_added_to_what_is_there(server: Server, database: Database, tmp_path: Path) -> None:
    going_on = airflow_3(4, state="running", **span(4, None))
    name = database("airflow3", script=dag_runs("dag_run", going_on))
    out = str(tmp_path / "runs.jsonl")
    assert imported("--from", server.url(name), "-o", out).exit_code == 0
    with server.connected(name) as connection:
        connection.execute(f"update dag_run set state = 'success', end_date = '{DAY} 04:10Z'".encode())
    for _ in range(2):
        done = imported(out, "--from", server.url(name), "-o", out)
        assert (done.exit_code, done.stderr) == (0, f"1 run written to {out}\n")
    assert '"status": "completed"' in Path(out).read_text()


PREFECT = """
insert into deployment values ('00000000-0000-0000-0000-000000000001', 'nightly');
insert into flow_run
select gen_random_uuid(), 'x', d.id, s.how::state_type, s.due, s.due + interval '5 s', s.due + s.length, s.auto
from deployment d, (values
  ('COMPLETED', timestamptz '2026-11-20 04:00Z', interval '605 s', true),
  ('CANCELLED', timestamptz '2026-11-21 04:00Z', interval '305 s', true),
  ('FAILED', timestamptz '2026-11-22 12:00Z', interval '65 s', false),
  ('RUNNING', timestamptz '2026-11-23 04:00Z', null, true)) s (how, due, length, auto);
"""


def test_prefect(server: Server, database: Database) -> None:
    found = rows(imported("--from", server.url(database("prefect", script=PREFECT))))
    assert [(row["schedule_id"], row["scheduled_for"], row["status"]) for row in found] == [
        ("nightly", "2026-11-20T04:00:00Z", "completed"),
        ("nightly", "2026-11-21T04:00:00Z", "cancelled"),
        ("nightly", None, "failed"),
        ("nightly", "2026-11-23T04:00:00Z", "running"),
    ]
