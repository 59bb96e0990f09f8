"""An expression or a zone that the engine refuses, that never fires, or that fires otherwise than it reads."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Fix, Severity
from anchorlint.domain.schedule import Dialect, Firing, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.mending import mended, replacement
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
        fix=_other_zone(schedule, name, near) if near else None,
    )


def _other_zone(schedule: Schedule, name: str, near: str) -> Fix | None:
    """The fix that writes the zone that was meant: safe where only upper and lower case differ, else a guess."""
    edit = replacement(schedule.zone_span, name, near) if schedule.zone_span else None
    return Fix(title=f"write {near}", safe=name.casefold() == near.casefold(), edits=(edit,)) if edit else None


def _bad_expression(schedule: Schedule) -> Iterator[Finding]:
    assert schedule.firing
    try:
        pattern = calendar.parse(schedule.firing)
    except calendar.Invalid as refused:
        unit = "write a number with its unit: 90s, 15m, 1h30m" if schedule.firing.dialect is Dialect.INTERVAL else None
        yield _finding(schedule.firing, refused.message, unit)
        return
    certain = [surprise for surprise in calendar.surprises(pattern) if surprise.certain]
    if certain and certain[0].kind == "never":
        # Nobody takes February for a month of 31 days: that is how a schedule is written that never fires.
        meant = pattern.days.dates == (31,) and pattern.months == (2,)
        off = "if it is only started by hand, switch it off instead" if meant else None
        yield _finding(schedule.firing, certain[0].message, off, Severity.NOTE if meant else None)
    elif certain:
        yield _finding(schedule.firing, certain[0].message, f"it means: {calendar.describe(pattern)}")


def _finding(firing: Firing, message: str, help_line: str | None, severity: Severity | None = None) -> Finding:
    fix = mended(firing)
    return Finding(
        code="SCH416",
        message=saying.fitting(message),
        span=firing.span,
        help=help_line or (fix.title if fix else None),
        fix=fix,
        severity=severity,
    )
