"""The calendar's APScheduler dialect against APScheduler 3's CronTrigger, asked for one run after the other.

No difference is known. After the spring change it leaves out what lies in the first hour of the next unit it searches:
a daily job at 00:30 on the day after, a monthly one of the 1st at 00:30 in April.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from anchorlint.manifests.calendar import firings, parse_text, previous, zone
from laws.calendar_expressions import Refused, compare, five_fields, parsed

cron = pytest.importorskip("apscheduler.triggers.cron")


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    try:
        trigger = cron.CronTrigger.from_crontab(expression, timezone=zone(name))
    except ValueError as refused:
        raise Refused from refused
    # What it skips depends on the run before, so its search begins with one that the calendar names on calm days.
    pattern = parsed("apscheduler", expression)
    before = previous(pattern, name, start - timedelta(days=1)) if pattern else None
    last = None if before is None else before.astimezone(zone(name))
    last, found = trigger.get_next_fire_time(last, last or start - timedelta(days=1)), []
    while last is not None and last.astimezone(UTC) < end:
        found.append(last.astimezone(UTC))
        last = trigger.get_next_fire_time(last, last)
    # A run moved out of a gap can come a second time at the same instant; the scheduler coalesces the two.
    return [instant for instant in dict.fromkeys(found) if instant >= start]


def _expression(source: random.Random) -> str:
    return five_fields(source, sunday=source.choice([6, 6, 6, 7]))


def test_random_expressions_fire_as_apscheduler_says() -> None:
    """Around clock changes mostly, in every kind of zone; 0 is Monday, 7 is refused, as is a step beyond its range."""
    assert not compare("apscheduler", _oracle, seed=311, count=500, expression=_expression).wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_more_fire_as_apscheduler_says(seed: int) -> None:
    """The same with other seeds."""
    assert not compare("apscheduler", _oracle, seed=seed, count=10_000, expression=_expression).wrong


def test_the_day_after_the_spring_change_has_no_run_just_after_midnight() -> None:
    """New York changes on 14 March 2027; the run of the 15th at 00:30 is left out, by both."""
    start, end = datetime(2027, 3, 13, tzinfo=UTC), datetime(2027, 3, 17, tzinfo=UTC)
    got = list(firings(parse_text("apscheduler", "30 0 * * *"), "America/New_York", start, end))
    assert [moment.day for moment in got] == [13, 14, 16]
    assert got == _oracle("30 0 * * *", "America/New_York", start, end)
