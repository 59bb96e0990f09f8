"""The calendar against its own definition, minute by minute: every minute of a window is asked whether cron runs then.

Debian's rule (cron(8)): a job with a star in minute or hour runs whenever the local clock shows its time. Any other job
runs once for each of its wall times: the first time the clock shows it, or at once when the clock has jumped over it.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from anchorlint.manifests.calendar import firings, local_dates, next_firing, parse_text, previous, zone
from laws.calendar_expressions import ZONES, at_time, clock_changes, five_fields, on_date, window

HOURS = 14
MINUTE = timedelta(minutes=1)


def _runs_at(expression: str, instant: datetime, place: ZoneInfo) -> bool:
    local = instant.astimezone(place)
    minute, hour = expression.split()[:2]
    if minute.startswith("*") or hour.startswith("*"):
        return on_date(expression, local) and at_time(expression, local)
    if not local.fold and on_date(expression, local) and at_time(expression, local):
        return True
    return any(on_date(expression, missed) and at_time(expression, missed) for missed in _jumped_over(instant, place))


def _jumped_over(instant: datetime, place: ZoneInfo) -> list[datetime]:
    """The wall times between the local time one minute ago and now that no clock has shown."""
    now = instant.astimezone(place).replace(tzinfo=None)
    wall = (instant - MINUTE).astimezone(place).replace(tzinfo=None) + MINUTE
    found = []
    while wall < now:
        found.append(wall)
        wall += MINUTE
    return found


def _compare(seed: int, count: int) -> list[str]:
    source = random.Random(seed)
    changes = {name: clock_changes(name) for name in ZONES}
    wrong = []
    for _ in range(count):
        name, expression = source.choice(ZONES), five_fields(source)
        start = window(source, changes[name], HOURS)
        minutes = (start + n * MINUTE for n in range(HOURS * 60))
        wanted = [minute for minute in minutes if _runs_at(expression, minute, zone(name))]
        got = list(firings(parse_text("native", expression), name, start, start + timedelta(hours=HOURS)))
        if got != wanted:
            wrong.append(f"{expression} {name} {start}: {got[:5]} instead of {wanted[:5]}")
    return wrong


def test_random_expressions_fire_as_defined() -> None:
    """Around clock changes mostly, in every kind of zone."""
    assert not _compare(seed=415, count=200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_many_more_fire_as_defined(seed: int) -> None:
    """The same with other seeds."""
    assert not _compare(seed, count=5_000)


@pytest.mark.parametrize("name", ["America/New_York", "Africa/Cairo", "Pacific/Apia"])
def test_windows_can_be_cut_anywhere(name: str) -> None:
    """Firings of two neighbouring windows are those of both: start counts, end does not."""
    source = random.Random(7)
    for _ in range(60):
        pattern = parse_text("native", five_fields(source))
        start = datetime(2011, 12, 1, tzinfo=UTC) + timedelta(minutes=source.randrange(60 * 24 * 900))
        whole = list(firings(pattern, name, start, start + timedelta(days=3)))
        for cut in [start + timedelta(hours=31), *whole[1:2]]:
            parts = [*firings(pattern, name, start, cut), *firings(pattern, name, cut, start + timedelta(days=3))]
            assert parts == whole


def test_next_and_previous_agree_with_the_list() -> None:
    """Neither misses a firing nor invents one, however rare."""
    source = random.Random(11)
    for _ in range(150):
        pattern, name = parse_text("native", five_fields(source)), source.choice(ZONES)
        moment = datetime(2027, 3, 10, tzinfo=UTC) + timedelta(minutes=source.randrange(60 * 24 * 40))
        later = next_firing(pattern, name, moment)
        if later is None:
            assert previous(pattern, name, moment) is None
            continue
        assert later >= moment
        assert not list(firings(pattern, name, moment, min(later, moment + timedelta(days=400))))
        assert previous(pattern, name, later + timedelta(microseconds=1)) == later


def test_local_dates_are_the_dates_of_the_firings() -> None:
    """In a zone without clock changes both lists say the same."""
    source = random.Random(13)
    start = datetime(2026, 11, 30, tzinfo=UTC)
    for _ in range(150):
        pattern = parse_text("native", five_fields(source))
        end = start + timedelta(days=60)
        fired = sorted({moment.date() for moment in firings(pattern, "UTC", start, end)})
        assert list(local_dates(pattern, "UTC", start, end)) == fired
