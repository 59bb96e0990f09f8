"""Random cron expressions, zones and windows around clock changes, the same for every oracle; and a reader of its own.

Nothing here uses the calendar's own parser or expander: `matches` reads a field the plain way, so that the definition
it serves is independent of what it checks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import cache

import msgspec

from anchorlint.manifests.calendar import Invalid, Pattern, can_fire, firings, parse_text, zone

# New York and Paris stand for the many; the others for what the many are not: midnight gaps (Santiago, Cairo, Havana,
# Beirut), 30 minutes (Lord Howe), two hours (Troll), negative summer time (Dublin, Casablanca), the south, no change.
ZONES = (
    "America/New_York",
    "Europe/Paris",
    "Europe/Dublin",
    "America/Santiago",
    "Africa/Cairo",
    "America/Havana",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Africa/Casablanca",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Atlantic/Azores",
    "America/St_Johns",
    "America/Nuuk",
    "Asia/Kolkata",
    "UTC",
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
Number = Callable[[random.Random], int]


def clock_changes(name: str, first_year: int = 2026, last_year: int = 2028) -> list[datetime]:
    """The instants (UTC) at which the zone's offset changes, found by asking zoneinfo minute by minute."""
    place = zone(name)
    found: list[datetime] = []
    day = datetime(first_year, 1, 1, tzinfo=UTC)
    while day.year <= last_year:
        after = day + timedelta(days=1)
        if day.astimezone(place).utcoffset() != after.astimezone(place).utcoffset():
            minute = day
            while minute.astimezone(place).utcoffset() == day.astimezone(place).utcoffset():
                minute += timedelta(minutes=1)
            found.append(minute)
        day = after
    return found


@cache
def skips_midnight(name: str) -> bool:
    """Whether some day of the zone begins later than at 00:00, because its clock is put forward there."""
    for change in clock_changes(name):
        last, first = (moment.astimezone(zone(name)) for moment in (change - timedelta(minutes=1), change))
        if last.date() < first.date() and first.time() > time():
            return True
    return False


def window(source: random.Random, changes: Sequence[datetime], hours: int) -> datetime:
    """The start of a window of that many hours: around a clock change where the zone has one."""
    if changes and source.random() < 0.9:
        return source.choice(changes) - timedelta(minutes=source.randrange(hours * 60))
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=source.randrange(3 * 365 * 1440))


def five_fields(source: random.Random, *, sunday: int = 7, bare_steps: bool = True, names: bool = True) -> str:
    """A valid expression of five fields; hours lean to the night, where clocks change."""
    minute = _field(source, 0, 59, star=0.25, bare_steps=bare_steps)
    low_hours = source.random() < 0.6
    hour = _field(source, 0, 3 if low_hours else 23, star=0.25, bare_steps=bare_steps and not low_hours)
    day = _field(source, 1, 31, star=0.75, bare_steps=bare_steps)
    month = _field(source, 1, 12, star=0.8, bare_steps=bare_steps)
    weekday = _field(source, 0, sunday, star=0.65, bare_steps=bare_steps)
    if names and source.random() < 0.3 and weekday.isdigit():
        weekday = source.choice(_DAYS).upper()
    if names and source.random() < 0.3 and month.isdigit():
        month = source.choice(_MONTHS)
    return f"{minute} {hour} {day} {month} {weekday}"


def _field(source: random.Random, low: int, high: int, *, star: float, bare_steps: bool) -> str:
    draw = source.random()
    if draw < star:
        return "*" if source.random() < 0.6 else f"*/{source.randint(1, max(2, high // 2))}"
    if draw < star + (1 - star) * 0.6:
        return str(source.randint(low, high))
    return ",".join(_item(source, low, high, bare_steps) for _ in range(source.randint(1, 3)))


def _item(source: random.Random, low: int, high: int, bare_steps: bool) -> str:
    first = source.randint(low, high)
    last = source.randint(first, high)
    step = source.randint(1, max(2, (high - low) // 2))
    shapes = [str(first), f"{first}-{last}", f"{first}-{last}/{step}"]
    return source.choice([*shapes, f"{first}/{step}"] if bare_steps else shapes)


def matches(field: str, value: int, low: int, high: int, names: Sequence[str] = ()) -> bool:
    """Whether a field of `* , - /` and names holds a value, straight from the definition."""
    return any(_item_matches(item, value, low, high, names) for item in field.lower().split(","))


def _item_matches(item: str, value: int, low: int, high: int, names: Sequence[str]) -> bool:
    base, _, step = item.partition("/")
    for place, name in enumerate(names):
        base = base.replace(name, str(place + low))
    if base == "*":
        first, last = low, high
    elif "-" in base:
        first, last = (int(part) for part in base.split("-"))
    else:
        first = int(base)
        last = high if step else first
    return first <= value <= last and (value - first) % int(step or 1) == 0


def on_date(expression: str, local: datetime) -> bool:
    """Whether day, month and weekday of a Vixie expression name the local date."""
    _, _, day, month, weekday = expression.split()
    number = local.isoweekday() % 7
    by_day = matches(day, local.day, 1, 31)
    by_weekday = matches(weekday, number, 0, 7, _DAYS) or (
        number == 0 and not weekday.startswith("*") and matches(weekday, 7, 0, 7, _DAYS)
    )
    if not matches(month, local.month, 1, 12, _MONTHS):
        return False
    both = day.startswith("*") or weekday.startswith("*")
    return by_day and by_weekday if both else by_day or by_weekday


def at_time(expression: str, local: datetime) -> bool:
    """Whether minute and hour of an expression name the local time."""
    minute, hour = expression.split()[:2]
    return matches(minute, local.minute, 0, 59) and matches(hour, local.hour, 0, 23)


class Refused(Exception):
    """The oracle refuses the expression."""


class Comparison(msgspec.Struct):
    """How many expressions were compared, what differs for no known reason, and how many differ for a known one."""

    compared: int = 0
    explained: int = 0
    wrong: list[str] = []


def compare(
    dialect: str,
    oracle: Callable[[str, str, datetime, datetime], list[datetime]],
    *,
    seed: int,
    count: int,
    hours: int = 26,
    expression: Callable[[random.Random], str] = five_fields,
    has_a_reason: Callable[[str, str], bool] = lambda expression, name: False,
    translate: Callable[[str], str] = lambda expression: expression,
) -> Comparison:
    """The calendar and an oracle on random expressions, zones and windows; a refusal has to be mutual.

    An expression that never fires may be refused by the oracle alone: the calendar reads it and says so.
    """
    source, result = random.Random(seed), Comparison()
    changes = {name: clock_changes(name) for name in ZONES}
    for _ in range(count):
        name, text = source.choice(ZONES), expression(source)
        start = window(source, changes[name], hours)
        end = start + timedelta(hours=hours)
        pattern = parsed(dialect, translate(text))
        try:
            wanted = oracle(text, name, start, end)
        except Refused:
            if pattern is not None and can_fire(pattern):
                result.wrong.append(f"{text}: read, but the engine refuses it")
            continue
        if pattern is None:
            result.wrong.append(f"{text}: refused, but the engine reads it")
            continue
        got = list(firings(pattern, name, start, end))
        result.compared += 1
        if got != wanted and has_a_reason(text, name):
            result.explained += 1
        elif got != wanted:
            result.wrong.append(f"{text} {name} {start}: {got[:5]} instead of {wanted[:5]}")
    return result


def parsed(dialect: str, text: str) -> Pattern | None:
    """The pattern, None where the calendar refuses the text."""
    try:
        return parse_text(dialect, text)
    except Invalid:
        return None
