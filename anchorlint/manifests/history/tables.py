"""The tables in which Airflow, Prefect and pg_cron keep their runs, and the query for the newest of each schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from anchorlint.domain.schedule import Run
from anchorlint.manifests.history import airflow, pg_cron, prefect

NEWEST = 500  # runs of each schedule, many times the window that counts

_AIRFLOW = """
select dag_id, run_id, run_type, state, start_date, end_date, run_after from (
  select dag_id, {run_id} as run_id, {run_type} as run_type, state, start_date, end_date, {run_after} as run_after,
    row_number() over (partition by dag_id order by start_date desc) as number
  from {dag_run} where start_date is not null{since}
) as newest where number <= {newest} order by start_date"""
_PREFECT = """
select deployment.name as deployment_name, newest.* from (
  select deployment_id, expected_start_time, start_time, end_time, state_type, {auto_scheduled} as auto_scheduled,
    row_number() over (partition by deployment_id order by start_time desc) as number
  from {flow_run} where start_time is not null{since}
) as newest join {deployment} as deployment on deployment.id = newest.deployment_id
where number <= {newest} order by start_time"""
_PG_CRON = """
select {jobname} as jobname, newest.* from (
  select jobid, status, start_time, end_time, substr(return_message, 1, 200) as return_message,
    row_number() over (partition by jobid order by start_time desc) as number
  from {job_run_details} where start_time is not null{since}
) as newest left join {job} as job on job.jobid = newest.jobid where number <= {newest} order by start_time"""


class NoRuns(ValueError):
    """A database that cannot be read, or that keeps no runs; the message is for people."""


class Table(msgspec.Struct, frozen=True):
    """A table that the database has: how SQL writes its name, and its columns."""

    reference: str
    columns: frozenset[str]


class Query(msgspec.Struct, frozen=True):
    """What to ask for, and what makes a run of a row."""

    table: str
    sql: str
    convert: Callable[[dict[str, Any]], Run]


Tables = Mapping[str, Table]
# The tables by the names that a query needs them under; pg_cron's stand in a schema of their own.
WANTED = ("dag_run", "flow_run", "deployment", "cron.job_run_details", "cron.job")


def queries(tables: Tables, since: datetime | None = None) -> Iterator[Query]:
    """A query for each scheduler whose tables are there, for the runs that began at `since` or later."""
    if "dag_run" in tables:
        yield Query("dag_run", _airflow(tables["dag_run"], since), airflow.run)
    if {"flow_run", "deployment"} <= tables.keys():
        yield Query("flow_run", _prefect(tables, since), prefect.run)
    if {"cron.job_run_details", "cron.job"} <= tables.keys():
        yield Query("cron.job_run_details", _pg_cron(tables, since), pg_cron.run)


def _airflow(table: Table, since: datetime | None) -> str:
    # What a schedule starts in Airflow 2 runs when its data interval ends; the column is there from 2.2 on.
    planned = "run_after" if "run_after" in table.columns else _known(table, "data_interval_end")
    return _AIRFLOW.format(
        dag_run=table.reference,
        run_id=_known(table, "run_id"),
        run_type=_known(table, "run_type"),
        run_after=planned,
        since=_since("start_date", since),
        newest=NEWEST,
    )


def _prefect(tables: Tables, since: datetime | None) -> str:
    flow_run = tables["flow_run"]
    return _PREFECT.format(
        flow_run=flow_run.reference,
        deployment=tables["deployment"].reference,
        auto_scheduled=_known(flow_run, "auto_scheduled"),
        since=_since("start_time", since),
        newest=NEWEST,
    )


def _pg_cron(tables: Tables, since: datetime | None) -> str:
    job = tables["cron.job"]
    return _PG_CRON.format(
        job_run_details=tables["cron.job_run_details"].reference,
        job=job.reference,
        jobname="job.jobname" if "jobname" in job.columns else "null",
        since=_since("start_time", since),
        newest=NEWEST,
    )


def _known(table: Table, column: str) -> str:
    return column if column in table.columns else "null"


def _since(column: str, since: datetime | None) -> str:
    return f" and {column} >= '{since.isoformat()}'" if since is not None else ""
