"""What a schedule reads is gone before its next run comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.schedule import Retained, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.gaps import longest_gap_s
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each read whose retention is shorter than the longest gap to its writer, at the retention."""
    told: set[tuple[object, ...]] = set()
    for schedule in timetable.enabled:
        for read in schedule.reads:
            writers = _writers(timetable, schedule, read)
            stated = _stated(read, writers)
            gap_s = longest_gap_s(timetable, [one for one in writers if one.enabled], schedule) if stated else None
            if stated is None or stated.kept_s is None or gap_s is None or stated.kept_s >= gap_s:
                continue
            if (stated.span, read.read_span) not in told:
                told.add((stated.span, read.read_span))
                yield _finding(schedule, writers, stated, gap_s)


def _writers(timetable: Timetable, schedule: Schedule, read: Retained) -> Sequence[Schedule]:
    if read.writer:
        return timetable.graph.answering(schedule, read.writer)
    if read.kept_s is not None:
        return [schedule]
    # of things with one name the newest is taken, whoever has written it
    return timetable.graph.keeping(schedule, read.what)


def _stated(read: Retained, writers: Sequence[Schedule]) -> Retained | None:
    """The read with the retention that its writer states; the longest one where it may mean several things."""
    if read.kept_s is not None:
        return read
    kept = [one for writer in writers for one in writer.keeps if one.named(read.what)]
    if not kept:
        return None
    longest = max(kept, key=lambda one: one.kept_s)
    return msgspec.structs.replace(
        read, what=longest.what, kept_s=longest.kept_s, span=longest.span, default=longest.default
    )


def _finding(schedule: Schedule, writers: Sequence[Schedule], read: Retained, gap_s: float) -> Finding:
    assert read.kept_s is not None
    kept = f"kept for {spoken(read.kept_s)}{' by default' if read.default else ''}"
    own = schedule in writers
    since = "between two runs" if own else f"from {writers[0].name} to {schedule.name}"
    notes = [Note("read here", read.read_span)] if read.read_span != read.span else []
    if schedule.firing is not None:
        notes.append(Note(saying.fitting(f"{schedule.name} fires here", "it fires here"), schedule.firing.span))
    longer = f"keep it for more than {spoken(gap_s)}"
    return Finding(
        code="SCH417",
        message=saying.fitting(
            f"{read.what} is {kept}, and up to {spoken(gap_s)} pass {since}",
            f"this is {kept}, and up to {spoken(gap_s)} pass until it is read",
        ),
        span=read.span,
        notes=tuple(notes),
        help=longer if own else f"{longer}, or read it sooner",
    )
