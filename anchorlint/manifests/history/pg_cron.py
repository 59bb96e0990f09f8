"""pg_cron's cron.job_run_details, joined with cron.job for the names: as CSV, and the rows of the database."""

from __future__ import annotations

import csv
import io
from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.exports import converted, instant

_ENDINGS = {"succeeded": Ending.COMPLETED, "failed": Ending.FAILED}


def matches(head: Head) -> bool:
    """Whether the header is that of job_run_details."""
    return head.has("jobid", "runid", "status", "start_time", "end_time")


def read(text: str, path: str) -> Records:
    """The runs of each job by its name, or by its number where the export has no names."""
    return converted(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")), run, path)


def run(row: dict[str, Any]) -> Run:
    """One run; that of a job that is gone has the job's number for a name."""
    how = _ENDINGS.get(row["status"], Ending.NONE)
    if how is Ending.FAILED and "canceling statement" in (row.get("return_message") or ""):
        how = Ending.CUT
    return Run(
        schedule=str(row.get("jobname") or row["jobid"]),
        ending=how,
        started_at=instant(row["start_time"]),
        finished_at=instant(row["end_time"]),
    )
