"""A schedule fires again before its own runs are usually over."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Finding, Fix, Note
from anchorlint.domain.schedule import Busy, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.gaps import Gap, own_gap
from anchorlint.manifests.moving import less_often, rewriting
from anchorlint.manifests.record import Record
from anchorlint.manifests.timetable import Timetable

_STEP_S = 300
_WHAT_HAPPENS = {
    Busy.SKIP: "the firing is then skipped",
    Busy.QUEUE: "the firing then waits until the run has ended",
    Busy.FAIL: "the firing then fails",
    Busy.CANCEL: "the run is then cut by its successor",
    Busy.ALLOW: "two runs then go on at once",
}


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule whose shortest period is below its own p95, at its cron."""
    for schedule in timetable.enabled:
        record = timetable.record(schedule)
        if schedule.dependent or not record.usable:
            continue
        close = own_gap(timetable, schedule, record.p95_s)
        if close is not None:
            yield _finding(timetable, schedule, record, close)


def _finding(timetable: Timetable, schedule: Schedule, record: Record, close: Gap) -> Finding:
    assert schedule.firing
    notes = [Note(f"{_WHAT_HAPPENS[schedule.busy]}; {_slowest(record)}", schedule.firing.span)]
    if close.first:
        listed = ", ".join(saying.instant(later, schedule.firing.zone) for later in close.first)
        notes.append(Note(f"next {listed}", schedule.firing.span))
    rounded_s = -(-record.p95_s // _STEP_S) * _STEP_S
    fix = _fix(timetable, schedule, rounded_s)
    better = f", as {fix.title.removeprefix('write ')} does" if fix else ""
    return Finding(
        code="SCH402",
        message=_message(schedule, record, close),
        span=schedule.firing.span,
        notes=tuple(notes),
        help=f"leave at least {saying.gap(rounded_s)} between two firings of {schedule.name}{better}",
        severity=record.severity(close.shortest_s),
        fix=fix,
    )


def _fix(timetable: Timetable, schedule: Schedule, length_s: float) -> Fix | None:
    """The first longer period of the same shape that leaves enough time everywhere, month ends included."""
    for changed in less_often(schedule, length_s):
        if own_gap(timetable, changed, length_s) is None:
            return rewriting(schedule, changed)
    return None


def _slowest(record: Record) -> str:
    cut = f", {saying.plural(record.cut, 'was', 'were')} cut and at least that long" if record.cut else ""
    return f"the longest of {len(record.lengths_s)} runs took {spoken(record.lengths_s[-1])}{cut}"


def _message(schedule: Schedule, record: Record, close: Gap) -> str:
    assert schedule.firing
    count = f"{record.longer(close.shortest_s)} of the last {len(record.lengths_s)} runs"
    until = f"took longer than the {saying.gap(close.shortest_s)} until its next firing (p95 {spoken(record.p95_s)})"
    first = f"; next {saying.instant(close.first[0], schedule.firing.zone)}" if close.first else ""
    said = f"{count} of {schedule.name} {until}"
    return saying.fitting(said + first, said, f"{count} {until}" + first)
