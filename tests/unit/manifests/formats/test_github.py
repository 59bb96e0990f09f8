"""GitHub Actions: crons, groups, workflow_run, artifacts that expire, and the newest run of another workflow."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from anchorlint.domain.schedule import Busy, Schedule
from anchorlint.manifests import read_manifests
from anchorlint.manifests.timetable import Timetable
from unit.manifests.timetables import AS_OF, found, marks, timetable

FOLDER = ".github/workflows/"


def workflows(**texts: str) -> Timetable:
    return timetable({f"{FOLDER}{name}.yml": text for name, text in texts.items()})


def one(text: str) -> Schedule:
    (schedule,) = workflows(job=text).schedules
    return schedule


def cron(expression: str, more: str = "", name: str = "tidy") -> str:
    return f'name: {name}\non:\n  schedule:\n    - cron: "{expression}"\n{more}'


def test_a_cron_with_its_zone() -> None:
    schedule = one('on:\n  schedule:\n    - cron: "30 2 * * *"\n      timezone: Europe/Lisbon\n')
    assert schedule.firing is not None
    assert (schedule.id, schedule.firing.zone, schedule.firing.span.start.line) == (
        f"{FOLDER}job.yml",
        "Europe/Lisbon",
        3,
    )


def test_flow_style_and_anchors() -> None:
    table = workflows(job="x-at: &at {cron: '1 2 * * *'}\non: {schedule: [*at, {cron: '1 4 * * 7'}]}\n")
    assert [s.firing.expression for s in table.schedules if s.firing] == ["1 2 * * *", "1 4 * * 7"]
    assert marks(table, "SCH416") == [(2, "SCH416")]


@pytest.mark.parametrize(
    ("expression", "reported"),
    [("*/3 * * * *", True), ("@daily", True), ("0 0 * * 7", True), ("0 0 31 4 *", True), ("*/5 * * * 1-5", False)],
)
def test_what_github_refuses(expression: str, reported: bool) -> None:
    assert bool(found(workflows(job=cron(expression)), "SCH416")) is reported


def test_a_schedule_that_is_no_list() -> None:
    assert marks(workflows(job='on:\n  schedule:\n    cron: "1 2 * * *"\n')) == [(2, "SCH418")]
    assert marks(workflows(job="on:\n  schedule:\n    - timezone: UTC\n")) == [(3, "SCH418")]


@pytest.mark.parametrize(
    ("concurrency", "busy"),
    [
        ("", Busy.ALLOW),
        ("concurrency: tidy\n", Busy.QUEUE),
        ("concurrency:\n  group: tidy\n  cancel-in-progress: true\n", Busy.CANCEL),
        ("concurrency:\n  group: tidy\n  cancel-in-progress: ${{ github.event_name == 'pull_request' }}\n", Busy.QUEUE),
        ("concurrency:\n  group: tidy\n  cancel-in-progress: ${{ github.event_name != 'push' }}\n", Busy.CANCEL),
        ("concurrency: tidy-${{ github.run_id }}\n", Busy.ALLOW),
        ("jobs:\n  a:\n    concurrency: {group: tidy, cancel-in-progress: true}\n", Busy.CANCEL),
        ("jobs:\n  a:\n    concurrency: tidy\n  b:\n    runs-on: x\n", Busy.ALLOW),
    ],
)
def test_what_becomes_of_a_second_run(concurrency: str, busy: Busy) -> None:
    assert one(cron("1 2 * * *", concurrency)).busy is busy


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("deploy", "Deploy", True),
        ("${{ github.workflow }}-${{ github.ref }}", "${{ github.workflow }}-${{ github.ref }}", False),
        ("x-${{ github.head_ref || github.ref }}", "x-${{ github.ref }}", True),
        ("x-${{ vars.POOL }}", "x-${{ vars.POOL }}", False),
    ],
)
def test_groups_across_files(first: str, second: str, same: bool) -> None:
    table = workflows(
        a=cron("1 2 * * *", f"concurrency: {first}\n", "a"), b=cron("1 3 * * *", f"concurrency: {second}\n", "b")
    )
    assert (len({schedule.workflow for schedule in table.schedules}) == 1) is same


AFTER = "name: after\non:\n  workflow_run:\n    workflows:\n      - {}\n    types: [completed]\n"


@pytest.mark.parametrize(
    ("named", "reported"),
    [("tidy", False), ("Tidy", True), ("a push", False), ("pages-build-deployment", False), ("'tidy *'", False)],
)
def test_workflow_run_names_a_workflow(named: str, reported: bool) -> None:
    others = {"job": cron("1 2 * * *"), "push": "name: 'a push'  # twice\non: push\n"}
    assert bool(marks(workflows(after=AFTER.format(named), **others))) is reported


def test_workflow_run_waits_for_any_and_not_for_all() -> None:
    monday, friday = cron("1 2 * * 1", name="one"), cron("1 2 * * 5", name="two")
    assert not marks(workflows(a=monday, b=friday, after=AFTER.format("one\n      - two")))


def test_two_that_only_start_each_other() -> None:
    ring = {"a": AFTER.format("b").replace("after", "a"), "b": AFTER.format("a").replace("after", "b")}
    assert marks(workflows(**ring)) == [(5, "SCH405")]
    assert not marks(workflows(a=ring["a"], b=ring["b"].replace("on:\n", "on:\n  push:\n")))


TAKES = """jobs:
  a:
    steps:
      - run: |
          id=$(gh run list --json databaseId -w {} -L 1)
          {}
"""


@pytest.mark.parametrize(
    ("own", "theirs", "script", "reported"),
    [
        ("0 6 * * *", "0 2 * * *", "gh run download $id", True),
        ("0 6 * * 1", "0 2 * * 1", "gh api repos/o/r/actions/runs/$id/artifacts", True),
        ("0 6 * * *", "0 2 * * *", "echo $id", False),
        ("0 6 * * *", "0 2 * * *", "gh run watch $id && gh run download $id", False),
        ("0 6 * * *", "0 * * * *", "gh run download $id", False),
        ("*/20 * * * *", "0 2 * * *", "gh run download $id", False),
    ],
)
def test_the_newest_run_of_another_one(own: str, theirs: str, script: str, reported: bool) -> None:
    table = workflows(source=cron(theirs, name="source"), taker=cron(own, TAKES.format("source.yml", script), "taker"))
    assert marks(table, "SCH414") == ([(9, "SCH414")] if reported else [])


def test_the_newest_run_of_a_push_is_what_it_says() -> None:
    table = workflows(
        source="name: source\non: push\n", taker=cron("0 6 * * *", TAKES.format("source", "gh run download"))
    )
    assert not marks(table)


KEEPS = """jobs:
  a:
    steps:
      - uses: dawidd6/action-download-artifact@v11
        with: {{workflow: {workflow}, name: size}}
      - uses: actions/upload-artifact@v5
        with: {{name: "{name}", path: out{days}}}
"""


@pytest.mark.parametrize(
    ("expression", "name", "days", "reported"),
    [
        ("0 6 * * 1", "size", ", retention-days: 6", True),
        ("0 6 * * 1", "size", ", retention-days: 7", False),
        ("0 6 * * 1", "other", ", retention-days: 6", False),
        ("0 6 * * 1", "si${{ matrix.x }}", ", retention-days: 6", True),
        ("0 6 * * 1", "size", ", retention-days: ${{ vars.DAYS }}", False),
        ("0 6 1 */3 *", "size", "", True),
        ("0 6 1 */2 *", "size", "", False),
    ],
)
def test_an_artifact_of_the_run_before(expression: str, name: str, days: str, reported: bool) -> None:
    text = cron(expression, KEEPS.format(workflow="job.yml", name=name, days=days))
    assert bool(marks(workflows(job=text), "SCH417")) is reported


def test_an_artifact_of_another_workflow() -> None:
    writer = cron("0 1 * * 1", KEEPS.format(workflow="no.yml", name="size", days=", retention-days: 3"), "writer")
    reader = cron("0 1 * * 5", KEEPS.format(workflow="writer.yml", name="x", days=""), "reader")
    (finding,) = found(workflows(writer=writer, reader=reader), "SCH417")
    assert "size is kept for 3d, and up to 4d pass from writer to reader" in finding.message
    assert finding.span.path == f"{FOLDER}writer.yml"
    assert not found(workflows(writer=writer.replace("on:\n", "on:\n  push:\n"), reader=reader), "SCH417")


def test_an_artifact_that_is_taken_by_its_name_alone() -> None:
    writer = cron("0 1 * * *", KEEPS.format(workflow="no.yml", name="size", days=""), "writer")
    script = "jobs:\n  a:\n    steps:\n      - run: {}\n"
    for call in ("gh run download -n size -D out", "gh api 'repos/o/r/actions/artifacts?per_page=1&name=size'"):
        (finding,) = found(workflows(writer=writer, reader=cron("0 5 * * *", script.format(call), "reader")), "SCH414")
        assert "no proof that writer has ended" in finding.message
        assert finding.span.start.line == 8
    for call in ("gh run download 7 -n size", "gh run download -n other", "gh run download -R o/r -n size"):
        assert not found(workflows(writer=writer, reader=cron("0 5 * * *", script.format(call), "reader")), "SCH414")
    own = cron(
        "0 1 * * *",
        KEEPS.format(workflow="no.yml", name="size", days="") + script[16:].format("gh run download -n size"),
    )
    assert not found(workflows(job=own), "SCH414")


CACHE = """jobs:
  a:
    steps:
      - uses: actions/cache@v4
        with: {{path: state, key: "{key}"{more}}}
"""


@pytest.mark.parametrize(
    ("expression", "key", "more", "reported"),
    [
        ("0 6 1,15 * *", "state-${{ github.run_id }}", ", restore-keys: state-", True),
        ("0 6 1 * *", "state", ", fail-on-cache-miss: true", True),
        ("0 6 * * 1", "state-${{ github.run_id }}", "", False),
        ("0 6 1 * *", "pip-${{ hashFiles('x') }}", "", False),
    ],
)
def test_a_cache_that_carries_state(expression: str, key: str, more: str, reported: bool) -> None:
    text = cron(expression, CACHE.format(key=key, more=more))
    assert bool(marks(workflows(job=text), "SCH417")) is reported
    assert not marks(workflows(job=text.replace("on:\n", "on:\n  push:\n")), "SCH417")


def gh(start: datetime, minutes: float, **more: Any) -> dict[str, Any]:
    at = [f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in (start, start + timedelta(minutes=minutes))]
    record = {"conclusion": "success", "event": "schedule", "workflowName": "tidy"}
    return {**record, "startedAt": at[0], "updatedAt": at[1], **more}


def test_runs_of_a_file_with_two_crons() -> None:
    text = 'name: tidy\non:\n  schedule:\n    - cron: "5 1 * * *"\n    - cron: "5 13 * * *"\n'
    days = [AS_OF - timedelta(days=day) for day in range(1, 21)]
    records = [gh(day + timedelta(hours=1, minutes=25), 50) for day in days]
    records += [gh(day + timedelta(hours=14), 5) for day in days]
    records += [gh(day + timedelta(hours=22), 90) for day in days]  # too late to be told apart
    records += [gh(day + timedelta(hours=2), 70, event="workflow_dispatch") for day in days]
    table = read_manifests([(f"{FOLDER}job.yml", text)], [("r.json", json.dumps(records), True)], AS_OF)
    assert [table.record(schedule).lengths_s for schedule in table.schedules] == [(3000.0,) * 20, (300.0,) * 20]
    assert not table.unmatched_runs


def test_broken_workflows_are_problems_and_templates_are_not() -> None:
    broken = timetable({f"{FOLDER}x.yml": "on:\n  schedule: [\n    ${{ x }}\n"})
    assert [problem.path for problem in broken.problems] == [f"{FOLDER}x.yml"]
    template = timetable({f"{FOLDER}x.yml": "on:\n  schedule:\n    - cron: {{ cron }} x\n"})
    assert not template.problems
    assert [skipped.why for skipped in template.skipped] == ["a template, not checked"]


def many(count: int) -> Mapping[str, str]:
    steps = "".join(
        f"      - name: step {n}\n        run: |\n          make {n}\n          echo {n}\n" for n in range(25)
    )
    jobs = f"concurrency: x\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n{steps}"
    return {f"{FOLDER}w{n}.yml": cron(f"{n % 60} 4 * * *", jobs, f"w{n}") for n in range(count)}


def test_two_hundred_workflows_take_less_than_a_second() -> None:
    files = many(200)
    start = time.process_time()
    table = read_manifests(files.items(), [], datetime(2026, 11, 30, tzinfo=UTC))
    found(table)
    assert len(table.schedules) == 200
    assert time.process_time() - start < 1
