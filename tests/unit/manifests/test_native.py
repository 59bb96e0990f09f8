"""The native manifest: three forms that say the same, entries judged where they stand, other files left alone."""

from __future__ import annotations

import json

import pytest
import tomlkit

from anchorlint.domain.schedule import Busy, Dialect
from anchorlint.manifests import recognise
from anchorlint.manifests.durations import seconds
from unit.manifests.timetables import found, marks, timetable

ENTRIES = [
    {"id": "close", "workflow": "desk", "cron": "55 15 * * 1-5", "timezone": "America/New_York", "on_busy": "queue"},
    {
        "id": "pulse",
        "enabled": False,
        "after_schedule_ids": ["close"],
        "after_terminal_status": "any_terminal",
        "after_delay_minutes": 5,
        "dependency_deadline": "17:30 America/New_York",
        "entrypoint": "desk.pulse:main",
    },
    {"id": "poll", "every": "15m"},
]


def test_the_three_forms_say_the_same() -> None:
    files = {
        "a/schedules.toml": tomlkit.dumps({"schedules": ENTRIES}),
        "b/schedules.yaml": json.dumps({"schedules": ENTRIES}),
        "c/schedules.json": json.dumps({"version": 1, "schedules": ENTRIES}, indent=1),
    }
    table = timetable(files)
    assert not table.problems and marks(table) == []
    assert len(table.schedules) == 9
    for close, pulse, poll in (table.schedules[:3], table.schedules[3:6], table.schedules[6:]):
        assert (close.firing.dialect, close.firing.expression) == (Dialect.NATIVE, "55 15 * * 1-5")
        assert (close.zone, close.busy, close.enabled) == ("America/New_York", Busy.QUEUE, True)
        assert close.workflow == f"{close.span.path}::desk"
        assert (pulse.enabled, pulse.entrypoint, pulse.firing, pulse.zone) == (False, "desk.pulse:main", None, "UTC")
        assert [named.id for named in pulse.dependency.prerequisites] == ["close"]
        assert (pulse.dependency.delay_s, pulse.dependency.deadline.minute) == (300.0, 1050)
        assert (poll.firing.dialect, poll.firing.every_s, poll.workflow.endswith("::poll")) == ("interval", 900, True)


def test_values_stand_where_they_are_written() -> None:
    text = 'schedules:\n  - id: close\n    cron: "55 15 * * 1-5"\n    timezone: UTC\n'
    (close,) = timetable(text).schedules
    assert (close.firing.span.start.line, close.firing.span.start.column, close.firing.span.end.column) == (3, 11, 26)
    assert (close.id_span.start.column, close.zone_span.start.line) == (9, 4)
    assert (close.span.start.line, close.span.end.line) == (2, 4)


def test_defaults_stand_behind_what_an_entry_says() -> None:
    text = "defaults: {timezone: Asia/Tokyo, on_busy: fail, enabled: false}\nschedules:\n" + (
        "  - {id: a, cron: '0 5 * * *'}\n  - {id: b, cron: '0 5 * * *', timezone: UTC, enabled: true, on_busy: ~}\n"
    )
    one, other = timetable(text).schedules
    assert (one.zone, one.busy, one.enabled) == ("Asia/Tokyo", Busy.FAIL, False)
    assert (other.zone, other.busy, other.enabled) == ("UTC", Busy.FAIL, True)


def whole(*lines: str) -> str:
    return "schedules:\n  - id: a\n    workflow: w\n" + "".join(f"    {line}\n" for line in lines)


CRON = "cron: '0 5 * * *'"


@pytest.mark.parametrize(
    ("text", "expected", "words"),
    [
        (whole(CRON, "tz: UTC"), [(5, "SCH418")], "unknown key tz"),
        (whole(CRON, "timezon: UTC"), [(5, "SCH418")], "did you mean timezone?"),
        (whole(CRON, "afterScheduleIds: [a]"), [(5, "SCH418")], "did you mean after_schedule_ids?"),
        (whole(CRON, "x-owner: me"), [], ""),
        (whole(CRON, CRON), [(5, "SCH418")], "two keys cron"),
        (whole(), [(2, "SCH418")], "never fires"),
        (whole("cron:"), [(2, "SCH418")], "never fires"),
        (whole(CRON, "every: 5m"), [(5, "SCH418")], "both cron and every"),
        (whole(CRON, "enabled: 'no'"), [(5, "SCH418")], "enabled is text"),
        (whole(CRON, "enabled: no"), [(5, "SCH418")], "enabled is text"),
        (whole(CRON, "on_busy: wait"), [(5, "SCH418")], "not skip, queue or fail"),
        (whole(CRON, "entrypoint: a.b.c"), [(5, "SCH418")], "package.module:function"),
        (whole(CRON, "timezone: 5"), [(5, "SCH418")], "a number, not text"),
        (whole("cron: 5"), [(4, "SCH418")], "a number, not text"),
        (whole("every: 300"), [(4, "SCH418")], "a number, not text"),
        ("schedules:\n  - workflow: w\n    " + CRON, [(2, "SCH418")], "without id"),
        ("schedules:\n  - id: ''\n    " + CRON, [(2, "SCH418")], "empty id"),
        ("schedules:\n  - id:\n    workflow: w\n    " + CRON, [(2, "SCH418")], "without id"),
        ("schedules:\n  - {id: a, cron: '0 5 * * *'}\n  - just text\n", [(3, "SCH418")], "entry 2 is text"),
        ("defaults: {zone: UTC}\nschedules:\n  - {id: a, cron: '0 5 * * *'}\n", [(1, "SCH418")], "defaults has"),
        ("defaults: [a]\nschedules:\n  - {id: a, cron: '0 5 * * *'}\n", [(1, "SCH418")], "defaults is a list"),
        ("default: {}\nschedules:\n  - {id: a, cron: '0 5 * * *'}\n", [(1, "SCH418")], "did you mean defaults?"),
        ("anchors: {}\nschedules:\n  - {id: a, cron: '0 5 * * *'}\n", [], ""),
    ],
)
def test_entries(text: str, expected: list[tuple[int, str]], words: str) -> None:
    table = timetable(text)
    assert not table.problems
    findings = found(table)
    assert [(finding.span.start.line, finding.code) for finding in findings] == expected
    assert words in " ".join(f"{finding.message} {finding.help}" for finding in findings)
    assert all(len(finding.message) <= 120 for finding in findings)


def test_an_id_is_used_again() -> None:
    text = "schedules:\n" + "  - {id: a, cron: '0 5 * * *'}\n" * 3
    findings = found(timetable(text))
    assert [(finding.span.start.line, finding.code) for finding in findings] == [(3, "SCH418"), (4, "SCH418")]
    assert findings[0].notes[0].span.start.line == 2
    apart = {
        "a/schedules.yaml": "schedules: [{id: a, every: 1h}]",
        "b/schedules.yaml": "schedules: [{id: a, every: 1h}]",
    }
    assert marks(timetable(apart)) == []


def test_keys_of_long_names_still_fit() -> None:
    findings = found(timetable(whole(CRON, "k" * 200 + ": 1", f"enabled: {'n' * 300}")))
    assert len(findings) == 2 and all(len(finding.message) <= 120 for finding in findings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "just: text\n",
        "schedules:\n  daily:\n    cron: x\n",
        "schedules:\n  - cron: '0 0 * * *'\n    branches: [main]\n",
        "schedules: []\n",
        "- a\n- b\n",
    ],
)
def test_files_of_others_are_left_alone(text: str) -> None:
    table = timetable(text)
    assert (table.schedules, table.problems, marks(table)) == ((), (), [])


@pytest.mark.parametrize(
    ("path", "text", "line", "column"),
    [
        ("schedules.yaml", "schedules:\n  - id: a\n    cron: * * * * *\n", 3, 12),
        ("schedules.toml", "[[schedules]]\nid = a\n", 2, 6),
        ("schedules.toml", '[[schedules]]\nid = "a"\nid = "b"\n', 3, 9),
        ("schedules.json", '{"schedules": [\n {"id": "a",}\n]}', 2, 13),
    ],
)
def test_malformed_manifests(path: str, text: str, line: int, column: int) -> None:
    table = timetable({path: text})
    (problem,) = table.problems
    assert (problem.path, problem.line, problem.column) == (path, line, column)
    assert problem.message.startswith("cannot read the manifest: ")


def test_templates_are_not_checked_and_not_wrong() -> None:
    table = timetable("schedules:\n{{ range .Values.jobs }}\n  - id: {{ .id }}\n{{ end }}\n")
    assert (table.schedules, table.problems) == ((), ())
    assert [skipped.why for skipped in table.skipped] == ["a template, not checked"]


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("schedules.toml", "native"),
        ("ops/schedules.yml", "native"),
        ("ops/schedules.json", "native"),
        ("ops/my_schedules.toml", None),
        ("schedules.py", None),
        ("schedules.toml.bak", None),
    ],
)
def test_recognised_by_name(path: str, ours: str | None) -> None:
    assert recognise(path) == ours


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("15m", 900),
        ("1h30m", 5400),
        ("2 hours", 7200),
        ("90 min", 5400),
        ("1.5h", 5400),
        ("1d", 86400),
        ("2 weeks", 1209600),
        ("PT45M", 2700),
        ("P1DT2H", 93600),
        ("1h 5 minutes 3s", 3903),
        ("90", None),
        ("0s", None),
        ("-5m", None),
        ("", None),
        ("5 parsecs", None),
        ("m", None),
        ("P", None),
        ("PT", None),
        ("5m!", None),
    ],
)
def test_durations(text: str, expected: float | None) -> None:
    assert seconds(text) == expected


def test_periods_of_entrypoints() -> None:
    text = """\
schedules:
  - {id: a, cron: "0 2 * * 1-5", entrypoint: "app.jobs:nightly"}
  - {id: b, every: 20m, entrypoint: "app.jobs:poll"}
  - {id: c, cron: "0 * * * *", entrypoint: "app.jobs:poll"}
  - {id: d, after_schedule_ids: [a], dependency_deadline: "09:00", entrypoint: "app.jobs:then"}
  - {id: e, cron: "0 2 * * *", enabled: false, entrypoint: "app.jobs:never"}
  - {id: f, cron: "*/90 * * *", entrypoint: "app.jobs:broken"}
  - {id: g, after_schedule_ids: [g], entrypoint: "app.jobs:ring"}
"""
    day = 86400.0
    assert timetable(text).periods_s == {"app.jobs:nightly": day, "app.jobs:poll": 1200.0, "app.jobs:then": day}
