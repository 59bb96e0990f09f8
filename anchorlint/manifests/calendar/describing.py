"""A pattern in a few English words."""

from __future__ import annotations

from collections.abc import Sequence

from anchorlint.domain.duration import spoken
from anchorlint.manifests.calendar.pattern import Days, Pattern

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}


def describe(pattern: Pattern) -> str:
    """When it fires, in short English: "at 02:30 on Monday", "every 15m", "at 09:00 on day 1 or Monday"."""
    if pattern.every_s is not None:
        return f"every {spoken(pattern.every_s)}"
    if pattern.at is not None:
        return f"once, at {pattern.at.replace('T', ' ')}"
    if pattern.never:
        return "at start-up"
    words = [_times(pattern.times), _days(pattern.days)]
    if len(pattern.months) < 12:
        words.append("in " + _list([_MONTHS[month - 1] for month in pattern.months], _runs_of(pattern.months)))
    if pattern.years:
        words.append("in " + _list([str(year) for year in pattern.years], _runs_of(pattern.years)))
    return " ".join(word for word in words if word)


def _times(times: Sequence[int]) -> str:
    steps = {later - earlier for earlier, later in zip(times, times[1:], strict=False)}
    if len(steps) == 1 and len(times) > 1:
        step = steps.pop()
        if times[0] < step and times[-1] + step >= 86400:
            first = "" if times[0] == 0 else f" from {_clock(times[0])}"
            return f"every {spoken(step)}{first}"
        if len(times) > 3:
            return f"every {spoken(step)} from {_clock(times[0])} to {_clock(times[-1])}"
    if len(times) <= 4:
        return "at " + _list([_clock(time) for time in times])
    return f"{len(times)} times a day, from {_clock(times[0])} to {_clock(times[-1])}"


def _clock(time: int) -> str:
    second = time % 60
    return f"{time // 3600:02}:{time // 60 % 60:02}" + (f":{second:02}" if second else "")


def _days(days: Days) -> str:
    by_date, by_weekday = _dates(days), _weekdays(days)
    if not by_date or not by_weekday:
        nothing_left_out = (not days.both) or not (by_date or by_weekday)
        return "" if nothing_left_out else f"on {by_date or by_weekday}"
    return f"on {by_date} {'if it is' if days.both else 'or'} {by_weekday}"


def _dates(days: Days) -> str:
    words = []
    if days.dates and not days.any_date:
        words.append("day " + _list([str(day) for day in days.dates], _runs_of(days.dates)))
    words += ["the last day" if not back else f"the day {back} before the last" for back in days.from_last]
    words += ["the last working day" if not day else f"the working day nearest to {day}" for day in days.near]
    return _list(words)


def _weekdays(days: Days) -> str:
    words = []
    if days.weekdays and not days.any_weekday:
        words.append(_list([_DAYS[day] for day in days.weekdays], _runs_of(days.weekdays)))
    words += [f"the {_ORDINALS[number]} {_DAYS[day]}" for day, number in days.nth]
    return _list(words)


def _runs_of(numbers: Sequence[int]) -> bool:
    return len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1


def _list(words: Sequence[str], one_run: bool = False) -> str:
    if one_run:
        return f"{words[0]}-{words[-1]}"
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + f" and {words[-1]}"
