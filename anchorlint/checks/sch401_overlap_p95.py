"""Two schedules of one workflow fire closer together than the earlier one usually takes."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Finding, Fix, Note, Severity
from anchorlint.domain.schedule import Busy, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.firing import clocked
from anchorlint.manifests.gaps import DayOrder, Gap, gap
from anchorlint.manifests.moving import later_time, moved_to, rewriting
from anchorlint.manifests.record import Record
from anchorlint.manifests.timetable import Timetable

_HOW = {
    "native": ", by after_schedule_ids with a dependency_deadline",
    "github": ", by on.workflow_run if its conclusion is success",
}


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule that fires into the runs of another one, at the cron of the later."""
    for group in _groups(timetable):
        found: dict[int, list[tuple[Schedule, Gap]]] = {}
        order = DayOrder(timetable, group)
        for earlier in group:
            record = timetable.record(earlier)
            if record.usable:
                for later in order.soon_after(earlier, record.p95_s):
                    close = gap(timetable, earlier, later, record.p95_s, together=_told_here(timetable, earlier, later))
                    if close is not None:
                        found.setdefault(timetable.place(later), []).append((earlier, close))
        for place, causes in sorted(found.items()):
            yield _finding(timetable, timetable.schedules[place], causes, group)


def _groups(timetable: Timetable) -> Iterator[list[Schedule]]:
    """The schedules of each workflow that has several with a clock of their own."""
    by_workflow: dict[str, list[Schedule]] = {}
    for schedule in timetable.enabled:
        if not schedule.dependent and clocked(schedule) is not None:
            by_workflow.setdefault(schedule.workflow, []).append(schedule)
    return (group for group in by_workflow.values() if len(group) > 1)


def _told_here(timetable: Timetable, earlier: Schedule, later: Schedule) -> bool:
    """Whether firings at one instant are told of this pair: once, on the second, unless only its runs are known."""
    return timetable.place(earlier) < timetable.place(later) or not timetable.record(later).usable


def _finding(
    timetable: Timetable, later: Schedule, causes: list[tuple[Schedule, Gap]], group: list[Schedule]
) -> Finding:
    earlier, close = min(causes, key=lambda cause: _weight(timetable, *cause))
    record = timetable.record(earlier)
    assert earlier.firing and later.firing
    notes = [Note(saying.fitting(_fires(timetable, earlier, record)), earlier.firing.span)]
    notes += [Note(saying.fitting(f"{other.name} runs into it as well"), other.firing.span)
              for other, _ in causes if other is not earlier and other.firing]  # fmt: skip
    notes.append(Note(_next(close, later.firing.zone), later.firing.span))
    severity = record.severity(close.shortest_s)
    if _side_by_side(later):
        severity = Severity.NOTE
        notes.append(Note("without a concurrency group both runs go on side by side", later.firing.span))
    time, fix = _elsewhere(timetable, later, close, record, group)
    return Finding(
        code="SCH401",
        message=_message(earlier, later, record, close),
        span=later.firing.span,
        notes=tuple(notes),
        help=_help(earlier, later, time),
        severity=severity,
        fix=fix,
    )


def _weight(timetable: Timetable, earlier: Schedule, close: Gap) -> tuple[bool, int, int]:
    record = timetable.record(earlier)
    few = record.severity(close.shortest_s) is not None
    return few, -record.longer(close.shortest_s), timetable.place(earlier)


def _message(earlier: Schedule, later: Schedule, record: Record, close: Gap) -> str:
    assert later.firing
    usual = f"(p95 {spoken(record.p95_s)})"
    first = f"; next {saying.instant(close.first[0], later.firing.zone)}"
    if not close.shortest_s:
        said = f"{earlier.name} and {later.name} fire at one instant, and {earlier.name} then runs on {usual}"
        return saying.fitting(said + first, said, f"both fire at one instant, and the first runs on {usual}" + first)
    until = f"longer than the {saying.gap(close.shortest_s)} until"
    count = f"{record.longer(close.shortest_s)} of the last {len(record.lengths_s)} runs"
    said = f"{count} of {earlier.name} took {until} {later.name} {usual}"
    return saying.fitting(said + first, said, f"{count} before it took {until} this one {usual}" + first)


def _fires(timetable: Timetable, earlier: Schedule, record: Record) -> str:
    cut = f", {record.cut} of them cut and so at least that long" if record.cut else ""
    slowest = spoken(record.lengths_s[-1])
    return f"{earlier.name} fires here; the longest of {len(record.lengths_s)} runs took {slowest}{cut}"


def _next(close: Gap, zone: str) -> str:
    listed = ", ".join(saying.instant(later, zone) for later in close.first)
    return f"too soon {saying.plural(close.count, 'time')} in the next 13 months, first {listed}"


def _side_by_side(schedule: Schedule) -> bool:
    """Whether GitHub, whose clock is hours late at times, neither keeps the two apart nor skips or cuts either."""
    return schedule.format == "github" and schedule.busy is Busy.ALLOW


def _elsewhere(
    timetable: Timetable, later: Schedule, close: Gap, record: Record, group: list[Schedule]
) -> tuple[str | None, Fix | None]:
    """A later time (HH:MM) at which it meets none of its workflow, and the fix that moves it there; None for none."""
    time = later_time(later, close.closest, record.p95_s)
    moved = moved_to(later, time) if time else None
    if moved is None:
        return time, None
    others = [other for other in group if other is not later]
    met = any(_meets(timetable, other, other, moved) or _meets(timetable, later, moved, other) for other in others)
    return (None, None) if met else (time, rewriting(later, moved))


def _meets(timetable: Timetable, known: Schedule, earlier: Schedule, later: Schedule) -> bool:
    """Whether the runs of `earlier`, which are recorded as those of `known`, usually reach into a firing of `later`."""
    record = timetable.record(known)
    return record.usable and gap(timetable, earlier, later, record.p95_s, together=True) is not None


def _help(earlier: Schedule, later: Schedule, time: str | None) -> str:
    after = f"run {'it' if time else later.name} after {earlier.name}{_HOW.get(later.format, '')}"
    if later.format == "github" and earlier.span.path == later.span.path:
        after = "let one cron of this workflow start both parts, one after the other"
    return f"move {later.name} to {time}, or {after}" if time else after
