"""Where the recorded runs of a schedule come from: the command that exports them, by the format of the manifest."""

from __future__ import annotations

import json
import posixpath
import shlex

from anchorlint.domain.schedule import Schedule

_GH = "attempt,conclusion,createdAt,databaseId,event,number,startedAt,status,updatedAt,workflowName"
_PG_CRON = "select d.*, j.jobname from cron.job_run_details d left join cron.job j using (jobid)"
_DAGSTER = "{runsOrError(limit: 500) {... on Runs {results {runId jobName status startTime endTime tags {key value}}}}}"
_PLAIN = {
    "kubernetes": "kubectl get jobs -A -o json",
    "celery": "curl 'http://localhost:5555/api/tasks?limit=500'",
    "pg_cron": f'psql -c "\\copy ({_PG_CRON}) to stdout csv header"',
    "prefect": "anchorlint runs import ~/.prefect/prefect.db",
    "dagster": "curl -H 'Content-Type: application/json' http://localhost:3000/graphql -d "
    + shlex.quote(json.dumps({"query": _DAGSTER})),
}
BY_HAND = "write schedule_id, scheduled_for, started_at, finished_at, status to a runs.csv beside the manifest"


def export_command(schedule: Schedule) -> str | None:
    """The shell command that prints runs in a form that is read; None where nothing of the format keeps any."""
    if schedule.format == "github":
        # What follows another workflow is started by no clock.
        event = " --event schedule" if schedule.firing is not None else ""
        file = shlex.quote(posixpath.basename(schedule.span.path))
        return f"gh run list --workflow {file}{event} -L 200 --json {_GH}"
    if schedule.format == "airflow":
        return f"airflow dags list-runs {shlex.quote(schedule.id)} -o json  # Airflow 2: -d before the id"
    if schedule.format == "systemd":
        return f"journalctl -u {shlex.quote(next(iter(schedule.recorded_as), schedule.id))} -o json"
    return _PLAIN.get(schedule.format)


def advice(schedule: Schedule) -> str:
    """What to do about a schedule without recorded runs, as a clause."""
    command = export_command(schedule)
    return f"export them with `{command}`" if command else BY_HAND
