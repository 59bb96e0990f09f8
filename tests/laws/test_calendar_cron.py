"""The calendar's Vixie cron against cronsim, an implementation of Debian's cron that shares nothing with it.

Every difference found, all of them cronsim's; test_calendar_definition.py decides them minute by minute:

- `3-3/2` is read by cronsim as `3/2`, so as 3, 5, 7 and on: a range of one number loses its end.
- Where the clock moves by half an hour (Lord Howe) cronsim walks a job with a star in minute or hour by whole hours
  and steps over half an hour.
- Where the clock skips midnight (Santiago, Cairo, Havana, Beirut, the Azores) it begins such a job's day one hour late,
  or with the 00:00 that is skipped, if the day was reached by skipping dates.
- Where the clock goes back at a quarter to (Chatham) `*/9 3 * * *` never returns: it rounds down to an hour of the
  first pass, adds one and is there again. Such a job is not put to it.
- `0 0 30 2 *` is refused by cronsim when it is read; the calendar reads it and says that it never fires.
"""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta

import pytest

from anchorlint.manifests.calendar import can_fire, firings, parse_text, zone
from laws.calendar_expressions import ZONES, clock_changes, five_fields, skips_midnight, window

cronsim = pytest.importorskip("cronsim")
HOURS = 26


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    place = zone(name) if name != "UTC" else UTC
    # cronsim begins after the moment it is given, on the local clock; hours early, it meets no doubled hour midway.
    walk = cronsim.CronSim(expression, (start - timedelta(hours=4)).astimezone(place))
    found = []
    for moment in walk:
        instant = moment.astimezone(UTC)
        if instant >= end:
            break
        if instant >= start:
            found.append(instant)
    return found


def _compare(seed: int, count: int) -> tuple[list[str], int]:
    """What differs without a reason, and how many differ for a listed one."""
    source = random.Random(seed)
    changes = {name: clock_changes(name) for name in ZONES}
    wrong, explained = [], 0
    for _ in range(count):
        name, expression = source.choice(ZONES), five_fields(source)
        if name == "Pacific/Chatham" and _follows_real_time(expression):
            continue
        start = window(source, changes[name], HOURS)
        end = start + timedelta(hours=HOURS)
        pattern = parse_text("native", expression)
        try:
            wanted = _oracle(expression, name, start, end)
        except cronsim.CronSimError:
            assert not can_fire(pattern), expression
            continue
        got = list(firings(pattern, name, start, end))
        if got != wanted and _has_a_reason(expression, name):
            explained += 1
        elif got != wanted:
            wrong.append(f"{expression} {name} {start}: {got[:5]} instead of {wanted[:5]}")
    return wrong, explained


def _has_a_reason(expression: str, name: str) -> bool:
    if re.search(r"\b(\d+)-\1/", expression):
        return True
    _, _, day, _, weekday = expression.split()
    some_dates = skips_midnight(name) and (day, weekday) != ("*", "*")
    return _follows_real_time(expression) and (name == "Australia/Lord_Howe" or some_dates)


def _follows_real_time(expression: str) -> bool:
    return any(field.startswith("*") for field in expression.split()[:2])


def test_ten_thousand_random_expressions_fire_as_cronsim_says() -> None:
    """Around clock changes mostly, in every kind of zone."""
    wrong, explained = _compare(seed=20261130, count=10_000)
    assert not wrong
    assert explained < 400


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_more_fire_as_cronsim_says(seed: int) -> None:
    """The same with other seeds."""
    wrong, _ = _compare(seed, count=10_000)
    assert not wrong
