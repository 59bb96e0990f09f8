"""systemd's OnCalendar expressions: `Mon..Fri *-*-1..7 04:30 Europe/Berlin`, `daily`, `*:0/15`, `*-02~01`."""

from __future__ import annotations

import re

from anchorlint.manifests.calendar.pattern import Days, Field, Invalid, Pattern, whole
from anchorlint.manifests.calendar.zones import valid_zone

_WORDS = {
    "minutely": "*-*-* *:*:00",
    "hourly": "*-*-* *:00:00",
    "daily": "*-*-* 00:00:00",
    "weekly": "Mon *-*-* 00:00:00",
    "monthly": "*-*-01 00:00:00",
    "quarterly": "*-01,04,07,10-01 00:00:00",
    "semiannually": "*-01,07-01 00:00:00",
    "yearly": "*-01-01 00:00:00",
}
_ALIASES = {
    "annually": "yearly",
    "anually": "yearly",
    "semi-annually": "semiannually",
    "biannually": "semiannually",
    "bi-annually": "semiannually",
}
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_BOUNDS = {
    "year": (1970, 2199),
    "month": (1, 12),
    "day": (1, 31),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
_SHORTEST_MONTH = 28
_WORD = re.compile(r"\S+")
_ITEM = re.compile(r"(?:(\*)|(\d+)(?:\.\.(\d+))?(?:/(\d+))?)$", re.ASCII)
_ZEROS = re.compile(r"(?<=\d)\.0+$")
_DATE = re.compile(r"(?:([^-~]+)-)?([^-~]+)([-~])([^-~]+)$")


def parse_oncalendar(text: str) -> Pattern:
    """The pattern of an OnCalendar expression; raises Invalid with the place where systemd refuses it."""
    words = [(match[0], match.start()) for match in _WORD.finditer(text)]
    if not words:
        raise Invalid("the expression is empty")
    zone = None
    if len(words) > 1 and (words[-1][0].upper() == "UTC" or valid_zone(words[-1][0])):
        zone = "UTC" if words[-1][0].upper() == "UTC" else words[-1][0]
        words = words[:-1]
    first = words[0][0].lower()
    if len(words) == 1 and _ALIASES.get(first, first) in _WORDS:
        expanded = _WORDS[_ALIASES.get(first, first)]
        words = [(match[0], 0) for match in _WORD.finditer(expanded)]
    return _pattern(text, words, zone)


def _pattern(text: str, words: list[tuple[str, int]], zone: str | None) -> Pattern:
    weekdays: tuple[int, ...] = tuple(range(7))
    if words[0][0][0].isalpha():
        weekdays = _weekdays(*words[0])
        words = words[1:]
    date, time = _date_and_time(words)
    fields = {field.name: field for field in (*_date(*date), *_time(*time))}
    day, year = fields["day"], fields["year"]
    days = Days(
        dates=day.values,
        from_last=tuple(back for _, back, _ in day.special),
        weekdays=weekdays,
        both=True,
    )
    return Pattern(
        dialect="systemd",
        expression=text,
        times=tuple(
            h * 3600 + m * 60 + s
            for h in fields["hour"].values
            for m in fields["minute"].values
            for s in fields["second"].values
        ),
        days=days,
        months=fields["month"].values,
        years=() if year.text == "*" else year.values,
        fixed_hours=len(fields["hour"].values) < 24 and not any(sign in fields["hour"].text for sign in "*/"),
        zone=zone,
        fields=tuple(field for field in fields.values() if field.offset >= 0),
    )


def _date_and_time(words: list[tuple[str, int]]) -> tuple[tuple[str, int], tuple[str, int]]:
    """The date and the time among the remaining words, with systemd's defaults for what is missing."""
    date, time = ("*-*-*", -100), ("00:00:00", -100)
    for place, (word, offset) in enumerate(words):
        if ":" in word and place == len(words) - 1:
            time = (word, offset)
        elif place == 0 and ("-" in word or "~" in word):
            date = (word, offset)
        else:
            raise Invalid(f'systemd does not understand "{word}"', offset)
    return date, time


def _weekdays(word: str, offset: int) -> tuple[int, ...]:
    found: set[int] = set()
    for item in word.strip(",").split(","):
        first, dots, last = item.partition(".." if ".." in item else "-")
        low = _weekday(first, offset)
        high = _weekday(last, offset) if dots else low
        if low > high:
            raise Invalid(f"weekday range {item} runs backwards, the week begins on Monday here", offset)
        found.update(range(low, high + 1))
    return tuple(sorted(found))


def _weekday(word: str, offset: int) -> int:
    lower = word.lower()
    for number, name in enumerate(_NAMES):
        if lower in (name, name[:3]):
            return number
    raise Invalid(f'systemd knows no weekday "{word}"', offset)


def _date(word: str, offset: int) -> tuple[Field, ...]:
    match = _DATE.match(word)
    if match is None:
        raise Invalid(f'"{word}" is no date such as *-*-1..7 or *-02~01', max(offset, 0))
    year = match[1] or "*"
    year_at = offset if match[1] else -100
    backwards = match[3] == "~"
    return (
        _field("year", year, year_at),
        _field("month", match[2], offset + match.start(2)),
        _field("day", match[4], offset + match.start(4), backwards=backwards),
    )


def _time(word: str, offset: int) -> tuple[Field, ...]:
    parts = word.split(":")
    if len(parts) not in (2, 3) or not all(parts):
        raise Invalid(f'"{word}" is no time such as 04:30 or *:0/15', max(offset, 0))
    fields, place = [], offset
    for name, part in zip(("hour", "minute", "second"), [*parts, "00"][:3], strict=True):
        fields.append(_field(name, part, place))
        place += len(part) + 1
    return tuple(fields)


def _field(name: str, text: str, offset: int, *, backwards: bool = False) -> Field:
    values: set[int] = set()
    place = offset
    for item in text.split(","):
        values |= _values(name, _ZEROS.sub("", item), place, backwards=backwards)
        place += len(item) + 1
    if backwards:
        special = tuple(("from_last", number - 1, 0) for number in sorted(values, reverse=True))
        return Field(name, text, offset, (), special)
    return Field(name, text, offset, tuple(sorted(values)))


def _values(name: str, item: str, place: int, *, backwards: bool) -> set[int]:
    match = _ITEM.match(item)
    if match is None:
        raise Invalid(f'systemd does not understand "{item}" in the {name}', max(place, 0))
    low, high = _BOUNDS[name]
    if match[1]:
        return set(range(low, high + 1))
    first = _number(name, match[2], place)
    last = _number(name, match[3], place) if match[3] else None
    if backwards and max(first, last or 0) > _SHORTEST_MONTH:
        raise Invalid(f"a month can be shorter than {max(first, last or 0)} days", max(place, 0))
    step = whole(match[4]) if match[4] else 0
    _check_step(name, item, place, (first, last, step), backwards=backwards)
    if last is not None:
        return set(range(first, last + 1, step or 1))
    if not step:
        return {first}
    # Counted from the end of the month: the dates go up while the numbers go down.
    return set(range(first, 0, -step)) if backwards else set(range(first, high + 1, step))


def _check_step(name: str, item: str, place: int, numbers: tuple[int, int | None, int], *, backwards: bool) -> None:
    first, last, step = numbers
    low, high = _BOUNDS[name]
    if last is not None and last < first:
        raise Invalid(f"{name} range {item} runs backwards", max(place, 0))
    if "/" in item and not step:
        raise Invalid("a step of 0 never advances", max(place, 0))
    if step and last is None and (first - step < low if backwards else first + step > high):
        raise Invalid(f"systemd refuses {item} in the {name}: the step leads past the end", max(place, 0))


def _number(name: str, text: str, place: int) -> int:
    number = whole(text)
    if name == "year" and number < 100:
        number += 2000 if number < 70 else 1900
    low, high = _BOUNDS[name]
    if not low <= number <= high:
        raise Invalid(f"{name} {text} is outside {low}-{high}", max(place, 0))
    return number
