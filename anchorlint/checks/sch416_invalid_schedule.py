"""An expression or a zone that the engine refuses, that never fires, or that fires otherwise than it reads."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.domain.schedule import Dialect, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """At most one finding for each zone and each expression, at its value."""
    for flaw in timetable.flaws("SCH416"):
        yield Finding(
            code="SCH416", message=saying.fitting(flaw.message), span=flaw.span, notes=flaw.notes, help=flaw.help
        )
    zones: set[Span] = set()
    for schedule in timetable.enabled:
        bad_zone = _bad_zone(schedule)
        if bad_zone is not None and bad_zone.span not in zones:
            zones.add(bad_zone.span)
            yield bad_zone
        if schedule.firing is not None:
            yield from _bad_expression(schedule)


def _bad_zone(schedule: Schedule) -> Finding | None:
    name = schedule.firing.zone if schedule.firing else schedule.zone
    if calendar.valid_zone(name):
        return None
    near = calendar.nearest_zone(name)
    return Finding(
        code="SCH416",
        message=saying.fitting(f'no time zone is named "{name}"', "no time zone has this name"),
        span=schedule.zone_span or (schedule.firing.span if schedule.firing else schedule.span),
        help=f"did you mean {near}?" if near else "write an IANA zone such as Europe/Madrid",
    )


def _bad_expression(schedule: Schedule) -> Iterator[Finding]:
    assert schedule.firing
    try:
        pattern = calendar.parse(schedule.firing)
    except calendar.Invalid as refused:
        unit = "write a number with its unit: 90s, 15m, 1h30m" if schedule.firing.dialect is Dialect.INTERVAL else None
        yield _finding(schedule, refused.message, unit)
        return
    certain = [surprise for surprise in calendar.surprises(pattern) if surprise.certain]
    if certain:
        meaning = calendar.describe(pattern)
        yield _finding(schedule, certain[0].message, None if certain[0].kind == "never" else f"it means: {meaning}")


def _finding(schedule: Schedule, message: str, help_line: str | None) -> Finding:
    assert schedule.firing
    return Finding(code="SCH416", message=saying.fitting(message), span=schedule.firing.span, help=help_line)
