"""From the text of a cron expression to its pattern, by the rules of one dialect."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from anchorlint.manifests.calendar.dialects import Dialect
from anchorlint.manifests.calendar.fields import bounds, read_field
from anchorlint.manifests.calendar.intervals import parse_go_duration
from anchorlint.manifests.calendar.pattern import Days, Field, Invalid, Pattern
from anchorlint.manifests.calendar.zones import valid_zone

_WORD = re.compile(r"\S+")


def parse_cron(text: str, dialect: Dialect) -> Pattern:
    """The pattern of a cron expression; raises Invalid with the place in `text` where the dialect refuses it."""
    words = [(match[0], match.start()) for match in _WORD.finditer(text)]
    if not words:
        raise Invalid("the expression is empty")
    zone, words = _zone_prefix(words, dialect)
    if words[0][0].startswith("@"):
        return _nickname(text, words, dialect, zone)
    layout = _layout(words, dialect)
    fields = tuple(read_field(name, word, offset, dialect) for name, (word, offset) in zip(layout, words, strict=True))
    return from_fields(text, fields, dialect, zone)


def _zone_prefix(words: list[tuple[str, int]], dialect: Dialect) -> tuple[str | None, list[tuple[str, int]]]:
    first, offset = words[0]
    for prefix in dialect.zone_prefixes:
        if first.startswith(prefix):
            if len(words) == 1:
                raise Invalid(f"only {prefix.rstrip('=')} is set, the fields are missing", offset)
            name = first[len(prefix) :]
            if not valid_zone(name):
                raise Invalid(f'no time zone is named "{name}"', offset + len(prefix))
            return name, words[1:]
    return None, words


def _nickname(text: str, words: list[tuple[str, int]], dialect: Dialect, zone: str | None) -> Pattern:
    word, offset = words[0]
    if dialect.every and word == "@every":
        if len(words) != 2:
            raise Invalid("@every takes one duration, such as @every 1h30m", offset)
        every_s = parse_go_duration(words[1][0], words[1][1])
        return Pattern(dialect.name, text, every_s=every_s, floating=True, zone=zone)
    fields = dialect.expand_nickname(word)
    if word == "@reboot" and word in dialect.nicknames:
        return Pattern(dialect.name, text, never=True, floating=True, zone=zone)
    if fields is None:
        known = f", it knows {', '.join(sorted(dialect.nicknames))}" if dialect.nicknames else ""
        raise Invalid(f"{dialect.title} does not know {word}{known}", offset)
    if len(words) > 1:
        raise Invalid(f"nothing can follow {word}", words[1][1])
    changes: dict[str, Any] = {"expression": text, "zone": zone, "floating": "H" in dialect.marks}
    return msgspec.structs.replace(parse_cron(fields, dialect), **changes)


def _layout(words: list[tuple[str, int]], dialect: Dialect) -> tuple[str, ...]:
    for layout in dialect.layouts:
        if len(layout) == len(words):
            return layout
    wanted = " or ".join(str(len(layout)) for layout in dialect.layouts)
    names = " ".join(dialect.layouts[0])
    if len(words) == 1:
        raise Invalid(f'"{words[0][0]}" is no cron expression: {dialect.title} reads {wanted} fields, {names}')
    longest = max(len(layout) for layout in dialect.layouts)
    offset = words[longest][1] if len(words) > longest else words[-1][1]
    raise Invalid(f"{dialect.title} reads {wanted} fields ({names}), this has {len(words)}", offset)


def from_fields(text: str, fields: tuple[Field, ...], dialect: Dialect, zone: str | None = None) -> Pattern:
    """The pattern of fields already read; raises Invalid where they contradict each other in this dialect."""
    by_name = {field.name: field for field in fields}
    _check_days(by_name, dialect)
    hour, minute = by_name["hour"], by_name["minute"]
    seconds = by_name["second"].values if "second" in by_name else (0,)
    years = by_name["year"].values if "year" in by_name and not _everything(by_name["year"], dialect) else ()
    return Pattern(
        dialect=dialect.name,
        expression=text,
        times=tuple(h * 3600 + m * 60 + s for h in hour.values for m in minute.values for s in seconds),
        days=combine_days(by_name["day"], by_name["weekday"], dialect),
        months=by_name["month"].values,
        years=years,
        floating=any(field.loose for field in fields),
        real_time=_real_time(minute, hour, dialect),
        fixed_hours=not any(sign in hour.text for sign in "*/") and len(hour.values) < 24,
        zone=zone,
        fields=fields,
    )


def _everything(field: Field, dialect: Dialect) -> bool:
    low, high = bounds(field.name, dialect)
    return len(field.values) == (7 if field.name == "weekday" else high - low + 1)


def _real_time(minute: Field, hour: Field, dialect: Dialect) -> bool:
    if dialect.real_time == "star":
        return minute.text.startswith("*") or hour.text.startswith("*")
    return dialect.real_time == "hours" and len(hour.values) == 24


def combine_days(day: Field, weekday: Field, dialect: Dialect) -> Days:
    """Which dates the two day fields name together in this dialect."""
    if any(kind == "nth" for kind, _, _ in day.special):
        return _positions(day, weekday)
    kinds = {kind: tuple(n for k, n, _ in day.special if k == kind) for kind in ("from_last", "near")}
    nth = tuple((number, which) for _, number, which in weekday.special)
    return Days(
        dates=day.values,
        from_last=kinds["from_last"],
        near=kinds["near"],
        weekdays=weekday.values,
        nth=nth,
        both=_both(day, weekday, dialect),
    )


def _positions(day: Field, weekday: Field) -> Days:
    """APScheduler's `2nd fri` stands in the day field: a date of its own kind beside the others of the list."""
    nth = tuple((number, which) for kind, number, which in day.special if kind == "nth" and number in weekday.values)
    last = tuple(number for kind, number, _ in day.special if kind == "from_last")
    return Days(dates=day.values, from_last=last, weekdays=(), nth=nth, both=False)


def _both(day: Field, weekday: Field, dialect: Dialect) -> bool:
    if dialect.days in ("both", "one"):
        return True
    if dialect.days in ("vixie", "star"):
        return day.star or weekday.star
    if dialect.days == "croniter":
        return _croniter_star(day, weekday, dialect) or _croniter_star(weekday, day, dialect)
    return _everything(day, dialect) or _everything(weekday, dialect)


def _croniter_star(field: Field, other: Field, dialect: Dialect) -> bool:
    return field.text in ("*", "?") or (_everything(field, dialect) and "*" in other.text)


def _check_days(fields: dict[str, Field], dialect: Dialect) -> None:
    if dialect.days != "one":
        return
    day, weekday = fields["day"], fields["weekday"]
    if dialect.question == "needed":
        if (day.text == "?") == (weekday.text == "?"):
            count = "only one" if day.text == "?" else "one"
            raise Invalid(f"{dialect.title} needs ? in {count} of the day and weekday fields", weekday.offset)
    elif day.text != "*" and weekday.text != "*":
        raise Invalid(f"{dialect.title} takes a day of the month or a weekday, not both", weekday.offset)
