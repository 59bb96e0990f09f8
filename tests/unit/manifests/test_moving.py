"""What SCH401 and SCH402 offer: once it is done, nothing of the kind is found any more, and no full hour is new."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from anchorlint.domain.finding import Finding, Severity
from anchorlint.engine.editing import edited
from unit.manifests.timetables import csv, daily, found, timetable

WORKFLOW = """\
name: {name}
on:
  schedule:
{crons}{more}jobs:
  a: {{runs-on: x, steps: [{{run: make}}]}}
"""


def manifest(*entries: str) -> str:
    return "schedules:\n" + "".join(f"  - {{{entry}, workflow: w}}\n" for entry in entries)


def offered(text: str, runs: str, code: str) -> tuple[Finding, str]:
    """The one finding, and the text once its fix is made, in which it has to be gone."""
    (finding,) = found(timetable(text, runs), code)
    assert finding.fix and not finding.fix.safe
    after, _ = edited(text, finding.fix.edits)
    assert not found(timetable(after, runs), code, "SCH416", "SCH418")
    return finding, after


@pytest.mark.parametrize(
    ("before", "minutes", "after"),
    [
        ("cron: '*/10 * * * *'", 12, "cron: '*/15 * * * *'"),
        ("cron: '*/20 * * * *'", 29, "cron: '*/30 * * * *'"),
        ("cron: '7-59/10 * * * *'", 17, "cron: '7-59/20 * * * *'"),
        ("cron: '* * * * *'", 3, "cron: '*/10 * * * *'"),
        ("cron: '*/20 * * * *'", 47, "cron: '20 * * * *'"),
        ("cron: '5 * * * *'", 75, "cron: '5 */2 * * *'"),
        ("cron: '0 */2 * * 1-5'", 170, "cron: '0 */3 * * 1-5'"),
        ("cron: '0 * * * *', timezone: Europe/Berlin", 100, "cron: '0 */3 * * *', timezone: Europe/Berlin"),
        ("every: 20m", 31, "every: 35m"),
    ],
)
def test_a_longer_period(before: str, minutes: float, after: str) -> None:
    """In Berlin two hours are one on a day in March."""
    runs = csv(daily("a", [minutes] * 20))
    finding, changed = offered(manifest(f"id: a, {before}"), runs, "SCH402")
    assert changed == manifest(f"id: a, {after}")
    expression = after.partition(", ")[0].partition(": ")[2].strip("'")
    assert finding.help and finding.help.endswith(f"between two firings of a, as {expression} does")


@pytest.mark.parametrize("firing", ["cron: '0 8,9 * * *'", "cron: '0 8-18 * * *'", "cron: '5 5 */7 * *'"])
def test_a_period_of_another_shape_is_left_to_people(firing: str) -> None:
    minutes = 70 if "*/7" not in firing else 49 * 60
    (finding,) = found(timetable(manifest(f"id: a, {firing}"), csv(daily("a", [minutes] * 20))), "SCH402")
    assert finding.fix is None
    assert finding.help and finding.help.endswith("between two firings of a")


def test_moved_past_the_run_before_it() -> None:
    text = manifest("id: a, cron: '50 3 * * *'", "id: b, cron: '0 4 * * 1-5'")
    finding, after = offered(text, csv(daily("a", [69] * 20)), "SCH401")
    assert after == text.replace("'0 4 * * 1-5'", "'5 5 * * 1-5'")
    assert finding.help and finding.help.startswith("move b to 05:05, or run it after a")


@pytest.mark.parametrize("known", [False, True])
def test_never_moved_into_another_ones_runs(known: bool) -> None:
    """The next free time lies within the runs of a third one, or its own runs would reach into that one."""
    text = manifest("id: a, cron: '50 3 * * *'", "id: b, cron: '0 4 * * *'", "id: c, cron: '15 5 * * *'")
    lengths = {"a": 69.0, "b": 14.0} if known else {"a": 69.0}
    runs = csv(run for name, length in lengths.items() for run in daily(name, [length] * 20))
    (finding,) = found(timetable(text, runs), "SCH401")
    assert (finding.fix is None) is known
    assert finding.help and finding.help.startswith("run b after a" if known else "move b to 05:05, or run it after a")


def test_random_ones_are_gone_once_done() -> None:
    chance, moved, longer = random.Random(401), 0, 0
    for _ in range(150):
        zone = chance.choice(["UTC", "Europe/Berlin", "America/Santiago"])
        first, second = chance.randrange(8 * 60), chance.randrange(8 * 60, 23 * 60)
        length = second - first + chance.randrange(1, 200)
        days = chance.choice(["*", "1-5", "6"])
        crons = [f"cron: '{at % 60} {at // 60} * * {days}', timezone: {zone}" for at in (first, second)]
        runs = csv(daily("a", [length] * 20))
        for finding in found(timetable(manifest(f"id: a, {crons[0]}", f"id: b, {crons[1]}"), runs), "SCH401"):
            if finding.fix and finding.fix.title.endswith(days):
                moved += 1
                minute = finding.fix.title.split()[1]
                _, after = offered(manifest(f"id: a, {crons[0]}", f"id: b, {crons[1]}"), runs, "SCH401")
                assert int(minute) % 5 == 0 and minute != "0"
                assert after.count(zone) == 2
        text = manifest(f"id: a, cron: '{chance.choice(['*', '*/5', '3-59/4', '9'])} * * * *', timezone: {zone}")
        runs = csv(daily("a", [min(length, 600)] * 20))
        if found(timetable(text, runs), "SCH402"):
            longer += offered(text, runs, "SCH402")[1] != text
    assert moved > 40 and longer > 100


def workflows(*groups: str) -> dict[str, str]:
    files = {}
    for number, group in enumerate(groups):
        crons = "".join(f"    - cron: '{minute} {4 + number} * * *'\n" for minute in (3, 33))
        files[f".github/workflows/w{number}.yml"] = WORKFLOW.format(name=f"W{number}", crons=crons, more=group)
    return files


GROUP = "concurrency: {group: one}\n"


def test_crons_of_a_workflow_without_a_group_are_worth_a_note() -> None:
    """Both run: nothing is skipped, cut or kept waiting."""
    runs = at_04_03("W0", 40)
    (loose,) = found(timetable(workflows(""), runs), "SCH401")
    assert loose.severity is Severity.NOTE
    assert any("without a concurrency group" in note.message for note in loose.notes)
    (tied,) = found(timetable(workflows(GROUP), runs), "SCH401")
    assert tied.severity is None
    assert tied.help and "let one cron of this workflow start both parts" in tied.help


def at_04_03(name: str, minutes: float) -> str:
    days = daily(name, [minutes] * 20)
    return csv((name, start + timedelta(hours=4, minutes=3), length, how) for name, start, length, how in days)


def test_workflows_meet_in_a_group_alone() -> None:
    runs = at_04_03("W0", 70)
    alone = found(timetable(workflows("", ""), runs), "SCH401")
    assert all("w0.yml" in finding.span.path for finding in alone)
    together = [f for f in found(timetable(workflows(GROUP, GROUP), runs), "SCH401") if "w1.yml" in f.span.path]
    assert together and together[0].severity is None
    assert together[0].help and together[0].help.endswith("by on.workflow_run if its conclusion is success")
