"""Fixes of expressions: one answer, validated in the dialect, and safe only where nothing runs today."""

from __future__ import annotations

from datetime import timedelta

import pytest

from anchorlint.domain.finding import Severity
from anchorlint.domain.schedule import Dialect, Firing
from anchorlint.domain.span import Span
from anchorlint.engine.editing import edited
from anchorlint.manifests.mending import later_hour, mended
from unit.manifests.timetables import AS_OF, found, timetable


@pytest.mark.parametrize(
    ("dialect", "expression", "better", "safe"),
    [
        (Dialect.CLOUDFLARE, "0 16 * * 0", "0 16 * * SUN", True),
        (Dialect.CLOUDFLARE, "0 16 * * 1-5", "0 16 * * MON-FRI", False),
        (Dialect.CLOUDFLARE, "0 16 * * 0,6", None, None),
        (Dialect.GITHUB, "0 0 * * 7", "0 0 * * SUN", True),
        (Dialect.VERCEL, "0 0 * * 7", "0 0 * * 0", True),
        (Dialect.EVENTBRIDGE, "cron(0 2 * * * *)", "cron(0 2 * * ? *)", True),
        (Dialect.EVENTBRIDGE, "cron(0 2 1 * * *)", "cron(0 2 1 * ? *)", True),
        (Dialect.EVENTBRIDGE, "cron(0 2 * * MON *)", "cron(0 2 ? * MON *)", True),
        (Dialect.EVENTBRIDGE, "cron(0 2 1 * 2 *)", None, None),
        (Dialect.EVENTBRIDGE, "rate(1 minutes)", "rate(1 minute)", True),
        (Dialect.NATIVE, "*/90 * * * *", None, None),
        (Dialect.SYSTEMD, "Mon 25:00", None, None),
    ],
)
def test_the_one_answer(dialect: Dialect, expression: str, better: str | None, safe: bool | None) -> None:
    text = f'x: "{expression}"\n'
    span = Span.of("x", 1, 4, 1, 6 + len(expression))
    fix = mended(Firing(dialect=dialect, expression=expression, span=span))
    assert (fix and fix.safe) == safe
    assert (edited(text, fix.edits)[0] if fix else None) == (f'x: "{better}"\n' if better else None)


def test_a_name_that_is_nearly_right() -> None:
    text = "on:\n  workflow_run:\n    workflows: ['Wash nihgtly']\n"
    table = timetable({".github/workflows/a.yml": "name: Wash nightly\non: push\n", ".github/workflows/b.yml": text})
    (finding,) = found(table, "SCH403")
    assert finding.fix and not finding.fix.safe
    assert "['Wash nightly']" in edited(text, finding.fix.edits)[0]


def test_a_date_that_is_written_so_as_never_to_come() -> None:
    severities = [
        found(timetable({"crontab": f"0 0 {day} wash\n"}), "SCH416")[0].severity
        for day in ("31 2 *", "31 4 *", "30 2 *")
    ]
    assert severities == [Severity.NOTE, None, None]


@pytest.mark.parametrize(
    ("dialect", "expression", "zone", "time", "better"),
    [
        (Dialect.ROBFIG, "30 2 * * *", "Europe/Berlin", "03:30", "30 3 * * *"),
        (Dialect.ROBFIG, "0 00 * * *", "America/Santiago", "01:00", "0 1 * * *"),
        (Dialect.EVENTBRIDGE, "cron(30 2 ? * SUN *)", "Europe/Paris", "03:30", "cron(30 3 ? * SUN *)"),
        (Dialect.NATIVE, "0 2,5 * * *", "Europe/Berlin", None, None),
    ],
)
def test_a_later_hour(dialect: Dialect, expression: str, zone: str, time: str | None, better: str | None) -> None:
    span = Span.of("x", 1, 1, 1, 1 + len(expression))
    firing = Firing(dialect=dialect, expression=expression, span=span, zone=zone)
    later = later_hour(firing, AS_OF, AS_OF + timedelta(days=731))
    assert (later[0] if later else None) == time
    assert (edited(expression, later[1].edits)[0] if later else None) == better


AFTER = "after_schedule_ids: [b], after_terminal_status: "


@pytest.mark.parametrize(
    ("before", "after", "safe"),
    [
        ("cron: '0 4 * * *', timezone: america/new_york", "cron: '0 4 * * *', timezone: America/New_York", True),
        ("cron: '0 4 * * *', timezone: Europe/Berln", "cron: '0 4 * * *', timezone: Europe/Berlin", False),
        (AFTER + "success", AFTER + "completed", False),
        (AFTER + "'Any-Terminal'", AFTER + "'any_terminal'", False),
    ],
)
def test_words_that_are_nearly_right(before: str, after: str, safe: bool) -> None:
    text = "schedules:\n  - {id: b, cron: '0 3 * * *'}\n  - {id: a, {}}\n"
    (finding,) = found(timetable(text.replace("{}", before)), "SCH406", "SCH416")
    assert finding.fix and finding.fix.safe is safe
    assert edited(text.replace("{}", before), finding.fix.edits)[0] == text.replace("{}", after)


def test_a_word_that_could_mean_anything_has_no_fix() -> None:
    text = "schedules:\n  - {id: b, cron: '0 3 * * *'}\n  - {id: a, X}\n".replace("X", AFTER + "maybe")
    (finding,) = found(timetable(text), "SCH406")
    assert finding.fix is None
