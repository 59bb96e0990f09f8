"""A dependent's deadline passes before its prerequisites usually have ended."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Finding, Note, Severity
from anchorlint.domain.schedule import Deadline, Schedule
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.paths import Start, Starts
from anchorlint.manifests.record import Record
from anchorlint.manifests.timetable import Timetable


class _Late(msgspec.Struct, frozen=True):
    """A date on which the dependent could start only `late_s` seconds after its deadline."""

    day: int
    start: Start
    late_s: float
    held: bool = False  # by its own cron alone


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each deadline that lies before the p95 path of the prerequisites plus the delay."""
    usual: dict[str, Starts] = {}
    careful: dict[str, Starts] = {}
    for schedule in timetable.enabled:
        dependency = schedule.dependency
        if not schedule.dependent or dependency is None or dependency.deadline is None:
            continue
        if dependency.deadline.minute is None or timetable.graph.behind_ring(schedule):
            continue
        if not (calendar.valid_zone(schedule.zone) and calendar.valid_zone(dependency.deadline.zone)):
            continue
        zone = schedule.zone
        starts = usual.setdefault(zone, Starts(timetable, zone, _p95))
        late = _late(timetable, starts, schedule, dependency.deadline)
        if late:
            surer = careful.setdefault(zone, Starts(timetable, zone, _careful))
            sure = bool(_late(timetable, surer, schedule, dependency.deadline))
            yield _finding(timetable, schedule, dependency.deadline, late, sure)


def _p95(record: Record) -> float:
    return record.p95_s if record.usable else 0.0


def _careful(record: Record) -> float:
    return record.careful_s if record.usable else 0.0


def _late(timetable: Timetable, starts: Starts, schedule: Schedule, deadline: Deadline) -> list[_Late]:
    """The dates of the dependent from `as_of` on whose deadline cannot be kept, ascending."""
    first = timetable.as_of.date().toordinal()
    own = starts.by_clock(schedule)
    found = []
    for day, start in sorted(starts.of(schedule).items()):
        if day < first or (own and day not in own):
            continue
        until_s = _deadline_s(day, start.begun_s, schedule.zone, deadline)
        if start.at_s > until_s:
            found.append(_Late(day, start, start.at_s - until_s))
        elif own and own[day].at_s > until_s:
            found.append(_Late(day, own[day], own[day].at_s - until_s, held=True))
    return found


def _deadline_s(day: int, begun_s: float, zone: str, deadline: Deadline) -> float:
    """The deadline of a local date as an instant; in another zone the first one after the path has begun."""
    assert deadline.minute is not None
    place = calendar.zone(deadline.zone)
    clock = time(*divmod(deadline.minute, 60))
    if deadline.zone == zone:
        return datetime.combine(date.fromordinal(day), clock, place).timestamp()
    there = datetime.fromtimestamp(begun_s, UTC).astimezone(place).date()
    until_s = datetime.combine(there, clock, place).timestamp()
    return until_s if until_s >= begun_s else datetime.combine(there + timedelta(days=1), clock, place).timestamp()


def _finding(timetable: Timetable, schedule: Schedule, deadline: Deadline, late: list[_Late], sure: bool) -> Finding:
    first = late[0]
    assert deadline.minute is not None
    start = saying.clock_time(deadline.minute + first.late_s / 60)
    limit = saying.clock_time(deadline.minute)
    if first.held:
        said, advice = (
            f"fires at {start}, after its deadline of {limit} on the same date",
            "a deadline cannot name the next day",
        )
    else:
        recorded = any(timetable.record(before).usable for before in first.start.path)
        how = "on a slow day (p95)" if recorded else "at the earliest"
        said = f"could start at {start} {how}, after its deadline of {limit}"
        advice = f"set the deadline {saying.gap(_rounded(first.late_s))} later, or let {_first(first)} start sooner"
    dates = f"so on {saying.plural(len(late), 'date')} in the next 13 months, first {date.fromordinal(first.day)}"
    return Finding(
        code="SCH412",
        message=saying.fitting(f"{schedule.name} {said}", f"it {said}"),
        span=deadline.span,
        notes=(*_path_notes(timetable, first, schedule.zone), Note(dates, deadline.span)),
        help=advice,
        severity=None if sure else Severity.NOTE,
    )


def _first(late: _Late) -> str:
    return late.start.path[0].name


def _rounded(late_s: float) -> float:
    return -(-late_s // 300) * 300


def _path_notes(timetable: Timetable, late: _Late, zone: str) -> Iterator[Note]:
    for place, before in enumerate(late.start.path):
        record = timetable.record(before)
        length = (
            f"takes {spoken(record.p95_s)} (p95 of {len(record.lengths_s)} runs)"
            if record.usable
            else "may take no time"
        )
        since = f"the path begins with {before.name}, which" if not place else before.name
        yield Note(saying.fitting(f"{since} {length}"), before.firing.span if before.firing else before.id_span)
