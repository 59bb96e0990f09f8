"""Airflow's DAG runs: `airflow dags list-runs -o json` of Airflow 2 and 3, and the rows of its database."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending
from anchorlint.manifests.history.exports import converted, instant, listed

_BY_OTHERS = ("manual", "backfill", "asset", "dataset", "operator")


def matches(head: Head) -> bool:
    """Whether the records are DAG runs."""
    return head.has("dag_id", "run_id", "state", "start_date", "end_date")


def read(text: str, path: str) -> Records:
    """The runs of each DAG by its id; log lines may stand before the JSON."""
    return converted(listed(text), run, path)


def run(record: dict[str, Any]) -> Run:
    """One DAG run."""
    # Only the database names the type; in an export the id begins with it.
    kind = record.get("run_type") or record["run_id"]
    by_clock = not str(kind).startswith(_BY_OTHERS)
    # Airflow 2 gives the start of the data interval, which is no time at which anything fires.
    return Run(
        schedule=record["dag_id"],
        ending=ending(record["state"] or "queued") or Ending.NONE,
        started_at=instant(record["start_date"]),
        finished_at=instant(record["end_date"]),
        scheduled_for=instant(record.get("run_after")) if by_clock else None,
        by_clock=by_clock,
    )
