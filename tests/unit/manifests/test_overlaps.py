"""SCH401 and SCH402: p95 and gaps against brute force, and the limits of what is said."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.domain.finding import Severity
from anchorlint.manifests import calendar
from anchorlint.manifests.gaps import gap, own_gap
from unit.manifests.timetables import AS_OF, csv, daily, found, marks, timetable

TWO = """\
schedules:
  - {id: close, workflow: desk, cron: "55 15 * * 1-5", timezone: America/New_York}
  - {id: pulse, workflow: desk, cron: "10 16 * * 1-5", timezone: America/New_York}
"""
SLOW = [11, 17, 12, 22.4333, 13, 19, 10, 12, 9, 8, 11, 12, 20.5, 9, 13, 16, 8, 9, 10, 12, 14, 11, 10, 9, 16.5, 8, 7, 9]


def test_the_message_says_how_many_runs_outlast_the_gap() -> None:
    (finding,) = found(timetable(TWO, csv(daily("close", SLOW))), "SCH401")
    assert finding.message == (
        "6 of the last 28 runs of close took longer than the 15 min until pulse (p95 20m30s); next 2026-11-30 16:10 EST"
    )
    assert finding.span.start.line == 3 and finding.severity is None
    assert (
        finding.help == "move pulse to 16:20, or run it after close, by after_schedule_ids with a dependency_deadline"
    )
    assert finding.fix and not finding.fix.safe
    assert finding.fix.title == "write 20 16 * * 1-5"


def test_the_incident_with_two_slow_evenings_more() -> None:
    (finding,) = found(timetable(TWO, csv(daily("close", [*SLOW, 22.4333, 23]))), "SCH401")
    assert "8 of the last 30 runs of close" in finding.message and "(p95 22m26s)" in finding.message


@given(
    lengths=st.lists(st.integers(1, 4000), min_size=1, max_size=70),
    cut=st.lists(st.booleans(), min_size=70, max_size=70),
    window=st.integers(1, 40),
    order=st.randoms(use_true_random=False),
)
def test_p95_by_brute_force(lengths: list[int], cut: list[bool], window: int, order: object) -> None:
    runs = [
        ("job", AS_OF - timedelta(days=len(lengths) - day), length, "cancelled" if cut[day] else "failed")
        for day, length in enumerate(lengths)
    ]
    shuffled = list(runs)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    table = timetable("schedules: [{id: job, cron: '0 4 * * *'}]", csv(shuffled), window=window)
    record = table.record(table.schedules[0])
    last = lengths[-window:]
    # The smallest recorded length that at least 95 of 100 runs do not exceed.
    expected = min(length for length in last if sum(other <= length for other in last) * 100 >= 95 * len(last))
    assert record.p95_s == expected == sorted(last)[math.ceil(95 * len(last) / 100) - 1]
    assert record.longer(expected) == sum(length > expected for length in last)
    assert record.cut == sum(cut[: len(lengths)][-window:])


CRONS = st.builds(
    "{} {} {} * {}".format,
    st.one_of(st.integers(0, 59), st.sampled_from(["*/15", "*/7", "0,50", "*"])),
    st.one_of(st.integers(0, 23), st.sampled_from(["*", "*/6", "22-23", "0,12"])),
    st.sampled_from(["*", "*", "*", "1", "28-31", "*/7"]),
    st.sampled_from(["*", "*", "1-5", "0", "6"]),
)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"])


def minutes_of(cron: str, zone: str, start: datetime, days: int) -> list[int]:
    pattern = calendar.parse_text("native", cron)
    return [int(at.timestamp()) for at in calendar.firings(pattern, zone, start, start + timedelta(days=days))]


@settings(deadline=None, max_examples=60)
@given(CRONS, ZONES, CRONS, ZONES, st.integers(60, 90_000))
def test_gaps_by_brute_force(one: str, here: str, other: str, there: str, length_s: int) -> None:
    text = f"""\
schedules:
  - {{id: a, workflow: w, cron: "{one}", timezone: {here}}}
  - {{id: b, workflow: w, cron: "{other}", timezone: {there}}}
"""
    table = timetable(text)
    first, second = table.schedules
    start = AS_OF - timedelta(days=2)
    before, after = minutes_of(one, here, start, 398), minutes_of(other, there, start, 398)
    for together in (False, True):
        expected = brute_force(before, after, together, length_s)
        ours = gap(table, first, second, length_s, together=together)
        assert (ours is None) == (not expected)
        if ours is not None:
            assert ours.shortest_s == min(later - earlier for earlier, later in expected)
            assert ours.first == tuple(later for _, later in expected[:3])
            assert ours.count == len(expected)
    own = [(a, b) for a, b in zip(before, before[1:], strict=False) if b - a < length_s and b >= AS_OF.timestamp()]
    mine = own_gap(table, first, length_s)
    assert (mine is None) == (not own)
    if mine is not None:
        assert mine.shortest_s == min(b - a for a, b in own) and mine.first == tuple(b for _, b in own[:3])


def brute_force(before: list[int], after: list[int], together: bool, length_s: int) -> list[tuple[int, int]]:
    """Walks both lists at once: each later instant with the newest earlier one."""
    pairs, place = [], 0
    for instant in after:
        while place < len(before) and (before[place] < instant or together and before[place] == instant):
            place += 1
        if place and instant - before[place - 1] < length_s and instant >= AS_OF.timestamp():
            pairs.append((before[place - 1], instant))
    return pairs


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([16] * 4, None),
        ([16, 10, 10, 10, 10], Severity.NOTE),
        ([16, 16, 10, 10, 10], "warning"),
        ([16, *[10] * 18], Severity.NOTE),
        ([16, 16, *[10] * 17], "warning"),
        ([16, *[10] * 19], None),
        ([16, 16, *[10] * 18], "warning"),
        ([15] * 25, None),
    ],
)
def test_few_runs_say_little(lengths: list[float], expected: object) -> None:
    findings = found(timetable(TWO, csv(daily("close", lengths))), "SCH401")
    assert [finding.severity or "warning" for finding in findings] == ([] if expected is None else [expected])


def test_what_is_left_alone() -> None:
    runs = csv([*daily("close", [30] * 20), *daily("pulse", [3] * 20)])
    other = TWO.replace("id: pulse, workflow: desk", "id: pulse, workflow: letters")
    disabled = TWO.replace('workflow: desk, cron: "10', 'workflow: desk, enabled: false, cron: "10')
    dependent = TWO.replace("id: pulse,", "id: pulse, after_schedule_ids: [close], dependency_deadline: 17:30,")
    assert marks(timetable(TWO, runs), "SCH401", "SCH402") == [(3, "SCH401")]
    for text in (other, disabled, dependent):
        assert text != TWO
        assert marks(timetable(text, runs), "SCH401", "SCH402") == []


def test_firing_at_one_instant_is_told_once_on_the_second() -> None:
    text = TWO.replace("10 16", "55 15")
    both = csv([*daily("close", [30] * 20), *daily("pulse", [30] * 20)])
    (finding,) = found(timetable(text, both), "SCH401")
    assert finding.span.start.line == 3
    assert "fire at one instant" in finding.message
    only_second = csv(daily("pulse", [30] * 20))
    assert marks(timetable(text, only_second), "SCH401") == [(2, "SCH401")]


def test_both_directions() -> None:
    text = "schedules:\n  - {id: a, workflow: w, cron: '0 * * * *'}\n  - {id: b, workflow: w, cron: '30 * * * *'}\n"
    runs = csv([*daily("a", [40] * 20), *daily("b", [40] * 20)])
    assert marks(timetable(text, runs), "SCH401", "SCH402") == [(2, "SCH401"), (3, "SCH401")]


def test_a_collision_on_the_day_of_a_clock_change_alone() -> None:
    text = (
        "schedules:\n  - {id: a, workflow: w, cron: '0 6 * * *', timezone: UTC}\n"
        "  - {id: b, workflow: w, cron: '30 7 * * *', timezone: Europe/Berlin}\n"
    )
    (finding,) = found(timetable(text, csv(daily("a", [40] * 20))), "SCH401")
    assert finding.message.endswith("next 2026-11-30 07:30 CET")
    summer = text.replace("30 7", "30 8")
    (finding,) = found(timetable(summer, csv(daily("a", [40] * 20))), "SCH401")
    assert finding.message.endswith("next 2027-03-28 08:30 CEST")


def test_several_causes_are_one_finding() -> None:
    text = TWO + '  - {id: prices, workflow: desk, cron: "0 16 * * 1-5", timezone: America/New_York}\n'
    runs = csv([*daily("close", [30] * 20), *daily("prices", [12] * 20)])
    table = timetable(text, runs)
    assert marks(table, "SCH401") == [(3, "SCH401"), (4, "SCH401")]
    (pulse, _) = found(table, "SCH401")
    assert any(note.message == "prices runs into it as well" for note in pulse.notes)


def test_names_that_leave_no_room() -> None:
    text = TWO.replace("close", "c" * 70).replace("pulse", "p" * 70)
    (finding,) = found(timetable(text, csv(daily("c" * 70, SLOW))), "SCH401")
    assert len(finding.message) <= 120
    assert "6 of the last 28 runs" in finding.message


@pytest.mark.parametrize(
    ("moved_from", "length", "help_line"),
    [
        ("10 16", 22.4333, "move pulse to 16:20, or run it after close"),
        ("10 16", 62, "move pulse to 17:05, or run it after close"),
        ("10 16", 600, "run pulse after close"),
        ("10,40 16", 20, "run pulse after close"),
    ],
)
def test_where_to_move(moved_from: str, length: float, help_line: str) -> None:
    text = TWO.replace("10 16", moved_from)
    (finding,) = found(timetable(text, csv(daily("close", [length] * 20))), "SCH401")
    assert finding.help == f"{help_line}, by after_schedule_ids with a dependency_deadline"


def test_periods_without_a_clock_have_no_next() -> None:
    text = "schedules:\n  - {id: poll, every: 20m}\n"
    (finding,) = found(timetable(text, csv(daily("poll", [21] * 20))), "SCH402")
    assert (
        finding.message == "20 of the last 20 runs of poll took longer than the 20 min until its next firing (p95 21m)"
    )
    assert not found(timetable(text, csv(daily("poll", [20] * 20))), "SCH402")


def test_the_last_and_first_day_of_a_month_lie_close() -> None:
    text = "schedules:\n  - {id: roll, cron: '0 0 */3 * *'}\n"
    (finding,) = found(timetable(text, csv(daily("roll", [25 * 60] * 20))), "SCH402")
    assert "until its next firing" in finding.message and "24 h" in finding.message


def test_runs_cut_and_runs_not_started() -> None:
    text = "schedules:\n  - {id: mirror, cron: '*/20 * * * *'}\n"
    fast = daily("mirror", [12] * 15)
    cut = [("mirror", AS_OF - timedelta(hours=20 - n), 1206, "replaced") for n in range(5)]
    (finding,) = found(timetable(text, csv([*fast, *cut])), "SCH402")
    assert finding.message.startswith("5 of the last 20 runs of mirror took longer than the 20 min")
    assert any("5 were cut" in note.message for note in finding.notes)
    waiting = "".join(f"mirror,2026-11-29T0{n}:00:00Z,,,cancelled\n" for n in range(5))
    assert not found(timetable(text, csv(fast) + waiting), "SCH402")


def test_utc_instants_are_what_the_zone_says() -> None:
    (finding,) = found(timetable(TWO, csv(daily("close", [30] * 20)), datetime(2026, 7, 3, 21, tzinfo=UTC)), "SCH401")
    assert finding.message.endswith("next 2026-07-06 16:10 EDT")
