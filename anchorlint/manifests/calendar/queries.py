"""Questions to a pattern: its firings, the next and the previous one, its shortest period, its local dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from anchorlint.manifests.calendar.dates import dates
from anchorlint.manifests.calendar.expansion import runs
from anchorlint.manifests.calendar.pattern import Pattern
from anchorlint.manifests.calendar.zones import zone

# 29 February can be eight years away (1896 to 1904, 2096 to 2104).
HORIZON = timedelta(days=8 * 366)
_STEPS = (timedelta(days=2), timedelta(days=40), timedelta(days=400), HORIZON)
_ZERO = datetime(1970, 1, 1, tzinfo=UTC)


def firings(pattern: Pattern, place: str | ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """The instants from `start` (inclusive) to `end` (exclusive), both aware, as aware UTC datetimes, ascending.

    They are what the engine of the dialect does, clock changes included. For a floating pattern they are examples with
    the right distances. Raises Invalid for an unknown zone.
    """
    steps: list[timedelta] = []
    for regular, instants in runs(pattern, place, _ceiling(start), _ceiling(end)):
        if not regular:
            yield from (datetime.fromtimestamp(instant, UTC) for instant in instants)
            continue
        if not steps:
            steps = [timedelta(seconds=instant - instants[0]) for instant in instants]
        yield from map(datetime.fromtimestamp(instants[0], UTC).__add__, steps)


def firing_seconds(pattern: Pattern, place: str | ZoneInfo, start: datetime, end: datetime) -> list[int]:
    """The same instants as whole seconds since 1970: several times faster where there are many."""
    batches = runs(pattern, place, _ceiling(start), _ceiling(end))
    return [instant for _, instants in batches for instant in instants]


def next_firing(pattern: Pattern, place: str | ZoneInfo, since: datetime) -> datetime | None:
    """The first firing at or after `since` (aware), None if there is none within eight years."""
    low = since
    for step in _STEPS:
        high = since + step
        found = next(firings(pattern, place, low, high), None)
        if found is not None:
            return found
        low = high
    return None


def previous(pattern: Pattern, place: str | ZoneInfo, before: datetime) -> datetime | None:
    """The last firing before `before` (aware), None if there is none within eight years."""
    high = before
    for step in _STEPS:
        low = before - step
        found = None
        for _, instants in runs(pattern, place, _ceiling(low), _ceiling(high)):
            found = instants[-1]
        if found is not None:
            return _ZERO + timedelta(seconds=found)
        high = low
    return None


def shortest_period_s(pattern: Pattern, place: str | ZoneInfo, start: datetime, end: datetime) -> float | None:
    """The smallest distance in seconds of two neighbouring firings from `start` to `end`; None if fewer than two."""
    if pattern.every_s is not None:
        return pattern.every_s
    shortest: float | None = None
    last: int | None = None
    usual: int | None = None
    for regular, instants in runs(pattern, place, _ceiling(start), _ceiling(end)):
        gaps = [] if last is None else [instants[0] - last]
        if len(instants) > 1:
            inner = usual if regular and usual is not None else _smallest_gap(instants)
            usual = inner if regular else usual
            gaps.append(inner)
        last = instants[-1]
        shortest = min([*gaps, *([] if shortest is None else [shortest])], default=None)
    return shortest


def _smallest_gap(instants: Sequence[int]) -> int:
    return min(later - earlier for earlier, later in zip(instants, instants[1:], strict=False))


def local_dates(pattern: Pattern, place: str | ZoneInfo, start: datetime, end: datetime) -> Iterator[date]:
    """The local dates that the pattern names and that overlap `start` (inclusive) to `end` (exclusive), ascending.

    A date counts even if the clock change leaves out its only time. Raises Invalid for an unknown zone.
    """
    local = place_of(pattern, place)
    if start >= end or pattern.never:
        return
    first, last = start.astimezone(local).date(), (end - timedelta(microseconds=1)).astimezone(local).date()
    if pattern.every_s is None and pattern.at is None:
        yield from map(date.fromordinal, dates(pattern, first, last))
        return
    seen: date | None = None
    for instant in firings(pattern, place, start, end):
        day = instant.astimezone(local).date()
        if day != seen:
            yield day
        seen = day


def place_of(pattern: Pattern, given: str | ZoneInfo) -> ZoneInfo:
    """The zone that the pattern follows: its own, or else the given one; raises Invalid if it is unknown."""
    name = pattern.zone or given
    return zone(name) if isinstance(name, str) else name


def _ceiling(instant: datetime) -> int:
    """Whole epoch seconds at or after an aware instant."""
    delta = instant - _ZERO
    return delta.days * 86400 + delta.seconds + (delta.microseconds > 0)
