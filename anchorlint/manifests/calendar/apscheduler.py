"""How APScheduler 3 finds its next run: field by field, adding wall-clock distances to real time.

That way it lands late when a search crosses the spring change: a daily job at 00:30 is left out on the day after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from anchorlint.manifests.calendar.dates import days_of_month
from anchorlint.manifests.calendar.pattern import Days, Pattern
from anchorlint.manifests.calendar.zones import Change

_NAMES = ("year", "month", "day", "week", "weekday", "hour", "minute", "second")
_REAL = ("year", "month", "day", "hour", "minute", "second")
_LEAST = {"month": 1, "day": 1, "hour": 0, "minute": 0, "second": 0}
_MOST = {"month": 12, "hour": 23, "minute": 59, "second": 59}
_YEARS = 8


def corrected(
    pattern: Pattern,
    place: ZoneInfo,
    changes: Sequence[Change],
    plain: Callable[[int, int], list[int]],
    last: int | None,
) -> Iterator[list[int]]:
    """The instants of the whole window: `plain` firings, replaced from before each clock change to after it.

    `plain(low, high)` gives the firings that the wall clock names; `last` is the one before the window.
    """
    since: int | None = None
    for change in changes:
        size = abs(change.after_s - change.before_s)
        if last is not None and last >= change.instant + size:
            continue
        before = plain(_begin(since), change.instant - size)
        yield before
        last = before[-1] if before else last
        # Without a run before it the search begins when the scheduler does, on this side of the change.
        found = [next_run(pattern, place, change.instant - size - 1 if last is None else last)]
        while found[-1] is not None and found[-1] < change.instant + size:
            found.append(next_run(pattern, place, found[-1]))
        walked = [instant for instant in found if instant is not None]
        yield walked
        if found[-1] is None:
            return
        last, since = walked[-1], walked[-1] + 1
    yield plain(_begin(since), 1 << 60)


def _begin(since: int | None) -> int:
    return -(1 << 60) if since is None else since


def next_run(pattern: Pattern, place: ZoneInfo, after: int) -> int | None:
    """The run that APScheduler computes after one at `after` (epoch seconds), None if none within eight years."""
    moment = datetime.fromtimestamp(after + 1, place)
    last_year = moment.year + _YEARS
    number = 0
    while 0 <= number < len(_NAMES):
        if moment.year > last_year:
            return None
        name = _NAMES[number]
        wanted = _next_value(pattern, name, moment)
        if wanted is None:
            moment, number = _increment(moment, number - 1)
        elif wanted == _value(name, moment):
            number += 1
        elif name in _REAL:
            moment = _set(moment, name, wanted)
            number += 1
        else:
            moment, number = _increment(moment, number)
    return int(moment.timestamp()) if number >= 0 else None


def _value(name: str, moment: datetime) -> int:
    if name == "week":
        return moment.isocalendar()[1]
    if name == "weekday":
        return moment.weekday()
    value: int = getattr(moment, name)
    return value


def _next_value(pattern: Pattern, name: str, moment: datetime) -> int | None:
    values = _values(pattern, name, moment)
    value = _value(name, moment)
    if values is None:
        return value
    place = bisect_left(values, value)
    return values[place] if place < len(values) else None


def _values(pattern: Pattern, name: str, moment: datetime) -> Sequence[int] | None:
    """The values that the field allows now, ascending; None for a field that allows everything."""
    if name == "day":
        first = moment.replace(day=1).weekday()
        dated = Days(pattern.days.dates, pattern.days.from_last, (), (), pattern.days.nth, both=False)
        return days_of_month(dated, first, _month_length(moment))
    if name == "weekday":
        return pattern.days.weekdays or None
    if name == "month":
        return pattern.months
    if name == "year":
        return pattern.years or None
    if name == "week":
        return pattern.weeks or None
    return _clock_values(pattern)[name]


@lru_cache(maxsize=256)
def _clock_values(pattern: Pattern) -> dict[str, tuple[int, ...]]:
    return {
        "hour": tuple(sorted({time // 3600 for time in pattern.times})),
        "minute": tuple(sorted({time // 60 % 60 for time in pattern.times})),
        "second": tuple(sorted({time % 60 for time in pattern.times})),
    }


def _month_length(moment: datetime) -> int:
    following = moment.replace(day=28, tzinfo=None) + timedelta(days=4)
    return (following - timedelta(days=following.day)).day


def _increment(moment: datetime, number: int) -> tuple[datetime, int]:
    """One more of a field, all below it at their least: the wall-clock distance is added to real time."""
    while number >= 0:
        name = _NAMES[number]
        if name in _REAL:
            most = _month_length(moment) if name == "day" else _MOST.get(name, 9999)
            if _value(name, moment) != most:
                break
        number -= 1
    if number < 0:
        return moment, number
    name = _NAMES[number]
    target = _lowered(moment, name, _value(name, moment) + 1)
    distance = target - moment.replace(tzinfo=None)
    place = moment.tzinfo
    return (moment.astimezone(UTC) + distance).astimezone(place), number


def _lowered(moment: datetime, name: str, value: int) -> datetime:
    place = _REAL.index(name)
    kept = {above: _value(above, moment) for above in _REAL[:place]}
    below = {under: _LEAST[under] for under in _REAL[place + 1 :]}
    return datetime(**{**kept, name: value, **below})  # type: ignore[arg-type]


def _set(moment: datetime, name: str, value: int) -> datetime:
    return _lowered(moment, name, value).replace(tzinfo=moment.tzinfo, fold=moment.fold)
