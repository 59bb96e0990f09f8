"""SCH415 and SCH416 on native manifests: expressions, zones and the days of a clock change."""

from __future__ import annotations

import pytest

from unit.manifests.timetables import found, marks, timetable


def one(cron: str, zone: str = "UTC") -> str:
    return f"schedules:\n  - id: a\n    cron: {cron!r}\n    timezone: {zone}\n"


@pytest.mark.parametrize(
    ("cron", "zone", "message"),
    [
        ("0 0 * * *", "America/Santiago", "00:00 does not exist on 2027-09-05 in America/Santiago"),
        ("30 2 * * *", "Europe/Berlin", "02:30 does not exist on 2027-03-28 in Europe/Berlin"),
        ("30 2 1-7 11 0", "America/New_York", None),
        ("30 1 1-7 11 *", "America/New_York", "01:30 comes twice on 2027-11-07 in America/New_York"),
        ("15 2 * * *", "Australia/Lord_Howe", "02:15 does not exist on 2027-10-03 in Australia/Lord_Howe"),
        ("45 2 * * *", "Australia/Lord_Howe", None),
        ("30 1 * * *", "Europe/Dublin", "01:30 does not exist on 2027-03-28 in Europe/Dublin"),
        ("30 2 * * *", "Asia/Tokyo", None),
        ("30 2 1 7 *", "Europe/Berlin", None),
        ("*/10 * * * *", "Europe/Berlin", None),
        ("30 4 * * *", "Europe/Berlin", None),
    ],
)
def test_clock_changes(cron: str, zone: str, message: str | None) -> None:
    findings = found(timetable(one(cron, zone)), "SCH415")
    if message is None:
        assert findings == []
    else:
        assert [finding.message.partition(":  ")[0][: len(message)] for finding in findings] == [message]
        assert findings[0].span.start.line == 3


def test_both_kinds_are_one_finding() -> None:
    (finding,) = found(timetable(one("30 2 * * *", "Europe/Berlin")), "SCH415")
    assert any(note.message == "and 02:30 comes twice on 2027-10-31 in Europe/Berlin" for note in finding.notes)


@pytest.mark.parametrize(
    ("cron", "zone", "line"),
    [
        ("0 6 30 2 *", "UTC", 3),
        ("0 6 31 4,6,9,11 *", "UTC", 3),
        ("61 * * * *", "UTC", 3),
        ("0 5 * *", "UTC", 3),
        ("", "UTC", 3),
        ("@dayly", "UTC", 3),
        ("*/90 * * * *", "UTC", 3),
        ("0 9 1-7 * 1", "UTC", 3),
        ("0 9 * * *", "Europe/Berlino", 4),
        ("0 9 * * *", "europe/berlin", 4),
        ("0 9 * * *", "GMT+5", 4),
        ("0 9 * * *", "localtime", 4),
        ("0 6 29 2 *", "US/Eastern", None),
        ("@daily", "EST", None),
        ("0 9 * * 7", "Etc/GMT+5", None),
        ("0 22-23,0 * * mon-fri", "Europe/Kiev", None),
        ("0 7 1 * 1", "UTC", None),
        ("*/7 * * * *", "UTC", None),
    ],
)
def test_expressions_and_zones(cron: str, zone: str, line: int | None) -> None:
    assert marks(timetable(one(cron, zone)), "SCH416") == ([] if line is None else [(line, "SCH416")])


def test_a_zone_is_told_once_and_nothing_else_of_it() -> None:
    text = (
        "defaults: {timezone: Europe/Berlino}\nschedules:\n  - {id: a, cron: '0 0 * * *'}\n"
        "  - {id: b, after_schedule_ids: [a], dependency_deadline: 00:30}\n"
    )
    (finding,) = found(timetable(text))
    assert (finding.code, finding.span.start.line, finding.help) == ("SCH416", 1, "did you mean Europe/Berlin?")
