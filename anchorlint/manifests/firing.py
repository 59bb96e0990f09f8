"""When the schedules of a timetable fire: patterns, instants and local dates, each worked out once."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import calendar
from anchorlint.manifests.calendar import Invalid, Pattern
from anchorlint.manifests.calendar.zones import Clock
from anchorlint.manifests.calendar.zones import clock as calendar_clock

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable

_EPOCH = date(1970, 1, 1).toordinal()


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


def instants(timetable: Timetable, schedule: Schedule) -> Sequence[int]:
    """Every instant of a schedule with a clock from two days before `as_of` to 13 months after, in epoch seconds."""
    found = clocked(schedule)
    if found is None or schedule.firing is None:
        return ()
    expand = _instants if dense(found) else _few_instants
    return expand(found, schedule.firing.zone, *timetable.window_s)


def dense(found: Pattern) -> bool:
    """Whether a pattern has so many firings that they are better not all kept or looked at."""
    return len(found.times) > 8


@lru_cache(maxsize=2048)
def _few_instants(found: Pattern, zone: str, start_s: int, end_s: int) -> Sequence[int]:
    return _instants.__wrapped__(found, zone, start_s, end_s)


@lru_cache(maxsize=16)
def _instants(found: Pattern, zone: str, start_s: int, end_s: int) -> Sequence[int]:
    start, end = datetime.fromtimestamp(start_s, UTC), datetime.fromtimestamp(end_s, UTC)
    return array("q", calendar.firing_seconds(found, zone, start, end))


def first_instants(timetable: Timetable, schedule: Schedule, zone: str) -> dict[int, int]:
    """The first instant (epoch seconds) of a schedule on each local date of `zone` (an ordinal) that it has."""
    at = instants(timetable, schedule)
    days = _midnights(zone, *timetable.window_s)
    found: dict[int, int] = {}
    place = 0
    for (ordinal, low), (_, high) in zip(days, days[1:], strict=False):
        place = bisect_left(at, low, place)
        if place < len(at) and at[place] < high:
            found[ordinal] = at[place]
    return found


@lru_cache(maxsize=64)
def _midnights(zone: str, start_s: int, end_s: int) -> tuple[tuple[int, int], ...]:
    """Each local date (an ordinal) from one instant to another with the instant at which it begins."""
    first = datetime.fromtimestamp(start_s, UTC)
    last = datetime.fromtimestamp(end_s, UTC) + timedelta(days=2)
    local = calendar_clock(zone, first.year - 1, last.year + 1)
    return tuple(
        (ordinal, _begin((ordinal - _EPOCH) * 86400, local))
        for ordinal in range(first.toordinal() - 1, last.toordinal())
    )


def _begin(midnight: int, local: Clock) -> int:
    """The first instant that shows local midnight or later (where midnight itself is left out)."""
    shown = local.instants(midnight)
    if shown:
        return shown[0]
    change = local.skipping(midnight)
    return change.instant if change else midnight - local.offset(midnight)


def local_dates(timetable: Timetable, schedule: Schedule, zone: str, days: int) -> frozenset[int] | None:
    """The dates (ordinals) in `zone` on which a schedule fires, from two days before `as_of` to `days` after.

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
        return _own_dates(found, own, start, end)
    return frozenset(first_instants(timetable, schedule, zone))


@lru_cache(maxsize=1024)
def _own_dates(found: Pattern, zone: str, start: datetime, end: datetime) -> frozenset[int]:
    return frozenset(day.toordinal() for day in calendar.local_dates(found, zone, start, end))


def _all_dates(first: date, last: date) -> frozenset[int]:
    return frozenset(range(first.toordinal(), last.toordinal() + 1))
