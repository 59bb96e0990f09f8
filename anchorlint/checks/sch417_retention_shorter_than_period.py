"""What a schedule reads is gone before its next run comes."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.schedule import Retained, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.gaps import longest_gap_s
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each read whose retention is shorter than the longest gap to its writer, at the retention."""
    for schedule in timetable.enabled:
        for read in schedule.reads:
            writer = timetable.graph.find(schedule, read.writer) if read.writer else schedule
            gap_s = longest_gap_s(timetable, writer, schedule) if writer is not None else None
            if gap_s is not None and read.kept_s < gap_s:
                yield _finding(schedule, read, gap_s)


def _finding(schedule: Schedule, read: Retained, gap_s: float) -> Finding:
    kept = f"kept for {spoken(read.kept_s)}{' by default' if read.default else ''}"
    since = f"from {read.writer} to {schedule.name}" if read.writer else "between two runs"
    notes = (Note("read here", read.read_span),) if read.read_span != read.span else ()
    return Finding(
        code="SCH417",
        message=saying.fitting(
            f"{read.what} is {kept}, and up to {spoken(gap_s)} pass {since}",
            f"this is {kept}, and up to {spoken(gap_s)} pass until it is read",
        ),
        span=read.span,
        notes=notes,
        help=f"keep it for more than {spoken(gap_s)}, or read it sooner",
    )
