"""Expressions that an engine accepts and that fire otherwise than they read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from anchorlint.manifests.calendar.dates import days_of_month
from anchorlint.manifests.calendar.describing import describe
from anchorlint.manifests.calendar.dialects import Dialect, dialects
from anchorlint.manifests.calendar.fields import WEEKDAYS
from anchorlint.manifests.calendar.pattern import Days, Field, Pattern, whole

Kind = Literal[
    "never", "long-step", "uneven-step", "whole-range", "weekday-number", "either-day", "every-minute", "too-often"
]
_STEP = re.compile(r"(\*|\?|\d+)/(\d+)$", re.ASCII)
_NEARLY = 0.75
_TURN = {"second": 60, "minute": 60, "hour": 24}
_WHOLE = {"second": "minute", "minute": "hour", "hour": "day"}
_LENGTHS = {1: (31,), 2: (28, 29), 4: (30,), 6: (30,), 9: (30,), 11: (30,)}


class Surprise(msgspec.Struct, frozen=True):
    """What an expression really does where it reads otherwise.

    `offset` and `length` are the piece in question, in code points of the expression. `certain` is False where a
    careful author may well mean just that.
    """

    kind: Kind
    message: str
    offset: int
    length: int
    certain: bool


def surprises(pattern: Pattern) -> tuple[Surprise, ...]:
    """Everything about the pattern that reads one way and fires another, in the order of the text."""
    row = dialects().get(pattern.dialect)
    if pattern.every_s is not None or pattern.at is not None or pattern.never or not pattern.fields:
        return ()
    found = [*_never(pattern), *(surprise for field in pattern.fields for surprise in _steps(field))]
    found += _every_minute(pattern)
    if row is not None:
        found += [
            *_whole_ranges(pattern, row),
            *_weekday_numbers(pattern, row),
            *_either_day(pattern, row),
            *_too_often(pattern, row),
        ]
    return tuple(sorted(found, key=lambda surprise: surprise.offset))


def can_fire(pattern: Pattern) -> bool:
    """Whether any date of any year matches (years that the expression lists are not looked at)."""
    return any(
        days_of_month(pattern.days, first, length)
        for month in pattern.months
        for length in _LENGTHS.get(month, (31,))
        for first in range(7)
    )


def _never(pattern: Pattern) -> Iterator[Surprise]:
    if can_fire(pattern):
        return
    day = pattern.field("day") or pattern.fields[0]
    length = len(pattern.expression) - day.offset if pattern.field("day") is None else len(day.text)
    yield Surprise("never", f"it never fires: no date matches {_dates_in_words(pattern)}", day.offset, length, True)


def _dates_in_words(pattern: Pattern) -> str:
    words = describe(pattern)
    place = words.find(" on ")
    return f'"{words[place + 4 :]}"' if place >= 0 else f'"{pattern.expression}"'


def _steps(field: Field) -> Iterator[Surprise]:
    turn = _TURN.get(field.name)
    place = field.offset
    for item in field.text.split(",") if turn else ():
        match = _STEP.match(item)
        if match and turn:
            first, step = (0 if match[1] in "*?" else whole(match[1])), whole(match[2])
            found = _step(field.name, item, place, (first, step, turn))
            if found:
                yield found
        place += len(item) + 1


def _step(name: str, item: str, place: int, numbers: tuple[int, int, int]) -> Surprise | None:
    first, step, turn = numbers
    values = range(first, turn, step)
    if step in (1, turn):
        return None
    if len(values) == 1:
        message = f"{item} fires once every {_WHOLE[name]}, at {name} {first}, not every {step} {name}s"
        return Surprise("long-step", message, place, len(item), first == 0 or step > turn)
    rest = turn - values[-1] + first
    if rest == step:
        return None
    few = len(values) < 7
    listed = ", ".join(str(value) for value in values) if few else f"{first}, {first + step} to {values[-1]}"
    message = f"{item} fires at {name} {listed} of every {_WHOLE[name]}: the last gap is {rest}, not {step} {name}s"
    # With two values a turn no gap is as written for long, unless both are nearly equal; with many it hardly matters.
    certain = item.startswith("*") and len(values) == 2 and rest < _NEARLY * step
    return Surprise("uneven-step", message, place, len(item), certain)


def _whole_ranges(pattern: Pattern, row: Dialect) -> Iterator[Surprise]:
    for field in pattern.fields if row.wrap == "croniter" else ():
        place = field.offset
        for item in field.text.split(","):
            first, _, last = item.partition("/")[0].partition("-")
            if first == last:
                message = f"{item} names every {field.name}: {row.title} reads a range of one as the whole circle"
                yield Surprise("whole-range", message, place, len(item), True)
            place += len(item) + 1


def _every_minute(pattern: Pattern) -> Iterator[Surprise]:
    minute, hour = pattern.field("minute"), pattern.field("hour")
    if minute is None or hour is None or minute.text != "*" or len(hour.values) != 1:
        return
    message = f"it fires 60 times, every minute from {hour.values[0]:02}:00 to {hour.values[0]:02}:59"
    yield Surprise("every-minute", message, minute.offset, 1, False)


def _weekday_numbers(pattern: Pattern, row: Dialect) -> Iterator[Surprise]:
    field = pattern.field("weekday")
    numbers = re.findall(r"(?<![#/0-9])[0-9]", field.text) if field else []
    if field is None or not numbers or row.monday == 1 or len(field.values) == 7:
        return
    named = ", ".join(WEEKDAYS[day].upper() for day in field.values) or WEEKDAYS[pattern.days.nth[0][0]].upper()
    sunday = (row.monday + 6) % 7
    message = f"weekday {field.text} is {named} here: {row.title} counts {sunday} as Sunday"
    # Monday to Friday in every other cron; nobody means Sunday to Thursday or Tuesday to Saturday by it.
    certain = field.text == "1-5" or (row.name == "apscheduler" and "=" not in pattern.expression)
    yield Surprise("weekday-number", message, field.offset, len(field.text), certain)


def _either_day(pattern: Pattern, row: Dialect) -> Iterator[Surprise]:
    day, weekday = pattern.field("day"), pattern.field("weekday")
    if day is None or weekday is None or pattern.days.both:
        return
    words = describe(pattern).partition(" on ")[2].partition(" in ")[0]
    message = f"it fires on {words}: {row.title} takes either field, not both"
    yield Surprise("either-day", message, day.offset, len(day.text), _week_of_month(pattern.days))


def _week_of_month(days: Days) -> bool:
    """Whether the dates are one seventh of a month and the weekday one: "the first Monday" as many write it."""
    blocks = (tuple(range(first, min(first + 7, 32))) for first in (1, 8, 15, 22, 29))
    last = (tuple(range(25, 32)), tuple(range(24, 31)))
    return len(days.weekdays) == 1 and days.dates in (*blocks, *last)


def _too_often(pattern: Pattern, row: Dialect) -> Iterator[Surprise]:
    times = pattern.times
    gaps = [later - earlier for earlier, later in zip(times, times[1:], strict=False)]
    if not row.shortest_s or not gaps or min(gaps) >= row.shortest_s:
        return
    minute = pattern.fields[0]
    message = f"{row.title} fires at most every {row.shortest_s // 60} minutes, this asks for every {min(gaps) // 60}"
    yield Surprise("too-often", message, minute.offset, len(minute.text), True)
