"""Which dates of a month a pattern names: weekdays, days from the end, nearest working days, and how they combine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from anchorlint.manifests.calendar.pattern import Days, Pattern

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@lru_cache(maxsize=8192)
def days_of_month(days: Days, first_weekday: int, length: int) -> tuple[int, ...]:
    """The matching days of a month that begins on `first_weekday` (Monday = 0) and has `length` days, ascending."""
    if days.both and days.any_date and days.any_weekday and not (days.from_last or days.near or days.nth):
        return tuple(range(1, length + 1))
    dates = _by_date(days, first_weekday, length)
    weekdays = _by_weekday(days, first_weekday, length)
    return tuple(sorted(dates & weekdays if days.both else dates | weekdays))


def _by_date(days: Days, first_weekday: int, length: int) -> set[int]:
    found = {day for day in days.dates if day <= length}
    found |= {length - back for back in days.from_last if back < length}
    found |= {_working_day(day or length, first_weekday, length, last=not day) for day in days.near if day <= length}
    return found


def _working_day(day: int, first_weekday: int, length: int, *, last: bool) -> int:
    """The working day nearest to `day` within the month; for the last one only earlier days count."""
    weekday = (first_weekday + day - 1) % 7
    if weekday == 5:
        return day - 1 if day > 1 else 3
    if weekday == 6:
        return day - 2 if last or day == length else day + 1
    return day


def _by_weekday(days: Days, first_weekday: int, length: int) -> set[int]:
    wanted = set(days.weekdays)
    found = {day for day in range(1, length + 1) if (first_weekday + day - 1) % 7 in wanted}
    for weekday, number in days.nth:
        same = range((weekday - first_weekday) % 7 + 1, length + 1, 7)
        if number == -1:
            found.add(same[-1])
        elif number <= len(same):
            found.add(same[number - 1])
    return found


def dates(pattern: Pattern, first: date, last: date) -> Iterator[int]:
    """The matching local dates from `first` to `last`, both inclusive, as ordinals, ascending."""
    low, high = first.toordinal(), last.toordinal()
    months = set(pattern.months)
    for year in range(first.year, last.year + 1):
        if pattern.years and year not in pattern.years:
            continue
        for month in range(1, 13):
            if month not in months:
                continue
            before = date(year, month, 1).toordinal() - 1
            length = 29 if month == 2 and _leap(year) else _LENGTHS[month - 1]
            if before + length < low or before >= high:
                continue
            for day in days_of_month(pattern.days, before % 7, length):
                ordinal = before + day
                if low <= ordinal <= high and (not pattern.weeks or _week(ordinal) in pattern.weeks):
                    yield ordinal


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _week(ordinal: int) -> int:
    return date.fromordinal(ordinal).isocalendar()[1]
