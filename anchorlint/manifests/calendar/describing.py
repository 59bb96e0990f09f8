"""A pattern in a few English words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
        words.append("in " + _list(_runs(pattern.months, lambda month: _MONTHS[month - 1])))
    if pattern.years:
        words.append(_years(pattern.years))
    return " ".join(word for word in words if word)


def _times(times: Sequence[int]) -> str:
    steps = {later - earlier for earlier, later in zip(times, times[1:], strict=False)}
    if len(steps) == 1 and len(times) > 1:
        step = steps.pop()
        if times[0] + 86400 - times[-1] == step:
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
    words = [word for word in (_dates(days), _weekdays(days)) if word]
    if not words or (not days.both and (days.any_date or days.any_weekday)):
        return ""
    return "on " + (" if it is " if days.both else " or ").join(words)


def _dates(days: Days) -> str:
    words = []
    if days.dates and not days.any_date:
        words.append("day " + _list(_runs(days.dates, str)))
    words += [_from_last(run) for run in _stretches(sorted(days.from_last))]
    words += ["the last working day" if not day else f"the working day nearest to {day}" for day in days.near]
    return _list(words)


def _from_last(run: Sequence[int]) -> str:
    if run[0] == 0:
        return "the last day" if len(run) == 1 else f"the last {len(run)} days"
    return " and ".join(f"the day {back} before the last" for back in run)


def _weekdays(days: Days) -> str:
    words = []
    if days.weekdays and not days.any_weekday:
        words += _runs(days.weekdays, _DAYS.__getitem__)
    words += [f"the {_ORDINALS[number]} {_DAYS[day]}" for day, number in days.nth]
    return _list(words)


def _years(years: Sequence[int]) -> str:
    words = _runs(years, str)
    return f"in {_list(words)}" if len(words) < 6 else f"in {len(years)} years from {years[0]}"


def _runs(numbers: Sequence[int], name: Callable[[int], str]) -> list[str]:
    """The names, with three or more in a row as first-last, five or more at one distance as first-last/step."""
    words: list[str] = []
    steps = {later - earlier for earlier, later in zip(numbers, numbers[1:], strict=False)}
    if len(numbers) > 4 and len(steps) == 1 and (step := steps.pop()) > 1:
        return [f"{name(numbers[0])}-{name(numbers[-1])}/{step}"]
    for run in _stretches(numbers):
        words += [f"{name(run[0])}-{name(run[-1])}"] if len(run) > 2 else [name(number) for number in run]
    return words


def _stretches(numbers: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)
