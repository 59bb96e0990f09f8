"""`runs import`: an export means the same after its import, and what is no export is said with its place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from anchorlint.manifests.history import read_runs

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


BEGIN, END = "2026-11-20T04:05:02Z", "2026-11-20T04:25:02Z"
GH = {"conclusion": "success", "event": "schedule", "startedAt": BEGIN, "updatedAt": END, "workflowName": "Rinse"}
DAG = {"dag_id": "rinse", "run_id": "r", "state": "failed", "start_date": BEGIN, "end_date": END}
FLOW = {"deployment_name": "rinse", "expected_start_time": BEGIN, "start_time": BEGIN, "end_time": END}
JOB = {
    "kind": "Job",
    "metadata": {"name": "rinse-29400120", "ownerReferences": [{"kind": "CronJob", "name": "rinse"}]},
    "status": {"startTime": BEGIN, "completionTime": END},
}
ENTRY = {"UNIT": "rinse.service", "INVOCATION_ID": "i"}
JOURNAL = [
    {**ENTRY, "__REALTIME_TIMESTAMP": "1763611502000000", "MESSAGE_ID": "7d4958e842da4a758f6c1cdc7b36dcc5"},
    {**ENTRY, "__REALTIME_TIMESTAMP": "1763612702000000", "MESSAGE_ID": "39f53479d3a045ac8e11786248231fbf"},
]
TASK = {"uuid": "u", "name": "rinse", "received": 1.0, "started": 2.0, "succeeded": 1202.0, "state": "SUCCESS"}
DAGSTER = {"runId": "1", "jobName": "rinse", "status": "SUCCESS", "startTime": 2.5, "endTime": 1202.5, "tags": []}
NATIVE = [
    {"schedule_id": "rinse", "started_at": BEGIN, "finished_at": END, "status": status}
    for status in ("completed", "failed", "timed_out", "skipped")
]
EXPORTS = {
    "gh": json.dumps([GH, {**GH, "conclusion": "cancelled"}, {**GH, "event": "workflow_dispatch"}]),
    "kubectl": json.dumps({"kind": "List", "items": [JOB]}, indent=2),
    "airflow 2": "[2026-11-30] INFO - loading\n" + json.dumps([{**DAG, "execution_date": BEGIN}]),
    "airflow 3": json.dumps([{**DAG, "run_after": BEGIN, "logical_date": BEGIN}]),
    "journalctl": lines(JOURNAL),
    "pg_cron": "jobid,runid,status,start_time,end_time,return_message,jobname\n"
    "1,9,failed,2026-11-20 04:05:02+00,2026-11-20 04:25:02+00,canceling statement due to timeout,rinse\n",
    "flower": json.dumps({"u": TASK}),
    "prefect": json.dumps([{**FLOW, "state_type": "COMPLETED"}]),
    "dagster": json.dumps({"data": {"runsOrError": {"results": [DAGSTER]}}}),
    "native": lines(NATIVE),
}


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize("tool", EXPORTS)
def test_an_export_means_the_same_after_its_import(
    project: Project, anchorlint: Anchorlint, tool: str, ending: str
) -> None:
    project({"export": EXPORTS[tool]})
    done = anchorlint("runs", "import", "export", "-o", f"out.{ending}")
    assert done.exit_code == 0, done.stderr
    before = read_runs(EXPORTS[tool], "export")
    after = read_runs(Path(f"out.{ending}").read_text(encoding="utf-8"), "out")
    assert not after.problems
    assert len(after.runs) > 0
    assert sorted(after.runs, key=repr) == sorted(before.runs, key=repr)
    assert f"{len(after.runs)} run" in done.stderr


def test_a_database_is_imported(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({})
    with sqlite3.connect(folder / "airflow") as connection:
        connection.execute("create table dag_run (dag_id, state, run_after, start_date, end_date)")
        row = ("rinse", "success", "2026-11-20 04:05:00", "2026-11-20 04:05:02", "2026-11-20 04:25:02")
        connection.execute("insert into dag_run values (?, ?, ?, ?, ?)", row)
    connection.close()
    done = anchorlint("runs", "import", "airflow")
    assert json.loads(done.stdout) == {
        "schedule_id": "rinse",
        "scheduled_for": "2026-11-20T04:05:00Z",
        "started_at": BEGIN,
        "finished_at": END,
        "status": "completed",
    }


def test_columns_are_five_where_nothing_else_is_known(project: Project, anchorlint: Anchorlint) -> None:
    project({"dags.json": EXPORTS["airflow 3"], "gh.json": EXPORTS["gh"]})
    assert anchorlint("runs", "import", "dags.json", "-o", "a.csv").exit_code == 0
    assert anchorlint("runs", "import", "gh.json", "-o", "b.csv").exit_code == 0
    five = ["schedule_id", "scheduled_for", "started_at", "finished_at", "status"]
    assert Path("a.csv").read_text().splitlines()[0].split(",") == five
    assert Path("b.csv").read_text().splitlines()[0].split(",") == [*five, "perhaps_waited", "by_clock"]


def test_importing_again_adds_only_what_is_new(project: Project, anchorlint: Anchorlint) -> None:
    going_on = {**DAG, "state": "running", "end_date": ""}
    later = [DAG, {**DAG, "start_date": "2026-11-21T04:05:00Z", "end_date": "2026-11-21T04:06:00Z"}]
    project({"one.json": json.dumps([going_on]), "two.json": json.dumps(later)})
    assert anchorlint("runs", "import", "one.json", "-o", "runs.jsonl").exit_code == 0
    assert json.loads(Path("runs.jsonl").read_text())["status"] == "running"
    for _ in range(2):
        done = anchorlint("runs", "import", "runs.jsonl", "two.json", "-o", "runs.jsonl")
        assert done.exit_code == 0
        kept = [json.loads(line) for line in Path("runs.jsonl").read_text().splitlines()]
        assert [(row["started_at"], row["status"]) for row in kept] == [
            (BEGIN, "failed"),
            ("2026-11-21T04:05:00Z", "failed"),
        ]


def test_standard_input(project: Project, anchorlint: Anchorlint) -> None:
    project({})
    done = anchorlint("runs", "import", "-", given=EXPORTS["flower"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["finished_at"] == "1970-01-01T00:20:02Z"


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("schedules = []\n", "export:1:1", "no recorded runs in a known form"),
        ("", "export:1:1", "the file of recorded runs is empty"),
        ('\n[{"dag_id": tru', "export:2:13", "the recorded runs are no JSON"),
        ('[{"name": "x"}]', "export:1:1", "no recorded runs in a known form"),
        ("\x00\x01", "export:1:1", "no recorded runs in a known form"),
    ],
)
def test_what_is_no_export_is_said_with_its_place(
    project: Project, anchorlint: Anchorlint, text: str, place: str, why: str
) -> None:
    project({"export": text, "good.json": EXPORTS["airflow 3"], "runs.jsonl": "kept\n"})
    done = anchorlint("runs", "import", "good.json", "export", "-o", "runs.jsonl")
    assert done.exit_code == 2
    assert f"error: {place}: {why}" in done.stderr
    assert "nothing is written, because there are no runs in export" in done.stderr
    assert Path("runs.jsonl").read_text() == "kept\n"


def test_files_that_cannot_be_read(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({})
    (folder / "latin.csv").write_bytes(b"schedule_id,status\ncaf\xe9,completed\n")
    (folder / "other.db").write_bytes(b"SQLite format 3\0" + b"\1" * 200)
    for name, said in [("gone", "gone:1: cannot"), ("latin.csv", "latin.csv:2: byte 0xe9"), ("other.db", "database")]:
        done = anchorlint("runs", "import", name)
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr


def test_a_broken_record_is_said_and_the_others_are_written(project: Project, anchorlint: Anchorlint) -> None:
    backwards = {**DAG, "start_date": END, "end_date": BEGIN}
    project({"dags.json": json.dumps([DAG, {**DAG, "end_date": "soon"}, backwards])})
    done = anchorlint("runs", "import", "dags.json")
    assert done.exit_code == 2
    assert "error: dags.json: 1 of 3 records of this export cannot be read" in done.stderr
    assert "error: dags.json: 1 of 2 runs end before they start and are left out" in done.stderr
    assert [json.loads(line)["started_at"] for line in done.stdout.splitlines()] == [BEGIN]


def test_since_leaves_out_what_began_before(project: Project, anchorlint: Anchorlint) -> None:
    project({"runs.jsonl": EXPORTS["native"], "dags.json": EXPORTS["airflow 3"]})
    assert anchorlint("runs", "import", "runs.jsonl", "--since", BEGIN).stdout.count("rinse") == 4
    done = anchorlint("runs", "import", "runs.jsonl", "dags.json", "--since", "2026-11-21")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there are no runs since 2026-11-21T00:00:00+00:00 in runs.jsonl, dags.json" in done.stderr


def test_only_endings_that_are_written(project: Project, anchorlint: Anchorlint) -> None:
    project({"dags.json": EXPORTS["airflow 3"]})
    done = anchorlint("runs", "import", "dags.json", "-o", "runs.xlsx")
    assert done.exit_code == 2
    assert not Path("runs.xlsx").exists()
