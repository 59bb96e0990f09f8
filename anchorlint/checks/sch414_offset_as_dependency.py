"""A sleep, a delta or the newest run of another schedule stands for "after that one has ended"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.schedule import Polled, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.firing import instants
from anchorlint.manifests.timetable import Timetable

_MUCH_MORE = 2  # times as often: then any newest run will do, or the next look finds it


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each piece of evidence that the reader saw, where it stands."""
    for schedule in timetable.enabled:
        told: set[str | None] = set()
        for polled in schedule.polled:
            others = timetable.graph.answering(schedule, polled.other) if polled.other else []
            if polled.other in told or (polled.newest and not _in_step(timetable, schedule, others)):
                continue
            told.add(polled.other)
            yield _finding(schedule, polled, others)


def _in_step(timetable: Timetable, schedule: Schedule, others: Sequence[Schedule]) -> bool:
    """Whether the others fire about as often as this one, so that it is a certain run of theirs that it wants."""
    own = len(instants(timetable, schedule))
    theirs = sum(len(instants(timetable, other)) for other in others if other.enabled)
    return 0 < own <= _MUCH_MORE * theirs and theirs <= _MUCH_MORE * own


def _finding(schedule: Schedule, polled: Polled, others: Sequence[Schedule]) -> Finding:
    other = others[0].name if others else polled.other or "another one"
    notes = tuple(
        Note(saying.fitting(f"{one.name} fires here", "it fires here"), one.firing.span)
        for one in (schedule, *others[:1])
        if one.firing is not None and one.firing.span != polled.span
    )
    return Finding(
        code="SCH414",
        message=saying.fitting(
            f"{schedule.name} {polled.how}, which is no proof that {other} has ended",
            f"it {polled.how}, which is no proof that {other} has ended",
            "it relies on the clock, which is no proof that what it needs has ended",
        ),
        span=polled.span,
        notes=notes,
        help=polled.remedy.replace("{other}", other)
        if polled.remedy
        else f"start it when {other} has ended, not at a time by which it usually has",
    )
