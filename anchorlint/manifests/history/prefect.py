"""Prefect's `POST /api/flow_runs/filter`: flow runs of deployments."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending
from anchorlint.manifests.history.exports import converted, instant, listed

_NAMES = ("deployment_name", "flow_name", "deployment_id", "flow_id")


def matches(head: Head) -> bool:
    """Whether the records are flow runs."""
    return head.has("expected_start_time", "start_time", "end_time", "state_type")


def read(text: str, path: str) -> Records:
    """The runs of each deployment by its name where the export has one, else by its id."""
    return converted(listed(text), run, path)


def run(record: dict[str, Any]) -> Run:
    """One flow run; a record without any name raises KeyError."""
    name = next((record[key] for key in _NAMES if record.get(key)), None)
    if name is None:
        raise KeyError("deployment_id")
    # The database of SQLite says 0 for no; a run that somebody asked for is due when it was asked for.
    by_clock = record.get("auto_scheduled") not in (False, 0)
    return Run(
        schedule=str(name),
        ending=ending(record["state_type"] or "pending") or Ending.NONE,
        started_at=instant(record["start_time"]),
        finished_at=instant(record["end_time"]),
        scheduled_for=instant(record["expected_start_time"]) if by_clock else None,
        by_clock=by_clock,
    )
