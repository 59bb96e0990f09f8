"""`runs import --from`: what pg_cron's tables mean in the native form, with the row security that they have."""

from __future__ import annotations

import pytest

from postgresql.conftest import Database
from postgresql.importing import dag_runs, imported, rows
from postgresql.server import CRON_DATABASE, Server

DAY = "2026-11-20"
JOBS = """
insert into cron.job (schedule, command, nodeport, jobname) values
  ('0 4 * * *', 'vacuum', 5432, 'sweep'),
  ('*/10 * * * *', 'select 1', 5432, null),
  ('0 5 * * *', 'select 2', 5432, 'tally');
"""
_RUN = """
insert into cron.job_run_details (jobid, username, command, status, return_message, start_time, end_time)
values ({job}, current_user, 'vacuum', '{status}', {message}, {start}, {end});
"""


def run(job: int, status: str, start: str | None, end: str | None, message: str | None = None) -> str:
    def quoted(value: str | None) -> str:
        return "null" if value is None else f"'{value}'"

    stamps = [quoted(f"{DAY} {stamp}+00" if stamp else None) for stamp in (start, end)]
    return _RUN.format(job=job, status=status, message=quoted(message), start=stamps[0], end=stamps[1])


RUNS = (
    run(1, "succeeded", "04:00:00.1", "04:10:00.1", "VACUUM")
    + run(1, "failed", "04:20:00", "04:21:00", 'ERROR:  relation "gone" does not exist')
    + run(1, "failed", "04:30:00", "04:40:00", "ERROR:  canceling statement due to statement timeout")
    + run(2, "succeeded", "04:40:00", "04:40:01")
    + run(9, "succeeded", "04:50:00", "04:50:01")
    + run(3, "running", "05:00:00", None)
    + run(3, "starting", None, None)
    + run(3, "failed", None, "05:10:00", "job startup timeout")
)


def test_each_ending(server: Server, database: Database) -> None:
    """A job without a name, or that is gone, is known by its number."""
    done = imported("--from", server.url(database("pg_cron", script=JOBS + RUNS)))
    assert done.exit_code == 0, done.output
    assert [(row["schedule_id"], row["started_at"][11:], row["status"]) for row in rows(done)] == [
        ("sweep", "04:00:00.100000Z", "completed"),
        ("sweep", "04:20:00Z", "failed"),
        ("sweep", "04:30:00Z", "cancelled"),
        ("2", "04:40:00Z", "completed"),
        ("9", "04:50:00Z", "completed"),
        ("tally", "05:00:00Z", "running"),
    ]
    assert {row["scheduled_for"] for row in rows(done)} == {None}


def test_tables_from_before_jobs_had_names(server: Server, database: Database) -> None:
    name = database("pg_cron", script=RUNS + "alter table cron.job drop jobname;")
    assert {row["schedule_id"] for row in rows(imported("--from", server.url(name)))} == {"1", "2", "3", "9"}


def test_others_see_their_own_runs_only(server: Server, database: Database) -> None:
    """Row security leaves nothing for somebody whose jobs these are not, which is no empty success."""
    name = database("pg_cron", script=JOBS + RUNS)
    with server.connected(name) as connection:
        connection.execute("create role guest login password 'a b'; grant usage on schema cron to guest")
    url = server.url_by_password(name, "guest", "a%20b")
    done = imported("--from", url)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cron.job_run_details holds no run that this user may see" in done.stderr
    with server.connected(name) as connection:
        connection.execute("update cron.job_run_details set username = 'guest' where jobid = 1")
        connection.execute("update cron.job set username = 'guest' where jobid = 1")
    done = imported("--from", url)
    assert (done.exit_code, [row["schedule_id"] for row in rows(done)]) == (0, ["sweep"] * 3)


def test_beside_airflow(server: Server, database: Database) -> None:
    """Two schedulers in one database: both are read, or the one that may be."""
    due = {"run_after": f"{DAY} 04:00Z", "start_date": f"{DAY} 04:00Z", "end_date": f"{DAY} 04:10Z"}
    name = database("pg_cron", "airflow3", script=JOBS + RUNS + dag_runs("dag_run", {**due, "state": "success"}))
    assert {row["schedule_id"] for row in rows(imported("--from", server.url(name)))} > {"load", "sweep"}
    with server.connected(name) as connection:
        connection.execute("create role reader login password 'r'; grant select on dag_run to reader")
    done = imported("--from", server.url_by_password(name, "reader", "r"))
    assert done.exit_code == 2
    assert "the database answers: permission denied for schema cron" in done.stderr
    assert [row["schedule_id"] for row in rows(done)] == ["load"]


def test_the_extension_itself(server: Server) -> None:
    """Its tables are those that the other tests use, and a job that it has run is read."""
    if not server.pg_cron:
        pytest.skip("the extension pg_cron is not installed (Debian: apt-get install postgresql-15-cron)")
    with server.connected("postgres") as connection:
        connection.execute(f"create database {CRON_DATABASE}".encode())
    with server.connected(CRON_DATABASE) as connection:
        connection.execute("create extension pg_cron")
        (found,) = connection.execute("select cron.schedule('sweep', '0 4 * * *', 'select 1')").fetchall()
        script = run(found[0], "succeeded", "04:00:00.1", "04:10:00.1", "1 row")
        connection.execute(script.encode())
    done = imported("--from", server.url(CRON_DATABASE))
    assert [(row["schedule_id"], row["status"]) for row in rows(done)] == [("sweep", "completed")]


SHAPE = """
select table_name, column_name, column_default is null, is_nullable from information_schema.columns
where table_schema = 'cron' union all
select tablename, policyname, permissive = 'PERMISSIVE', roles::text from pg_policies where schemaname = 'cron'
order by 1, 2"""


def test_its_tables_are_the_extensions(server: Server, database: Database) -> None:
    if not server.pg_cron:
        pytest.skip("the extension pg_cron is not installed (Debian: apt-get install postgresql-15-cron)")
    name = database("pg_cron")
    with server.connected(CRON_DATABASE) as real, server.connected(name) as own:
        assert own.execute(SHAPE).fetchall() == real.execute(SHAPE).fetchall()
