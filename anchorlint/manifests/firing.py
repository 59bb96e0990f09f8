"""When the schedules of a timetable fire: patterns, instants and local dates, each worked out once."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import calendar
from anchorlint.manifests.calendar import Invalid, Pattern

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable


def pattern(schedule: Schedule) -> Pattern | None:
    """What the schedule's expression means; None without one, or when it or its zone is refused."""
    if schedule.firing is None or not calendar.valid_zone(schedule.firing.zone):
        return None
    try:
        return calendar.parse(schedule.firing)
    except Invalid:
        return None


def clocked(schedule: Schedule) -> Pattern | None:
    """The pattern if it fires at known instants, None for periods whose phase nobody knows."""
    found = pattern(schedule)
    return None if found is None or found.floating or found.never or found.every_s is not None else found


def instants(timetable: Timetable, schedule: Schedule) -> tuple[int, ...]:
    """Every instant of a schedule with a clock from two days before `as_of` to 13 months after, in epoch seconds."""
    found = clocked(schedule)
    if found is None or schedule.firing is None:
        return ()
    return _instants(found, schedule.firing.zone, *timetable.window_s)


@lru_cache(maxsize=256)
def _instants(found: Pattern, zone: str, start_s: int, end_s: int) -> tuple[int, ...]:
    from datetime import UTC, datetime

    start, end = datetime.fromtimestamp(start_s, UTC), datetime.fromtimestamp(end_s, UTC)
    return tuple(calendar.firing_seconds(found, zone, start, end))


def local_dates(timetable: Timetable, schedule: Schedule, zone: str, days: int) -> frozenset[date] | None:
    """The dates in `zone` on which a schedule fires, from two days before `as_of` to `days` after.

    None if nobody can say: an expression that is refused, or a period longer than a day.
    """
    found = pattern(schedule)
    if found is None or found.never:
        return None
    start, end = timetable.as_of - timedelta(days=2), timetable.as_of + timedelta(days=days)
    if found.every_s is not None or found.floating:
        return None if found.every_s is None or found.every_s > 86400 else _all_dates(start.date(), end.date())
    assert schedule.firing is not None
    own = found.zone or schedule.firing.zone
    if own == zone:
        return frozenset(calendar.local_dates(found, own, start, end))
    place = calendar.zone(zone)
    return frozenset(instant.astimezone(place).date() for instant in calendar.firings(found, own, start, end))


def _all_dates(first: date, last: date) -> frozenset[date]:
    return frozenset(first + timedelta(days=number) for number in range((last - first).days + 1))
