"""APScheduler's CronTrigger by keywords, written as `day=last; hour=3; minute=*/20`."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from anchorlint.manifests.calendar.cron import from_fields
from anchorlint.manifests.calendar.dialects import Dialect
from anchorlint.manifests.calendar.fields import read_field
from anchorlint.manifests.calendar.pattern import Field, Invalid, Pattern

_NAMES = ("year", "month", "day", "week", "weekday", "hour", "minute", "second")
_LEAST = {"year": "*", "month": "1", "day": "1", "week": "*", "weekday": "*", "hour": "0", "minute": "0", "second": "0"}
_PART = re.compile(r"\s*(\w+)\s*=\s*([^;]*?)\s*(?:;|$)", re.ASCII)


def parse_keywords(text: str, dialect: Dialect) -> Pattern:
    """The pattern of the keywords; raises Invalid where APScheduler refuses one.

    What is not named is its least value below the last keyword that is, and anything above, as CronTrigger has it.
    """
    given: dict[str, tuple[str, int]] = {}
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None:
            raise Invalid("not of the form name=value; name=value", place)
        name = "weekday" if match[1] == "day_of_week" else match[1]
        if name not in _NAMES:
            raise Invalid(f"CronTrigger has no field {match[1]}", match.start(1))
        given[name] = (match[2], match.start(2))
        place = match.end()
    return _pattern(text, given, dialect)


def _pattern(text: str, given: dict[str, tuple[str, int]], dialect: Dialect) -> Pattern:
    lowest = max(_NAMES.index(name) for name in given)
    fields: list[Field] = []
    for number, name in enumerate(_NAMES):
        value, offset = given.get(name, ("*" if number < lowest else _LEAST[name], -1))
        # Commas may have blanks around them; without them every item keeps its place but the later ones.
        fields.append(read_field(name, re.sub(r" *, *", ",", value), offset, dialect))
    pattern = from_fields(text, tuple(fields), dialect)
    week = next(field for field in fields if field.name == "week")
    changes: dict[str, Any] = {"fields": tuple(field for field in fields if field.offset >= 0)}
    if week.text != "*":
        changes["weeks"] = week.values
    return msgspec.structs.replace(pattern, **changes)
