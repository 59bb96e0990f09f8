"""The calendar's Kubernetes dialect against robfig/cron v3, ported line by line from its spec.go, Go's clock included.

robfig has no rule for clock changes: it runs whenever the local clock shows the time, so not in a gap and twice in a
doubled hour. Differences found, all of them robfig's:

- Where the clock skips midnight east of Greenwich (Cairo, Beirut), or on any day reached over such a one, its search
  by dates lands on 23:00 of the day before and then misses the whole day: `0 12 * * 5` in Cairo on the last Friday
  of April.
- Where the clock moves by half an hour (Lord Howe) or not on the hour (Chatham) its search by whole hours steps over
  a part of one, as cronsim's does.
- Where it goes back by two hours (Troll), cutting an instant of the first pass to its whole hour lands in the second
  one, because Go's clock takes the later of the two, and what lies between is stepped over.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from anchorlint.manifests.calendar import firings, parse_text, zone
from laws.calendar_expressions import Refused, compare, five_fields, matches, skips_midnight

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


def _go_date(wall: datetime, place: ZoneInfo) -> datetime:
    """Go's time.Date: in a gap the offset of the other side of the change than the first guess."""
    as_utc = wall.replace(tzinfo=UTC)
    guess = as_utc.astimezone(place).utcoffset()
    assert guess is not None
    first = as_utc - guess
    second = first.astimezone(place).utcoffset()
    assert second is not None
    return (as_utc - second).astimezone(place)


def _add(moment: datetime, delta: timedelta) -> datetime:
    return (moment.astimezone(UTC) + delta).astimezone(moment.tzinfo)


class _Spec:
    """One schedule; `next` is SpecSchedule.Next."""

    def __init__(self, text: str, place: ZoneInfo) -> None:
        self.fields, self.place = text.split(), place
        self.star = any(item in ("*", "*/1") for field in self.fields[2::2] for item in field.split(","))

    def _day(self, moment: datetime) -> bool:
        day = matches(self.fields[2], moment.day, 1, 31)
        weekday = matches(self.fields[4], moment.isoweekday() % 7, 0, 6, _DAYS)
        return day and weekday if self.star else day or weekday

    def next(self, after: datetime) -> datetime | None:
        moment, added = _add(after, timedelta(minutes=1)), False
        limit = moment.year + 5
        while moment.year <= limit:
            moment, added, again = self._month(moment, added)
            if again:
                continue
            moment, added, again = self._date(moment, added)
            if again:
                continue
            moment, added, again = self._time(moment, added)
            if not again:
                return moment
        return None

    def _month(self, moment: datetime, added: bool) -> tuple[datetime, bool, bool]:
        while not matches(self.fields[3], moment.month, 1, 12, _MONTHS):
            wall = moment.replace(tzinfo=None)
            if not added:
                added, wall = True, datetime(moment.year, moment.month, 1)
            # AddDate keeps the wall time of the day it is on.
            wall = wall.replace(year=wall.year + wall.month // 12, month=wall.month % 12 + 1)
            moment = _go_date(wall, self.place)
            if moment.month == 1:
                return moment, added, True
        return moment, added, False

    def _date(self, moment: datetime, added: bool) -> tuple[datetime, bool, bool]:
        while not self._day(moment):
            wall = moment.replace(tzinfo=None)
            if not added:
                added = True
                wall = _go_date(datetime(moment.year, moment.month, moment.day), self.place).replace(tzinfo=None)
            moment = _go_date(wall + timedelta(days=1), self.place)
            if moment.hour > 12:
                moment = _add(moment, timedelta(hours=24 - moment.hour))
            elif moment.hour:
                moment = _add(moment, timedelta(hours=-moment.hour))
            if moment.day == 1:
                return moment, added, True
        return moment, added, False

    def _time(self, moment: datetime, added: bool) -> tuple[datetime, bool, bool]:
        while not matches(self.fields[1], moment.hour, 0, 23):
            if not added:
                added = True
                moment = _go_date(datetime(moment.year, moment.month, moment.day, moment.hour), self.place)
            moment = _add(moment, timedelta(hours=1))
            if moment.hour == 0:
                return moment, added, True
        while not matches(self.fields[0], moment.minute, 0, 59):
            added = True
            moment = _add(moment, timedelta(minutes=1))
            if moment.minute == 0:
                return moment, added, True
        return moment, added, False


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    if any(
        int(part) == 7
        for part in expression.split()[4].replace("/", ",").replace("-", ",").split(",")
        if part.isdigit()
    ):
        raise Refused(expression)
    spec, found = _Spec(expression, zone(name)), []
    moment = spec.next((start - timedelta(minutes=1)).astimezone(zone(name)))
    while moment is not None and moment.astimezone(UTC) < end:
        found.append(moment.astimezone(UTC))
        following = spec.next(moment)
        # `54 3 * * *` in Chatham, where the clock goes back from 03:45: the search comes back to where it began.
        moment = following if following is None or following.astimezone(UTC) > found[-1] else None
    return found


def _has_a_reason(expression: str, name: str) -> bool:
    return name in ("Australia/Lord_Howe", "Pacific/Chatham", "Antarctica/Troll") or (
        skips_midnight(name) and expression.split()[2:] != ["*", "*", "*"]
    )


def _expression(source: random.Random) -> str:
    return five_fields(source, sunday=6)


def test_random_expressions_fire_as_robfig_says() -> None:
    """Around clock changes mostly, in every kind of zone."""
    result = compare("robfig", _oracle, seed=3, count=500, expression=_expression, has_a_reason=_has_a_reason)
    assert not result.wrong
    assert result.explained < result.compared / 30


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_more_fire_as_robfig_says(seed: int) -> None:
    """The same with other seeds."""
    assert not compare(
        "robfig", _oracle, seed=seed, count=4_000, expression=_expression, has_a_reason=_has_a_reason
    ).wrong


def test_not_in_a_gap_and_twice_in_a_doubled_hour() -> None:
    """Berlin in 2027: no run on 28 March at 02:30, two on 31 October."""
    pattern = parse_text("robfig", "30 2 * * *")
    spring = list(
        firings(pattern, "Europe/Berlin", datetime(2027, 3, 27, tzinfo=UTC), datetime(2027, 3, 30, tzinfo=UTC))
    )
    assert [moment.day for moment in spring] == [27, 29]
    autumn = list(
        firings(
            pattern, "Europe/Berlin", datetime(2027, 10, 30, 12, tzinfo=UTC), datetime(2027, 10, 31, 12, tzinfo=UTC)
        )
    )
    assert [moment.hour for moment in autumn] == [0, 1]
