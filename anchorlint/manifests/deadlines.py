"""`dependency_deadline`: a time of day, perhaps with a zone, or the reason why it can never apply."""

from __future__ import annotations

import re

from anchorlint.domain.schedule import Deadline
from anchorlint.domain.span import Span
from anchorlint.manifests.calendar.zones import nearest_zone, valid_zone

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s+(\S.*))?")
_AFTERNOON = re.compile(r"\d\s*[ap]\.?m\b", re.IGNORECASE)


def parse(text: str, span: Span, zone: str) -> Deadline:
    """The deadline that `text` states, in the zone of its schedule unless it names one; `fault` says what is wrong."""
    found = _CLOCK.fullmatch(text.strip())
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        return Deadline(text=text, span=span, zone=zone, fault=_no_time(text, found))
    named = found[4]
    minute = int(found[1]) * 60 + int(found[2])
    if named and not valid_zone(named):
        return Deadline(text=text, span=span, zone=zone, fault="names no time zone")
    return Deadline(text=text, span=span, minute=minute, zone=named or zone)


def unreadable(kind: str, span: Span, zone: str) -> Deadline:
    """The deadline of a value that is no text at all."""
    return Deadline(text="", span=span, zone=zone, fault=f'is {kind}, not a time such as "17:30"')


def _no_time(text: str, found: re.Match[str] | None) -> str:
    if found and int(found[1]) == 24 and int(found[2]) == 0:
        return "is no time of day, hours end at 23"
    if _AFTERNOON.search(text):
        return "is not in 24 hours"
    return "is no time of day such as 17:30"


def advice(deadline: Deadline) -> str:
    """What to write instead of a deadline with a fault."""
    found = _CLOCK.fullmatch(deadline.text.strip())
    near = nearest_zone(found[4]) if found and found[4] else None
    if found and near and near.casefold()[-4:] == found[4].casefold()[-4:]:
        return f'did you mean "{found[1]}:{found[2]} {near}"?'
    if deadline.text.strip().startswith("24:00"):
        return "write 23:59, or 00:00 for a run that belongs to the next day"
    return 'write HH:MM in 24 hours, perhaps with an IANA zone: "17:30 America/New_York"'
