"""How close firings come: of one schedule to its next, and of one schedule to another of the same workflow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

import msgspec

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests.calendar import Pattern, shortest_period_s
from anchorlint.manifests.calendar.zones import Clock, clock
from anchorlint.manifests.firing import clocked, dense, instants, pattern

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable

_DAY_S = 86400
_TWO_WEEKS_S = 16 * _DAY_S  # from two days before


class Gap(msgspec.Struct, frozen=True):
    """The shortest time in seconds from an earlier to a later firing, and the later firings that come too soon.

    Instants are epoch seconds. `closest` is the pair of the shortest gap, `first` the first three later instants that
    come too soon and `count` how many are known to; none of them for periods without a clock.
    """

    shortest_s: float
    closest: tuple[int, int] | None = None
    first: tuple[int, ...] = ()
    count: int = 0


def own_gap(timetable: Timetable, schedule: Schedule, length_s: float) -> Gap | None:
    """The gap of a schedule to its own next firing if it gets shorter than `length_s` seconds, else None."""
    found = pattern(schedule)
    if found is None or found.never:
        return None
    if found.every_s is not None:
        return Gap(found.every_s) if found.every_s < length_s else None
    if found.floating or _least_s(timetable, schedule, schedule, False) >= length_s:
        return None
    at = instants(timetable, schedule)
    return _soon(timetable, schedule, at, length_s) or _gap(timetable, _neighbours(at), length_s)


def _soon(timetable: Timetable, schedule: Schedule, at: Sequence[int], length_s: float) -> Gap | None:
    """The gap of a schedule with many firings by its shortest period and the firings of the next two weeks alone."""
    found = clocked(schedule)
    if found is None or schedule.firing is None or not dense(found):
        return None
    start, end = (datetime.fromtimestamp(second, UTC) for second in timetable.window_s)
    shortest_s = shortest_period_s(found, schedule.firing.zone, start, end)
    near = _gap(timetable, _neighbours(at[: bisect_left(at, at[0] + _TWO_WEEKS_S)]), length_s) if at else None
    return msgspec.structs.replace(near, shortest_s=shortest_s) if near and shortest_s is not None else None


def _neighbours(at: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(at, islice(at, 1, None), strict=False)


def gap(timetable: Timetable, earlier: Schedule, later: Schedule, length_s: float, *, together: bool) -> Gap | None:
    """The gap from `earlier` to `later` if it gets shorter than `length_s` seconds, else None.

    Firings at the very same instant count as a gap of 0 only if `together`, so that they are told once.
    """
    if clocked(earlier) is None or clocked(later) is None:
        return None
    if _least_s(timetable, earlier, later, together) >= length_s:
        return None
    before, after = instants(timetable, earlier), instants(timetable, later)
    if len(before) < len(after):
        return _gap(timetable, _following(before, after, together, length_s), length_s)
    return _gap(timetable, _pairs(before, after, together), length_s)


def _gap(timetable: Timetable, pairs: Iterable[tuple[int, int]], length_s: float) -> Gap | None:
    since = timetable.as_of.timestamp()
    shortest, closest, first, count = length_s, None, [], 0
    for before, after in pairs:
        between = after - before
        if between < length_s and after >= since:
            count += 1
            if count <= 3:
                first.append(after)
            if between < shortest:
                shortest, closest = between, (before, after)
    return Gap(shortest, closest, tuple(first), count) if count else None


def _pairs(earlier: Sequence[int], later: Sequence[int], together: bool) -> Iterator[tuple[int, int]]:
    """Each later instant with the newest earlier one before it."""
    for after in later:
        place = bisect_left(earlier, after + together)
        if place:
            yield earlier[place - 1], after


def _following(
    earlier: Sequence[int], later: Sequence[int], together: bool, length_s: float
) -> Iterator[tuple[int, int]]:
    """The same pairs where there are few earlier instants, without those further apart than `length_s` seconds."""
    for number, before in enumerate(earlier):
        end = min(before + length_s, earlier[number + 1] + (not together) if number + 1 < len(earlier) else inf)
        place = bisect_left(later, before + (not together))
        while place < len(later) and later[place] < end:
            yield before, later[place]
            place += 1


def _least_s(timetable: Timetable, earlier: Schedule, later: Schedule, together: bool) -> float:
    """A lower bound in seconds of the gap, from the times of day alone: saves expanding what never comes close."""
    first, second = clocked(earlier), clocked(later)
    if first is None or second is None or first.at is not None or second.at is not None:
        return 0
    before, after = _zone_clock(timetable, first, earlier), _zone_clock(timetable, second, later)
    moved_s = max(
        (abs(change.after_s - change.before_s) for zone in (before, after) for change in zone.changes), default=0
    )
    shifts = {0} if before is after else {a - b for a in _offsets(after) for b in _offsets(before)}
    return min(_least_between(first.times, second.times, shift, together) for shift in shifts) - moved_s


def _least_between(earlier: Sequence[int], later: Sequence[int], shift_s: int, together: bool) -> int:
    """The shortest time from one of `earlier` to one of `later` round the day; the later clock is `shift_s` ahead."""
    least = _DAY_S
    for time in later:
        moved = (time - shift_s) % _DAY_S
        place = bisect_left(earlier, moved + together)
        least = min(least, moved - earlier[place - 1] if place else moved + _DAY_S - earlier[-1])
    return least


def _zone_clock(timetable: Timetable, found: Pattern, schedule: Schedule) -> Clock:
    zone = schedule.firing.zone if schedule.firing else "UTC"
    return clock(found.zone or zone, timetable.as_of.year, timetable.as_of.year + 2)


def _offsets(local: Clock) -> set[int]:
    return {local.first_s, *(change.after_s for change in local.changes)}


class DayOrder:
    """The times of day of some schedules, to find those that may fire soon after another one."""

    def __init__(self, timetable: Timetable, group: Sequence[Schedule]) -> None:
        self._timetable = timetable
        self._group = group
        self._moved_s = 0
        times: set[tuple[int, int]] = set()
        for place, schedule in enumerate(group):
            times.update((time, place) for time in self._utc_times(schedule))
        self._times = sorted(times)

    def _utc_times(self, schedule: Schedule) -> set[int]:
        found = clocked(schedule)
        if found is None:
            return set()
        local = _zone_clock(self._timetable, found, schedule)
        self._moved_s = max([self._moved_s, *(abs(c.after_s - c.before_s) for c in local.changes)])
        times = range(0, _DAY_S, 60) if found.at is not None else found.times
        return {(time - offset) % _DAY_S for time in times for offset in _offsets(local)}

    def soon_after(self, schedule: Schedule, length_s: float) -> list[Schedule]:
        """The others that may fire less than `length_s` seconds after `schedule`, and perhaps more."""
        within = int(length_s) + 1 + 2 * self._moved_s
        if within >= _DAY_S:
            return [other for other in self._group if other is not schedule]
        places: set[int] = set()
        for time in self._utc_times(schedule):
            first = (time - self._moved_s) % _DAY_S
            places |= self._between(first, first + within)
            places |= self._between(first - _DAY_S, first - _DAY_S + within)
        return [self._group[place] for place in sorted(places) if self._group[place] is not schedule]

    def _between(self, low: int, high: int) -> set[int]:
        first, last = bisect_left(self._times, (low, 0)), bisect_left(self._times, (high + 1, 0))
        return {place for _, place in self._times[first:last]}


def longest_gap_s(timetable: Timetable, writers: Sequence[Schedule], reader: Schedule) -> float | None:
    """The longest time in seconds from the last firing of any of `writers` to one of `reader`, None if unknown."""
    own = [pattern(writer) for writer in writers]
    if any(found is None or found.every_s is not None for found in own):
        return own[0].every_s if own == [pattern(reader)] and own[0] is not None else None
    before = sorted({at for writer in writers for at in instants(timetable, writer)})
    pairs = _pairs(before, instants(timetable, reader), False)
    return max((later - earlier for earlier, later in pairs), default=None)
