"""Dagster's GraphQL `runsOrError { ... on Runs { results { ... } } }`, with epoch seconds."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending
from anchorlint.manifests.history.exports import converted, instant, listed

_SCHEDULE = "dagster/schedule_name"


def matches(head: Head) -> bool:
    """Whether it is the answer to that query, or its list of runs."""
    found = head.first
    if isinstance(found, dict):
        found = found.get("data", found)
        if isinstance(found, dict) and "runsOrError" in found:
            return True
    return head.has("runId", "jobName", "status", "startTime", "endTime")


def read(text: str, path: str) -> Records:
    """The runs of each schedule by its name, or of each job where no schedule started it."""
    return converted(listed(text, "data", "runsOrError", "results"), _run, path)


def _run(record: dict[str, Any]) -> Run:
    tags = {tag["key"]: tag["value"] for tag in record.get("tags") or []}
    return Run(
        schedule=tags.get(_SCHEDULE) or record["jobName"],
        ending=ending(record["status"]) or Ending.NONE,
        started_at=instant(record["startTime"]),
        finished_at=instant(record["endTime"]),
    )
