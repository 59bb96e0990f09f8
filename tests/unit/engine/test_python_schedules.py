"""Schedules in Python within a run: comments, test modules, runs beside them, the cache, and entrypoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anchorlint.domain.report import Report
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.settings import Said
from harness import AS_OF
from unit.manifests.timetables import csv, daily

Project = Callable[[Mapping[str, str]], Path]
BEAT = """\
from celery.schedules import crontab
from jobs.times import HOUR
beat_schedule = {
    "sweep": {"task": "jobs.work.sweep", "schedule": crontab(hour=HOUR)},COMMENT
}
"""


def checked(**more: object) -> Report:
    said = Said(select=("SCH", "ANL"))
    return run(Request(as_of=AS_OF, jobs=1, said=said, **{"use_cache": False, **more}))


def marks(report: Report) -> list[tuple[str, int, str]]:
    return [(f.span.path, f.span.start.line, f.code) for f in report.findings]


def files(hour: int = 24, comment: str = "", name: str = "jobs/beat.py") -> dict[str, str]:
    return {"jobs/__init__.py": "", "jobs/times.py": f"HOUR = {hour}\n", name: BEAT.replace("COMMENT", comment)}


def test_they_are_checked_with_constants_of_other_modules(project: Project) -> None:
    project(files())
    report = checked()
    assert marks(report) == [("jobs/beat.py", 4, "SCH416")] and report.summary.schedules == 1


def test_comments_hold_findings_back_and_are_judged(project: Project) -> None:
    project(files(comment="  # anchorlint: ignore[SCH416] refused on purpose"))
    assert marks(checked()) == []
    project(files(hour=3, comment="  # anchorlint: ignore[SCH416] refused on purpose"))
    assert [code for *_, code in marks(checked())] == ["ANL001"]


def test_test_modules_hold_no_schedules(project: Project) -> None:
    project(files(name="jobs/test_beat.py"))
    assert marks(checked()) == [] and checked().summary.schedules == 0


@pytest.mark.parametrize("changed", [False, True])
def test_a_warm_run_says_the_same_and_sees_a_changed_constant(project: Project, changed: bool) -> None:
    project(files())
    cold = checked(use_cache=True)
    if changed:
        project(files(hour=3))
    warm = checked(use_cache=True)
    assert len(marks(cold)) == 1 and marks(warm) == ([] if changed else marks(cold))
    assert warm.summary.schedules == 1


def test_runs_beside_the_file_are_found(project: Project) -> None:
    project(files(hour=3) | {"jobs/runs.csv": csv(daily("sweep", [20.0] * 25))})
    # crontab(hour=3) fires in every minute of that hour
    assert marks(checked()) == [("jobs/beat.py", 4, "SCH402")]


def test_a_fault_of_ours_hides_nothing_else(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    project(files() | {"schedules.yaml": 'schedules: [{id: a, workflow: a, cron: "61 4 * * *"}]\n'})
    monkeypatch.setattr("anchorlint.engine.python_schedules.read_schedules", broken)
    report = checked()
    assert [code for *_, code in marks(report)] == ["SCH416"]
    assert [problem.message for problem in report.problems] == [
        "internal error while reading schedules in Python: ZeroDivisionError: oops"
    ]
