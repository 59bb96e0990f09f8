"""`runs show`: its numbers against brute force, and what it says of schedules without runs."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]
Rows = list[dict[str, Any]]

MANIFEST = """
[[schedules]]
id = "fold"
cron = "10 3 * * *"

[[schedules]]
id = "press"
cron = "40 5 * * 1"

[[schedules]]
id = "attic"
cron = "0 0 1 * *"
enabled = false
"""
START = datetime(2026, 9, 1, 3, 10, tzinfo=UTC)


def stamp(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def history(name: str, count: int, seed: int) -> Rows:
    """Runs of one schedule in no order, some cut, skipped or unplanned."""
    draw = random.Random(seed)
    rows = []
    for day in range(count):
        planned = START + timedelta(days=day)
        started = planned + timedelta(seconds=draw.randrange(90))
        finished = started + timedelta(seconds=draw.randrange(60, 4000))
        status = draw.choice(["completed", "completed", "failed", "cancelled", "skipped"])
        rows.append(
            {
                "schedule_id": name,
                "scheduled_for": stamp(planned) if draw.random() < 0.8 else None,
                "started_at": None if status == "skipped" else stamp(started),
                "finished_at": None if status == "skipped" else stamp(finished),
                "status": status,
            }
        )
    draw.shuffle(rows)
    return rows


def lines(rows: Rows) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def seconds(first: str, last: str) -> float:
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()


def spread(values: list[float]) -> dict[str, float] | None:
    """Count, median, p95 and maximum by counting: the smallest value that so many of a hundred do not exceed."""
    if not values:
        return None

    def least(percent: int) -> float:
        return min(v for v in values if sum(w <= v for w in values) * 100 >= percent * len(values))

    return {"count": len(values), "p50_s": least(50), "p95_s": least(95), "max_s": max(values)}


def shown(anchorlint: Anchorlint, *arguments: str) -> dict[str, Any]:
    done = anchorlint("runs", "show", "--no-cache", "--output-format", "json", *arguments)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    return {"window": found["window"], **{row["schedule_id"]: row for row in found["schedules"]}}


@pytest.mark.parametrize(("count", "window"), [(1, 30), (4, 30), (19, 30), (20, 30), (60, 30), (60, 7)])
def test_the_numbers_are_those_of_counting(project: Project, anchorlint: Anchorlint, count: int, window: int) -> None:
    rows = history("fold", count, seed=count)
    settings = f"runs-window = {window}\n"
    project({"anchorlint.toml": settings, "schedules.toml": MANIFEST, "runs.jsonl": lines(rows)})
    found = shown(anchorlint)
    timed = sorted((row for row in rows if row["started_at"]), key=lambda row: row["started_at"])
    planned = [row for row in timed if row["scheduled_for"]][-window:]
    fold = found["fold"]
    assert found["window"] == window
    assert fold["runs"] == count
    assert fold["length"] == spread([seconds(row["started_at"], row["finished_at"]) for row in timed[-window:]])
    assert fold["cut"] == sum(row["status"] == "cancelled" for row in timed[-window:])
    assert fold["lateness"] == spread([seconds(row["scheduled_for"], row["started_at"]) for row in planned])
    assert found["press"]["length"] is None
    assert found["press"]["runs"] == 0


def test_the_p95_is_the_one_that_the_finding_says(project: Project, anchorlint: Anchorlint) -> None:
    tight = MANIFEST.replace('cron = "40 5 * * 1"', 'cron = "30 3 * * *"\nworkflow = "fold"')
    project({"schedules.toml": tight, "runs.jsonl": lines(history("fold", 40, seed=3))})
    (said,) = re.findall(r"p95 (\w+)", anchorlint("check", "--select", "SCH401", "--as-of", "2026-11-30").stdout)
    row = next(line for line in anchorlint("runs", "show").stdout.splitlines() if line.startswith("fold "))
    assert row.split()[3] == said


def test_the_table_says_what_is_missing(project: Project, anchorlint: Anchorlint) -> None:
    rows = [row for row in history("fold", 9, seed=1) if row["status"] != "skipped"][:3]
    project({"schedules.toml": MANIFEST, "runs.jsonl": lines(rows)})
    done = anchorlint("runs", "show")
    assert done.exit_code == 0
    assert "too few runs to report anything (5 with a length are needed): fold\n" in done.stdout
    assert "schedules.toml:6: no recorded runs of press: write schedule_id" in done.stdout
    assert "attic" not in done.stdout


EXPORTED = {
    ".github/workflows/rinse.yml": ("on: {schedule: [{cron: '5 4 * * *'}]}\njobs: {a: {steps: [{run: x}]}}\n", "gh"),
    "rinse.timer": ("[Timer]\nOnCalendar=daily\n", "journalctl"),
    "dags/rinse.py": ("from airflow import DAG\nwith DAG('rinse', schedule='@daily'):\n    pass\n", "airflow"),
    "k8s.yaml": (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: r}\nspec: {schedule: '5 4 * * *'}\n",
        "kubectl",
    ),
    "jobs.sql": ("SELECT cron.schedule('rinse', '5 4 * * *', 'VACUUM');\n", "psql"),
    "prefect.yaml": (
        "deployments: [{name: a, entrypoint: 'f.py:f', schedules: [{cron: '5 4 * * *'}]}]\n",
        "anchorlint",
    ),
    "defs.py": (
        "from dagster import ScheduleDefinition as S\nx = S(job_name='x', cron_schedule='5 4 * * *')\n",
        "curl",
    ),
    "beat.py": (
        "from celery import Celery\nfrom celery.schedules import crontab\napp = Celery()\n"
        'app.conf.beat_schedule = {"r": {"task": "r", "schedule": crontab(minute=5)}}\n',
        "curl",
    ),
}


@pytest.mark.parametrize("path", EXPORTED)
def test_a_schedule_without_runs_is_named_with_its_export(project: Project, anchorlint: Anchorlint, path: str) -> None:
    text, tool = EXPORTED[path]
    project({path: text})
    found = json.loads(anchorlint("runs", "show", "--no-cache", "--output-format", "json").stdout)
    (row,) = found["schedules"]
    assert shlex.split(row["export"], comments=True)[0] == tool
    for command in (("runs", "show"), ("check", "-v", "--no-cache")):
        done = anchorlint(*command)
        assert f": export them with `{row['export']}`\n" in done.stdout + done.stderr


def test_runs_that_were_named_and_match_nothing_are_an_error(project: Project, anchorlint: Anchorlint) -> None:
    project({"schedules.toml": MANIFEST, "other.csv": "schedule_id,status\nelsewhere,completed\n"})
    done = anchorlint("runs", "show", "--runs", "other.csv")
    assert done.exit_code == 2
    assert "error: other.csv:1:1: nothing here records a run of a known schedule" in done.stderr
    assert "no recorded runs of fold" in done.stdout
    lost = anchorlint("runs", "show", "--runs", "gone.csv")
    assert lost.exit_code == 2
    assert "error: gone.csv: " in lost.stderr


def test_without_schedules_there_is_nothing_to_show(project: Project, anchorlint: Anchorlint) -> None:
    project({"a.py": "x = 1\n"})
    done = anchorlint("runs", "show")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no schedules there" in done.stderr
