"""One door for every dialect: from a firing to its pattern."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Firing
from anchorlint.manifests.calendar.cron import parse_cron
from anchorlint.manifests.calendar.dialects import dialects
from anchorlint.manifests.calendar.intervals import parse_pg_seconds, parse_rate
from anchorlint.manifests.calendar.keywords import parse_keywords
from anchorlint.manifests.calendar.oncalendar import parse_oncalendar
from anchorlint.manifests.calendar.pattern import Invalid, Pattern

_WRAPPED = re.compile(r"\s*cron\((.*)\)\s*$", re.DOTALL)
_AT = re.compile(r"\s*at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)\s*$", re.ASCII)


def parse(firing: Firing) -> Pattern:
    """The pattern of a firing; raises Invalid (message, offset in the expression) where its engine refuses it."""
    if firing.every_s is not None:
        return _interval(firing.expression, firing.every_s)
    return parse_text(str(firing.dialect), firing.expression)


def _moment(text: str, offset: int) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise Invalid(f"no calendar has {text}", offset) from None
    return text


def _interval(text: str, every_s: float) -> Pattern:
    if not every_s > 0:
        raise Invalid(f"a period of {spoken(every_s)} never advances")
    return Pattern("interval", text, every_s=every_s, floating=True)


@lru_cache(maxsize=4096)
def parse_text(dialect: str, text: str) -> Pattern:
    """The pattern of an expression in the dialect of that name; raises Invalid where the engine refuses it."""
    if dialect == "interval":
        raise Invalid(f'"{" ".join(text.split())}" is no duration')
    if dialect == "systemd":
        return parse_oncalendar(text)
    if dialect == "eventbridge":
        return _eventbridge(text)
    if dialect == "apscheduler" and "=" in text:
        return parse_keywords(text, dialects()[dialect])
    if dialect == "pg_cron":
        seconds = parse_pg_seconds(text)
        if seconds is not None:
            return Pattern(dialect, text, every_s=seconds, floating=True)
    return parse_cron(text, dialects()[dialect])


def _eventbridge(text: str) -> Pattern:
    stripped = text.strip()
    if stripped.startswith("rate("):
        return Pattern("eventbridge", text, every_s=parse_rate(stripped), floating=True)
    if stripped.startswith("at("):
        match = _AT.match(text)
        if match is None:
            raise Invalid(f'"{" ".join(stripped.split())}" is not at(yyyy-mm-ddThh:mm:ss)')
        return Pattern("eventbridge", text, at=_moment(match[1], match.start(1)))
    match = _WRAPPED.match(text)
    if match is None:
        return parse_cron(text, dialects()["eventbridge"])
    try:
        # Blanks keep every offset where it is in the whole expression.
        return parse_cron(" " * match.start(1) + match[1], dialects()["eventbridge"])
    except Invalid as refused:
        raise Invalid(refused.message, refused.offset) from None
