"""A schedule fires in an hour that a clock change leaves out or shows twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from anchorlint.domain.finding import Finding, Fix, Note
from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.calendar import Hazard
from anchorlint.manifests.firing import clocked
from anchorlint.manifests.mending import later_hour
from anchorlint.manifests.timetable import Timetable

_AHEAD = timedelta(days=731)
_REPAIRED = ("moved", "once")


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule that its engine skips or doubles at a clock change within two years."""
    for schedule in timetable.enabled:
        found = clocked(schedule)
        if found is None or schedule.dependent or schedule.firing is None:
            continue
        ahead = calendar.hazards(found, schedule.firing.zone, timetable.as_of, timetable.as_of + _AHEAD)
        bad = [hazard for hazard in ahead if hazard.effect not in _REPAIRED]
        if bad:
            later = later_hour(schedule.firing, timetable.as_of, timetable.as_of + _AHEAD)
            yield _finding(schedule, bad, later)


def _finding(schedule: Schedule, bad: list[Hazard], later: tuple[str, Fix] | None) -> Finding:
    assert schedule.firing
    zone, first = schedule.firing.zone, bad[0]
    others = [next((hazard for hazard in bad if hazard.kind != first.kind), None)]
    notes = [Note(f"and {_what(hazard, zone)}", schedule.firing.span) for hazard in others if hazard is not None]
    if first.shown:
        shown = " and ".join(f"{instant:%Y-%m-%d %H:%M}" for instant in first.shown)
        notes.append(Note(f"{first.local} is shown at {shown} UTC", schedule.firing.span))
    time = f"{later[0]}, a time" if later else "an hour"
    return Finding(
        code="SCH415",
        message=saying.fitting(f"{_what(first, zone)}: {first.sentence}", _what(first, zone)),
        span=schedule.firing.span,
        notes=tuple(notes),
        help=f"let it fire at {time} that every day has once, or in UTC",
        fix=later[1] if later else None,
    )


def _what(hazard: Hazard, zone: str) -> str:
    how = {"skipped": "does not exist", "doubled": "comes twice", "missed": "is left out"}[hazard.kind]
    return f"{hazard.local} {how} on {hazard.date} in {zone}"
