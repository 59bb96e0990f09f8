"""`airflow dags list-runs -o json`, of Airflow 2 and 3; log lines may stand before the JSON."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending
from anchorlint.manifests.history.exports import converted, instant, listed


def matches(head: Head) -> bool:
    """Whether the records are DAG runs."""
    return head.has("dag_id", "run_id", "state", "start_date", "end_date")


def read(text: str, path: str) -> Records:
    """The runs of each DAG by its id."""
    return converted(listed(text), _run, path)


def _run(record: dict[str, Any]) -> Run:
    # Airflow 2 gives the start of the data interval, which is no time at which anything fires.
    return Run(
        schedule=record["dag_id"],
        ending=ending(record["state"] or "queued") or Ending.NONE,
        started_at=instant(record["start_date"]),
        finished_at=instant(record["end_date"]),
        scheduled_for=instant(record.get("run_after")),
    )
