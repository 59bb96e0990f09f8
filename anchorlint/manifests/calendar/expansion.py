"""From a pattern to its instants: whole local days at the day's offset, a closer look only where the clock changes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from anchorlint.manifests.calendar.dates import dates
from anchorlint.manifests.calendar.dialects import REAL_TIME, Handling, dialects
from anchorlint.manifests.calendar.pattern import Pattern
from anchorlint.manifests.calendar.zones import Change, Clock, clock, zone

_DAY_S = 86400
_LONGEST_BREAK_S = 400 * _DAY_S
_EPOCH = date(1970, 1, 1).toordinal()
_NEVER = 10**12  # seconds since 1970, beyond the last year that there is
_ZERO = datetime(1970, 1, 1, tzinfo=UTC)


def handling(pattern: Pattern) -> Handling:
    """What the engine does with wall times of this pattern that are skipped or doubled."""
    if pattern.real_time:
        return REAL_TIME
    if pattern.dialect == "systemd":
        return Handling("jump", "first")
    row = dialects().get(pattern.dialect)
    return row.handling if row else REAL_TIME


def clock_of(pattern: Pattern, given: str | ZoneInfo, first: date, last: date) -> Clock:
    """The local clock that the pattern follows around these dates; raises Invalid for an unknown zone."""
    name = pattern.zone or (given if isinstance(given, str) else str(given.key))
    return clock(name, first.year, last.year)


def days(pattern: Pattern, clock: Clock, first: date, last: date) -> Iterator[tuple[int, int | None]]:
    """The matching dates from `first` to `last`, both inclusive, ascending.

    Each is its local midnight (seconds since 1970) and its offset, None where the clock changes.
    """
    offset = clock.first_s
    changes = iter([(change.low - _DAY_S, change.reach, change.after_s) for change in clock.changes])
    odd_from, odd_to, next_offset = next(changes, (_NEVER, _NEVER, 0))
    for ordinal in dates(pattern, first, last):
        midnight = (ordinal - _EPOCH) * _DAY_S
        while midnight >= odd_to:
            offset = next_offset
            odd_from, odd_to, next_offset = next(changes, (_NEVER, _NEVER, 0))
        yield midnight, (None if midnight > odd_from else offset)


def placed(local: int, clock: Clock, how: Handling) -> tuple[int, ...]:
    """The instants at which an engine runs what is due at a local time (both in seconds since 1970)."""
    shown = clock.instants(local)
    if not shown:
        change = clock.skipping(local)
        return () if change is None or how.gap in ("drop", "jump") else (_moved(local, change, how),)
    if len(shown) == 1 or how.fold == "both":
        return shown
    return shown[:1] if how.fold == "first" else shown[-1:]


def _moved(local: int, change: Change, how: Handling) -> int:
    return change.instant if how.gap == "after" else local - change.before_s


def runs(pattern: Pattern, given: str | ZoneInfo, start_s: int, end_s: int) -> Iterator[tuple[bool, Sequence[int]]]:
    """The instants from `start_s` (inclusive) to `end_s` (exclusive) in epoch seconds, ascending, usually a day each.

    The first of each pair is True for a whole day without a clock change: all of those differ by a shift alone.
    """
    if start_s >= end_s or pattern.never:
        return
    if pattern.every_s is not None:
        yield from _periodic(pattern.every_s, start_s, end_s)
        return
    first, last = _dates_around(start_s, end_s)
    local = clock_of(pattern, given, first, last)
    if pattern.dialect == "apscheduler" and local.changes:
        batches: Iterable[tuple[bool, Sequence[int]]] = _corrected(pattern, given, start_s, end_s)
    elif pattern.at:
        batches = [_single(pattern.at, local, handling(pattern))]
    else:
        batches = _days_of(pattern, local, first, last)
    for regular, instants in batches:
        if not instants or instants[-1] < start_s or instants[0] >= end_s:
            continue
        if instants[0] >= start_s and instants[-1] < end_s:
            yield regular, instants
        else:
            yield False, [instant for instant in instants if start_s <= instant < end_s]


def _corrected(
    pattern: Pattern, given: str | ZoneInfo, start_s: int, end_s: int
) -> Iterator[tuple[bool, Sequence[int]]]:
    from anchorlint.manifests.calendar.apscheduler import corrected

    def plain(low: int, high: int) -> list[int]:
        first, last = _dates_around(max(low, start_s), min(high, end_s))
        local = clock_of(pattern, given, first, last)
        found = [at for _, day in _days_of(pattern, local, first, last) for at in day]
        return found[bisect_left(found, max(low, start_s)) : bisect_left(found, min(high, end_s))]

    first, last = _dates_around(start_s - _LONGEST_BREAK_S, end_s)
    local = clock_of(pattern, given, first, last)
    before = _last_before(pattern, local, start_s)
    place = given if isinstance(given, ZoneInfo) else zone(given)
    crossed = [change for change in local.changes if (before or start_s) < change.instant < end_s]
    for instants in corrected(pattern, place, crossed, plain, before):
        yield False, instants


def _dates_around(start_s: int, end_s: int) -> tuple[date, date]:
    first, last = _ZERO + timedelta(seconds=start_s), _ZERO + timedelta(seconds=end_s)
    return first.date() - timedelta(days=2), last.date() + timedelta(days=2)


def _last_before(pattern: Pattern, local: Clock, start_s: int) -> int | None:
    for span_s in (3 * _DAY_S, 40 * _DAY_S, _LONGEST_BREAK_S):
        first, last = _dates_around(start_s - span_s, start_s)
        found = [at for _, day in _days_of(pattern, local, first, last) for at in day if at < start_s]
        if found:
            return found[-1]
    return None


def _single(at: str, local: Clock, how: Handling) -> tuple[bool, Sequence[int]]:
    moment = int((datetime.fromisoformat(at).replace(tzinfo=UTC) - _ZERO).total_seconds())
    return False, placed(moment, local, how)


def _days_of(pattern: Pattern, local: Clock, first: date, last: date) -> Iterator[tuple[bool, Sequence[int]]]:
    """The instants of each date; neighbouring odd dates come as one list, since their hours can interleave."""
    times, how = pattern.times, handling(pattern)
    odd: list[int] = []
    for midnight, offset in days(pattern, local, first, last):
        if offset is None:
            odd.append(midnight)
            continue
        if odd:
            yield False, _odd_days(odd, times, local, how)
            odd = []
        base = midnight - offset
        yield True, [base + time for time in times]
    yield False, _odd_days(odd, times, local, how)


def _odd_days(midnights: Sequence[int], times: Sequence[int], local: Clock, how: Handling) -> list[int]:
    walls = [midnight + time for midnight in midnights for time in times]
    found = {instant for wall in walls for instant in placed(wall, local, how)}
    if how.gap in ("first", "jump"):
        for change in local.changes:
            found = _first_of_gap(found, walls, change)
    return sorted(found)


def _first_of_gap(found: set[int], walls: Sequence[int], change: Change) -> set[int]:
    """Without what lies before the new place of the first skipped time, and without the other skipped times."""
    skipped = [wall - change.before_s for wall in walls if change.skips and change.low <= wall < change.high]
    if not skipped:
        return found
    shown = {wall - change.after_s for wall in walls if wall >= change.high}
    kept = {instant for instant in found if not change.instant <= instant < skipped[0]}
    return kept - (set(skipped[1:]) - shown)


def _periodic(every_s: float, start_s: int, end_s: int) -> Iterator[tuple[bool, Sequence[int]]]:
    """Multiples of the period since 1970: the phase is unknown, the distances are right."""
    step = max(1, round(every_s))
    first = -(-start_s // step) * step
    for chunk in range(first, end_s, step * 1024):
        yield False, range(chunk, min(end_s, chunk + step * 1024), step)
