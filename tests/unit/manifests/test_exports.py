"""Raw exports of recorded runs, each known by its shape and read for what its tool means."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from anchorlint.domain.schedule import Busy, Ending, Run
from anchorlint.manifests.history import read_runs
from anchorlint.manifests.record import record


def runs(text: str) -> list[tuple[str, str, float | None]]:
    records = read_runs(text, "export")
    assert not records.problems
    return [(run.schedule, run.ending.value, run.duration_s) for run in records.runs]


def gh(conclusion: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    day = "2026-11-29T"
    return {
        "attempt": 1,
        "conclusion": conclusion,
        "createdAt": day + start,
        "event": "schedule",
        "workflowName": "Sync",
        "startedAt": day + start,
        "updatedAt": day + end,
        "status": "completed",
        **more,
    }


GH = [
    gh("", "12:00:00Z", "12:00:05Z", status="in_progress"),
    gh("success", "11:00:00Z", "11:20:00Z"),
    gh("failure", "10:00:00Z", "10:01:00Z"),
    gh("cancelled", "09:00:00Z", "09:20:05Z"),
    gh("cancelled", "08:00:00Z", "08:00:04Z"),
    gh("timed_out", "07:00:00Z", "07:30:00Z"),
    gh("startup_failure", "06:00:00Z", "06:00:10Z"),
    gh("skipped", "05:00:00Z", "05:00:01Z"),
]


def test_github() -> None:
    assert runs(json.dumps(GH, indent=2)) == [
        ("Sync", "none", None),
        ("Sync", "completed", 1200.0),
        ("Sync", "failed", 60.0),
        ("Sync", "cut", 1205.0),
        ("Sync", "none", None),
        ("Sync", "cut", 1800.0),
        ("Sync", "none", None),
        ("Sync", "none", None),
    ]


def test_a_cancelled_run_of_a_queue_had_only_waited() -> None:
    found = read_runs(json.dumps(GH), "x").runs
    assert record(found, 30).lengths_s == (60.0, 1200.0, 1205.0, 1800.0)
    assert record(found, 30, queued=True).lengths_s == (60.0, 1200.0, 1800.0)
    assert Busy.QUEUE is not Busy.CANCEL


def job(name: str, owner: str | None, status: dict[str, Any], namespace: str | None = "ops") -> dict[str, Any]:
    meta: dict[str, Any] = {"name": name}
    if namespace:
        meta["namespace"] = namespace
    if owner:
        meta["ownerReferences"] = [{"kind": "CronJob", "name": owner}]
    return {"kind": "Job", "metadata": meta, "status": status}


def test_kubernetes() -> None:
    start = "2026-11-29T02:00:01Z"
    failed = {"type": "Failed", "status": "True", "lastTransitionTime": "2026-11-29T02:30:01Z"}
    jobs = [
        job("dump-29400120", "dump", {"startTime": start, "completionTime": "2026-11-29T02:10:01Z"}),
        job("dump-29401560", "dump", {"startTime": start, "conditions": [failed]}, namespace=None),
        job("dump-29403000", None, {"startTime": start, "conditions": [{**failed, "reason": "DeadlineExceeded"}]}),
        job("dump-29404440", "dump", {"startTime": start, "active": 1}),
        job("by-hand", None, {"startTime": start, "completionTime": "2026-11-29T02:10:01Z"}),
    ]
    text = json.dumps({"apiVersion": "v1", "items": jobs, "kind": "List"}, indent=4)
    assert runs(text) == [
        ("ops/dump", "completed", 600.0),
        ("dump", "failed", 1800.0),
        ("ops/dump", "cut", 1800.0),
        ("ops/dump", "none", None),
    ]
    assert read_runs(text, "x").runs[0].scheduled_for == datetime.fromtimestamp(29400120 * 60, UTC)


def test_airflow_two_and_three_with_log_lines() -> None:
    old = {
        "dag_id": "load",
        "run_id": "scheduled__1",
        "state": "success",
        "execution_date": "2026-11-27T04:00:00+00:00",
        "start_date": "2026-11-28T04:00:03+00:00",
        "end_date": "2026-11-28T04:30:03+00:00",
    }
    new = {
        **{k: v for k, v in old.items() if k != "execution_date"},
        "logical_date": "2026-11-28T04:00:00+00:00",
        "run_after": "2026-11-28T04:00:00+00:00",
        "state": "failed",
    }
    running = {**new, "state": "running", "end_date": ""}
    log = "[2026-11-30T09:00:00.000+0000] {dagbag.py:588} INFO - Filling up the DagBag\n"
    assert runs(log + json.dumps([old])) == [("load", "completed", 1800.0)]
    assert runs(json.dumps([new, running], indent=1)) == [("load", "failed", 1800.0), ("load", "none", None)]
    assert read_runs(json.dumps([old]), "x").runs[0].scheduled_for is None
    assert read_runs(json.dumps([new]), "x").runs[0].scheduled_for == datetime(2026, 11, 28, 4, tzinfo=UTC)
    by_hand = read_runs(json.dumps([{**new, "run_id": "manual__2026-11-28T04:00:00+00:00"}]), "x").runs[0]
    assert (by_hand.scheduled_for, by_hand.by_clock, by_hand.duration_s) == (None, False, 1800.0)


def line(message_id: str, second: float, invocation: str = "i1", **more: str) -> str:
    stamp = str(round((1_764_000_000 + second) * 1_000_000))
    return json.dumps(
        {
            "__REALTIME_TIMESTAMP": stamp,
            "UNIT": "dump.service",
            "INVOCATION_ID": invocation,
            "MESSAGE_ID": message_id,
            **more,
        }
    )


STARTING, STARTED = "7d4958e842da4a758f6c1cdc7b36dcc5", "39f53479d3a045ac8e11786248231fbf"
SUCCESS, FAILED = "7ad2d189f7e94e70a38c781354912448", "d9b373ed55a64feb8242e02dbe79a49c"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([line(STARTING, 0), line(SUCCESS, 599), line(STARTED, 600, MESSAGE="Finished dump")], [("completed", 600.0)]),
        ([line(STARTING, 0), line(STARTED, 600)], [("completed", 600.0)]),
        ([line(STARTING, 0), line(STARTED, 0.1, MESSAGE="Started dump"), line(SUCCESS, 90)], [("completed", 90.0)]),
        ([line(STARTING, 0), line(STARTED, 0.1, MESSAGE="Started dump")], [("none", None)]),
        ([line(STARTING, 0), line(FAILED, 30, UNIT_RESULT="exit-code")], [("failed", 30.0)]),
        ([line(STARTING, 0), line(FAILED, 30, UNIT_RESULT="timeout")], [("cut", 30.0)]),
        ([line(SUCCESS, 30)], [("none", None)]),
        ([line(STARTED, 9), line(STARTING, 0), line(STARTING, 20, "i2")], [("completed", 9.0), ("none", None)]),
    ],
)
def test_journal(lines: list[str], expected: list[tuple[str, float | None]]) -> None:
    noise = json.dumps({"__REALTIME_TIMESTAMP": "1764000000000000", "MESSAGE": "hello", "_PID": "77"})
    found = runs("\n".join([noise, *lines]) + "\n")
    assert [(how, length) for _, how, length in found] == expected
    assert {name for name, *_ in found} == {"dump.service"}


def test_pg_cron() -> None:
    text = (
        "jobid,jobname,runid,job_pid,database,username,command,status,return_message,start_time,end_time\n"
        '7,roll,1,9,shop,cron,"select 1, 2",succeeded,SELECT 1,2026-11-29 19:00:00.000000+00,2026-11-29 19:04:13.5+00\n'
        "7,roll,2,9,shop,cron,x,running,,2026-11-29 19:05:00+00,\n"
        "7,,3,9,shop,cron,x,failed,ERROR: canceling statement due to statement timeout,2026-11-29 19:05:00+00,"
        "2026-11-29 19:06:00+00\n"
    )
    assert runs(text) == [("roll", "completed", 253.5), ("roll", "none", None), ("7", "cut", 60.0)]


def test_flower() -> None:
    tasks = {
        "u1": {
            "uuid": "u1",
            "name": "shop.sync",
            "state": "SUCCESS",
            "received": 1.0,
            "started": 2.5,
            "succeeded": 62.5,
            "failed": None,
            "runtime": 60.1,
        },
        "u2": {
            "uuid": "u2",
            "name": "shop.sync",
            "state": "FAILURE",
            "received": 1.0,
            "started": 2.0,
            "succeeded": None,
            "failed": 12.0,
            "runtime": None,
        },
        "u3": {"uuid": "u3", "name": "shop.sync", "state": "RECEIVED", "received": 1.0, "started": None},
        "u4": {"uuid": "u4", "name": "shop.sync", "state": "REVOKED", "received": 1.0, "started": None, "revoked": 3.0},
    }
    assert runs(json.dumps(tasks)) == [
        ("shop.sync", "completed", 60.0),
        ("shop.sync", "failed", 10.0),
        ("shop.sync", "none", None),
        ("shop.sync", "none", None),
    ]


def test_prefect() -> None:
    stamps = {"expected_start_time": "2026-11-29T00:00:00Z", "start_time": "2026-11-29T00:00:05Z"}
    done = {**stamps, "id": "1", "deployment_id": "d-1", "end_time": "2026-11-29T00:10:05Z", "state_type": "COMPLETED"}
    late = {
        **stamps,
        "id": "2",
        "deployment_id": "d-1",
        "start_time": None,
        "end_time": None,
        "state_type": "SCHEDULED",
    }
    assert runs(json.dumps([done, late])) == [("d-1", "completed", 600.0), ("d-1", "none", None)]


def test_dagster() -> None:
    tags = [{"key": "dagster/schedule_name", "value": "nightly"}]
    results = [
        {"runId": "1", "jobName": "load", "status": "SUCCESS", "startTime": 10.0, "endTime": 70.5, "tags": tags},
        {"runId": "2", "jobName": "load", "status": "CANCELED", "startTime": 10.0, "endTime": 20.0, "tags": []},
        {"runId": "3", "jobName": "load", "status": "QUEUED", "startTime": None, "endTime": None, "tags": tags},
    ]
    expected = [("nightly", "completed", 60.5), ("load", "cut", 10.0), ("nightly", "none", None)]
    assert runs(json.dumps({"data": {"runsOrError": {"results": results}}})) == expected
    assert runs(json.dumps(results)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps([{**GH[1], "startedAt": "yesterday"}, GH[2]]), "1 of 2 records"),
        (json.dumps(GH)[:-40], "is cut off"),
        (json.dumps({"kind": "List", "items": []}), "holds no run"),
        (json.dumps({"data": {"runsOrError": {"message": "no"}}}), "holds no run"),
    ],
)
def test_broken_exports(text: str, words: str) -> None:
    (problem,) = read_runs(text, "x").problems
    assert words in problem.message


def test_ending_words_are_those_of_the_model() -> None:
    assert {run.ending for run in read_runs(json.dumps(GH), "x").runs} == set(Ending)
    assert Run(schedule="a", ending=Ending.CUT).duration_s is None
