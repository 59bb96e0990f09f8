"""Flower's `/api/tasks`: Celery tasks by uuid, with epoch seconds."""

from __future__ import annotations

from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.exports import converted, document, instant

_ENDINGS = {"SUCCESS": Ending.COMPLETED, "FAILURE": Ending.FAILED, "REVOKED": Ending.CUT}


def matches(head: Head) -> bool:
    """Whether it is an object of tasks."""
    tasks = list(head.first.values()) if isinstance(head.first, dict) and not head.listed else []
    return bool(tasks) and all(
        isinstance(task, dict) and {"uuid", "received", "state"} <= task.keys() for task in tasks
    )


def read(text: str, path: str) -> Records:
    """The runs of each task by its name; one that was revoked before it started is none."""
    try:
        tasks = list(document(text).values())
    except (ValueError, RecursionError, AttributeError):
        tasks = []
    return converted(tasks, _run, path)


def _run(task: dict[str, Any]) -> Run:
    started, how = task.get("started"), _ENDINGS.get(task["state"], Ending.NONE)
    ended = task.get("succeeded") or task.get("failed") or task.get("revoked")
    if ended is None and started is not None and task.get("runtime") is not None:
        ended = started + task["runtime"]
    return Run(
        schedule=task["name"],
        ending=how if started and ended else Ending.NONE,
        started_at=instant(started),
        finished_at=instant(ended),
    )
