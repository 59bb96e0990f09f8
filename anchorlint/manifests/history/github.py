"""`gh run list --json attempt,conclusion,createdAt,event,startedAt,status,updatedAt,workflowName`."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending
from anchorlint.manifests.history.exports import converted, instant, listed

_NEVER_STARTED_S = 60  # a run cancelled so soon was waiting, no job had begun


def matches(head: Head) -> bool:
    """Whether the records are workflow runs as `gh` prints them."""
    return head.has("conclusion", "startedAt", "updatedAt")


def read(text: str, path: str) -> Records:
    """The runs of each workflow by its name; a run that was cancelled while it waited is none."""
    return converted(listed(text), _run, path)


def _run(record: dict[str, Any]) -> Run:
    started, ended = instant(record["startedAt"]), instant(record["updatedAt"])
    conclusion = record["conclusion"] or ""
    how = ending(conclusion) if conclusion not in ("", "startup_failure", "stale") else Ending.NONE
    waited = how is Ending.CUT and started and ended and (ended - started).total_seconds() < _NEVER_STARTED_S
    return Run(
        schedule=str(record.get("workflowName") or record.get("name") or record["workflowDatabaseId"]),
        ending=Ending.NONE if waited or how is None else how,
        started_at=started,
        finished_at=ended,
        perhaps_waited=conclusion == "cancelled",
        by_clock=record.get("event") in (None, "schedule"),
    )
