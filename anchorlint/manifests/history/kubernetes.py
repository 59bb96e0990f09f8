"""`kubectl get jobs -A -o json`: the jobs that CronJobs have made and that the cluster still keeps."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.exports import converted, instant, listed

_NUMBERED = re.compile(r"(.+)-(\d{8,10})")  # the name of a CronJob's job ends with the minutes since 1970
_SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp"


def matches(head: Head) -> bool:
    """Whether it is a list of jobs as kubectl prints them."""
    items = head.first.get("items") if isinstance(head.first, dict) else None
    return isinstance(items, list) and all(isinstance(item, dict) and item.get("kind") == "Job" for item in items)


def read(text: str, path: str) -> Records:
    """The runs of each CronJob by namespace and name; jobs that no CronJob made are left out."""
    return converted(listed(text, "items"), _run, path)


def _run(job: dict[str, Any]) -> Run | None:
    meta, status = job["metadata"], job.get("status") or {}
    numbered = _NUMBERED.fullmatch(meta["name"])
    owners = [owner["name"] for owner in meta.get("ownerReferences") or [] if owner.get("kind") == "CronJob"]
    if not owners and not numbered:
        return None
    name = owners[0] if owners else numbered[1] if numbered else ""
    how, ended = _ending(status)
    planned = instant((meta.get("annotations") or {}).get(_SCHEDULED))
    if planned is None and numbered:
        planned = datetime.fromtimestamp(int(numbered[2]) * 60, UTC)
    namespace = meta.get("namespace")
    return Run(
        schedule=f"{namespace}/{name}" if namespace else name,
        ending=how,
        started_at=instant(status.get("startTime")),
        finished_at=instant(ended),
        scheduled_for=planned,
    )


def _ending(status: dict[str, Any]) -> tuple[Ending, str | None]:
    """How a job ended and when; a failed one says so only in its conditions."""
    for condition in status.get("conditions") or []:
        if condition.get("type") == "Failed" and condition.get("status") == "True":
            cut = condition.get("reason") == "DeadlineExceeded"
            return Ending.CUT if cut else Ending.FAILED, condition.get("lastTransitionTime")
    done = status.get("completionTime")
    return (Ending.COMPLETED, done) if done else (Ending.NONE, None)
