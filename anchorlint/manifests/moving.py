"""Where to move a cron so that it no longer meets what runs before it, and how to make it fire less often."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from anchorlint.domain.finding import Fix
from anchorlint.domain.schedule import Dialect, Firing, Schedule
from anchorlint.manifests.calendar import Invalid, Pattern, parse_text, surprises, zone
from anchorlint.manifests.firing import clocked
from anchorlint.manifests.mending import replacement

_STEP = 5  # minutes
_FIELDS = re.compile(r"(?:cron\()?(\S+)\s+(\S+)(?=\s)")
_STEPS = re.compile(r"(\*|\d+|\d+-59)(?:/\d+)?")
_PERIOD = re.compile(r"(rate\(\s*)?(\d+)\s*(?:m|min|minutes?)(\s*\))?")
_MINUTES = (10, 15, 20, 30)  # what divides an hour, from the least that is a step
_HOURS = (1, 2, 3, 4, 6, 8, 12)


def later_time(schedule: Schedule, closest: tuple[int, int] | None, length_s: float) -> str | None:
    """The first local time, in steps of 5 minutes and never on the full hour, that is `length_s` after the earlier one.

    `closest` are the instants (epoch seconds) of the shortest gap. None where one time does not say it: several times
    a day, or a time on the next date.
    """
    found = clocked(schedule)
    if closest is None or found is None or len(found.times) != 1 or schedule.firing is None:
        return None
    place = zone(found.zone or schedule.firing.zone)
    now = datetime.fromtimestamp(closest[1], UTC).astimezone(place)
    free = datetime.fromtimestamp(closest[0] + length_s, UTC).astimezone(place)
    moved = free.replace(minute=free.minute // _STEP * _STEP, second=0, microsecond=0)
    while moved < free or moved.minute == 0:
        moved += timedelta(minutes=_STEP)
    return f"{moved:%H:%M}" if moved.date() == now.date() else None


def moved_to(schedule: Schedule, time: str) -> Schedule | None:
    """The schedule with its cron at another time of day (HH:MM); None where that is no matter of two numbers."""
    firing = schedule.firing
    fields = _FIELDS.match(firing.expression) if firing else None
    if firing is None or fields is None or not (fields[1].isdecimal() and fields[2].isdecimal()):
        return None
    hour, minute = (str(int(part)) for part in time.split(":"))
    return _with(schedule, _put(firing.expression, fields, minute, hour))


def less_often(schedule: Schedule, length_s: float) -> Iterator[Schedule]:
    """The schedule with longer and longer periods of at least `length_s` seconds, as its own expression says them."""
    firing = schedule.firing
    if firing is None or firing.dialect is Dialect.SYSTEMD:
        return
    for better in _periods(firing, length_s) if firing.every_s is not None else _crons(firing, length_s):
        changed = _with(schedule, better)
        if changed is not None:
            yield changed


def rewriting(schedule: Schedule, changed: Schedule) -> Fix | None:
    """The fix that writes the changed expression; not safe, since it changes when something runs."""
    if schedule.firing is None or changed.firing is None:
        return None
    better = changed.firing.expression
    edit = replacement(schedule.firing.span, schedule.firing.expression, better)
    return Fix(title=f"write {better}", safe=False, edits=(edit,)) if edit else None


def _periods(firing: Firing, length_s: float) -> Iterable[str]:
    found = _PERIOD.fullmatch(firing.expression)
    minutes = -(-length_s // (60 * _STEP)) * _STEP
    return [_put_group(firing.expression, found, 2, f"{minutes:.0f}")] if found else []


def _crons(firing: Firing, length_s: float) -> Iterator[str]:
    """Steps of minutes where the minute has one, then steps of hours at one minute that is not 0 if it has another."""
    fields = _FIELDS.match(firing.expression)
    pattern = _pattern(firing)
    steps = _STEPS.fullmatch(fields[1]) if fields else None
    if fields is None or pattern is None or steps is None or _STEPS.fullmatch(fields[2]) is None:
        return
    if not steps[1].isdecimal() or "/" in fields[1]:
        wide = [minutes for minutes in _MINUTES if minutes * 60 >= length_s]
        yield from (_put(firing.expression, fields, f"{steps[1]}/{minutes}", fields[2]) for minutes in wide)
    if fields[2] == "*" or fields[2].startswith("*/"):
        own = sorted({time // 60 % 60 for time in pattern.times})
        minute = next((minute for minute in own if minute), own[0])
        for hours in _HOURS:
            if hours * 3600 >= length_s:
                yield _put(firing.expression, fields, str(minute), "*" if hours == 1 else f"*/{hours}")


def _put(text: str, fields: re.Match[str], minute: str, hour: str) -> str:
    return text[: fields.start(1)] + minute + text[fields.end(1) : fields.start(2)] + hour + text[fields.end(2) :]


def _put_group(text: str, found: re.Match[str], group: int, better: str) -> str:
    return text[: found.start(group)] + better + text[found.end(group) :]


def _with(schedule: Schedule, expression: str) -> Schedule | None:
    """The schedule with another expression, if its engine reads that as it stands."""
    assert schedule.firing
    firing = msgspec.structs.replace(schedule.firing, expression=expression)
    if firing.every_s is not None:
        found = _PERIOD.fullmatch(expression)
        every_s = float(found[2]) * 60 if found else None
        return msgspec.structs.replace(schedule, firing=msgspec.structs.replace(firing, every_s=every_s))
    pattern = _pattern(firing)
    if pattern is None or any(surprise.certain for surprise in surprises(pattern)):
        return None
    return msgspec.structs.replace(schedule, firing=firing)


def _pattern(firing: Firing) -> Pattern | None:
    try:
        return parse_text(str(firing.dialect), firing.expression)
    except Invalid:
        return None
