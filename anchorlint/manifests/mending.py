"""What to write instead of an expression that its engine refuses or reads otherwise, where there is one answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from anchorlint.domain.finding import Edit, Fix
from anchorlint.domain.schedule import Dialect, Firing
from anchorlint.domain.span import Span
from anchorlint.manifests import calendar
from anchorlint.manifests.calendar import Invalid, Pattern

_FIELD = re.compile(r"[^\s()]+")
_RATE = re.compile(r"(rate\(\s*)(\d+)(\s+)(minute|hour|day)s?(\s*\))$")
_MOST_HOURS = 4
_WEEKDAY = 4  # the place of the weekday among the fields of every dialect without seconds


def mended(firing: Firing) -> Fix | None:
    """The fix of an expression: safe where the engine refuses it as it stands, so that nothing that runs changes."""
    if firing.every_s is not None or firing.dialect in (Dialect.SYSTEMD, Dialect.INTERVAL):
        return None
    safe = _read(firing, firing.expression) is None
    for better in _candidates(firing, refused=safe):
        if better != firing.expression and _means_what_it_says(firing, better):
            edit = replacement(firing.span, firing.expression, better)
            return Fix(title=f"write {better}", safe=safe, edits=(edit,)) if edit else None
    return None


def replacement(span: Span, old: str, new: str) -> Edit | None:
    """The edit that puts `new` in the place of `old`, whatever quotes stand around it; None where it is cut up."""
    start, end = span.start, span.end
    around = end.column - start.column - len(old)
    if start.line != end.line or around not in (0, 2):
        return None
    first = start.column + around // 2
    return Edit(Span.of(span.path, start.line, first, start.line, first + len(old)), new)


def _read(firing: Firing, expression: str) -> Pattern | None:
    try:
        return calendar.parse_text(str(firing.dialect), expression)
    except Invalid:
        return None


def _means_what_it_says(firing: Firing, expression: str) -> bool:
    pattern = _read(firing, expression)
    return pattern is not None and not any(surprise.certain for surprise in calendar.surprises(pattern))


def _candidates(firing: Firing, *, refused: bool) -> Iterator[str]:
    text = firing.expression
    rate = _RATE.match(text)
    if rate is not None:
        plural = "" if int(rate[2]) == 1 else "s"
        yield f"{rate[1]}{rate[2]}{rate[3]}{rate[4]}{plural}{rate[5]}"
    inner = text[5:-1] if text.startswith("cron(") and text.endswith(")") else text
    fields = [(found.start(), found[0]) for found in _FIELD.finditer(inner)]
    if len(fields) not in (5, 6):
        return
    yield from (text.replace(inner, better) for better in _days(inner, fields, refused))


def _days(text: str, fields: list[tuple[int, str]], refused: bool) -> Iterator[str]:
    (day_at, day), (at, weekday) = fields[2], fields[_WEEKDAY]
    if weekday in ("0", "7") and refused:
        yield _put(text, at, weekday, "SUN")
        yield _put(text, at, weekday, "0")
    if weekday == "1-5":
        yield _put(text, at, weekday, "MON-FRI")
    if weekday == "*":
        yield _put(text, at, weekday, "?")
    elif day == "*":
        yield _put(text, day_at, day, "?")


def _put(text: str, at: int, old: str, new: str) -> str:
    return text[:at] + new + text[at + len(old) :]


def later_hour(firing: Firing, since: datetime, until: datetime) -> tuple[str, Fix] | None:
    """The next time at which a schedule of one fixed hour meets no clock change (HH:MM), and the fix that moves it."""
    found = [(each.start(), each[0]) for each in _FIELD.finditer(firing.expression) if each[0] != "cron"]
    pattern = _read(firing, firing.expression)
    if pattern is None or len(found) not in (5, 6) or len(pattern.times) != 1 or firing.dialect is Dialect.SYSTEMD:
        return None
    at, hour = found[1]
    if not hour.isdecimal():
        return None
    for later in range(int(hour) + 1, min(int(hour) + _MOST_HOURS, 23) + 1):
        better = _put(firing.expression, at, hour, str(later))
        moved = _read(firing, better)
        if moved is not None and not calendar.hazards(moved, firing.zone, since, until):
            edit = replacement(firing.span, firing.expression, better)
            time = f"{later:02}:{pattern.times[0] // 60 % 60:02}"
            return (time, Fix(title=f"write {better}", safe=False, edits=(edit,))) if edit else None
    return None
