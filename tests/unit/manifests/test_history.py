"""Recorded runs: native forms, words for endings, whose runs they are, and what is wrong with a file."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from anchorlint.domain.schedule import Ending
from anchorlint.manifests import read_manifests
from anchorlint.manifests.history import read_runs
from unit.manifests.timetables import AS_OF

ROWS = [
    ("close", "2026-11-01T16:00:00Z", "2026-11-01T16:00:02Z", "2026-11-01T16:12:02Z", "completed"),
    ("close", "2026-11-02T16:00:00Z", "2026-11-02T11:00:02-05:00", "2026-11-02T11:20:02-05:00", "failed"),
    ("close", "2026-11-03T16:00:00Z", "", "", "skipped"),
    ("close", "2026-11-04T16:00:00Z", "2026-11-04T16:00:00", "2026-11-04T16:30:00", "timed_out"),
]
COLUMNS = ["schedule_id", "scheduled_for", "started_at", "finished_at", "status"]
HEADER = ",".join(COLUMNS) + "\n"


def test_the_three_forms_say_the_same() -> None:
    table = HEADER + "".join(",".join(row) + "\n" for row in ROWS)
    dicts = [{key: value or None for key, value in zip(COLUMNS, row, strict=True)} for row in ROWS]
    lines = "\n".join(map(json.dumps, dicts)) + "\n"
    read = [read_runs(text, "runs") for text in (table, lines, json.dumps(dicts, indent=1), "\ufeff" + table)]
    assert all(records == read[0] for records in read)
    runs = read[0].runs
    assert not read[0].problems
    assert [run.duration_s for run in runs] == [720.0, 1200.0, None, 1800.0]
    assert [run.ending for run in runs] == [Ending.COMPLETED, Ending.FAILED, Ending.NONE, Ending.CUT]
    assert runs[3].started_at == datetime(2026, 11, 4, 16, tzinfo=UTC)


def test_columns_in_any_order_and_epoch_seconds() -> None:
    text = "status,finished_at,schedule_id,started_at\nsuccess,2026-11-01T00:10:00Z,a,2026-11-01T00:00:00Z\n"
    (run,) = read_runs(text, "runs.csv").runs
    assert (run.duration_s, run.scheduled_for) == (600.0, None)
    (run,) = read_runs('{"schedule_id": "a", "started_at": 1000, "finished_at": 1600.5, "status": "ok"}', "x").runs
    assert run.duration_s == 600.5


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "empty"),
        (" \n\n", 1, "empty"),
        (HEADER, 1, "no recorded run"),
        ("[]", 1, "no recorded run"),
        ("name,when\na,b\n", 1, "schedule_id, scheduled_for"),
        ("hello", 1, "schedule_id, scheduled_for"),
        ('{"a": 1', 1, "no JSON"),
        (HEADER + "a,,,\n", 2, "cut or broken"),
        (HEADER + "a,,2026-13-01T00:00:00Z,2026-11-01T00:00:00Z,completed\n", 2, "no instant"),
        (HEADER + "a,,2026-11-02T00:00:00Z,2026-11-01T00:00:00Z,completed\n", 2, "before started_at"),
        (HEADER + "a,,2026-11-01T00:00:00Z,2026-11-01T00:10:00Z,fine\n", 2, 'status "fine"'),
        (HEADER + ",,2026-11-01T00:00:00Z,2026-11-01T00:10:00Z,failed\n", 2, "without schedule_id"),
        ('{"schedule_id": "a", "status": "skipped"}\n{"schedule_id": \n', 2, "cut or broken"),
        ('[{"schedule_id": "a", "status": "skipped"},\n {"schedule_id": ]', 2, "cut or broken"),
        ('[{"schedule_id": "a", "status": "skipped"}', 1, "cut or broken"),
        ('{"schedule_id": "a", "status": "skipped"}\n[1]\n', 2, "cut or broken"),
    ],
)
def test_bad_files(text: str, line: int, words: str) -> None:
    (problem,) = read_runs(text, "r").problems
    assert (problem.path, problem.line) == ("r", line)
    assert words in problem.message


def test_many_bad_rows_are_counted() -> None:
    good = "a,,2026-11-01T00:00:00Z,2026-11-01T00:10:00Z,failed\n"
    records = read_runs(HEADER + good + "x\n" * 20 + good, "r")
    assert len(records.runs) == 2
    assert len(records.problems) == 6
    assert records.problems[-1].message == "15 more recorded runs cannot be read"


MANIFEST = "schedules: [{id: close, every: 1h}, {id: other, every: 1h}]"


def runs(id_: str, count: int, first: datetime = datetime(2026, 11, 1, tzinfo=UTC)) -> str:
    starts = [first + timedelta(hours=hour) for hour in range(count)]
    rows = [f"{id_},,{at.isoformat()},{(at + timedelta(minutes=5)).isoformat()},failed" for at in starts]
    return HEADER + "\n".join(rows) + "\n"


def counts(sources: dict[str, str], recorded: list[tuple[str, str, bool]]) -> tuple[list[int], tuple[str, ...]]:
    table = read_manifests(sources.items(), recorded, AS_OF)
    assert not table.problems
    return [len(table.runs(schedule)) for schedule in table.schedules], table.unmatched_runs


def test_runs_beside_a_manifest_are_its_own() -> None:
    two = {"a/schedules.yaml": MANIFEST, "b/schedules.yaml": MANIFEST}
    assert counts(two, [("a/runs.csv", runs("close", 3), False)]) == ([3, 0, 0, 0], ())
    assert counts(two, [("b/exports/runs.csv", runs("close", 3), True)]) == ([0, 0, 3, 0], ())
    assert counts(two, [("runs.csv", runs("close", 3), True)]) == ([3, 0, 3, 0], ())
    assert counts(two, [("c/runs.csv", runs("close", 3), False)]) == ([0, 0, 0, 0], ())


def test_one_file_or_run_counts_once() -> None:
    one = {"schedules.yaml": MANIFEST}
    file = runs("close", 3)
    assert counts(one, [("runs.csv", file, False), ("./runs.csv", file, True)]) == ([3, 0], ())
    later = runs("close", 3, datetime(2026, 11, 1, 1, tzinfo=UTC))
    assert counts(one, [("one.csv", file, True), ("two.csv", later, True)]) == ([4, 0], ())


def test_a_named_file_has_to_match_something() -> None:
    one = {"schedules.yaml": MANIFEST}
    assert counts(one, [("old.csv", runs("gone", 3), True)]) == ([0, 0], ("old.csv",))
    mixed = runs("gone", 3) + runs("close", 1).removeprefix(HEADER)
    assert counts(one, [("old.csv", mixed, True)]) == ([1, 0], ())
    assert counts(one, [("runs.csv", runs("gone", 3), False)]) == ([0, 0], ())


def test_a_file_that_merely_lies_there_is_no_problem() -> None:
    table = read_manifests([("schedules.yaml", MANIFEST)], [("runs.json", '{"my": "own"}', False)], AS_OF)
    assert not table.problems
    assert [schedule.id for schedule in table.without_runs] == ["close", "other"]
