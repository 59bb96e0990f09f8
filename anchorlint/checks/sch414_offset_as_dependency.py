"""A sleep, a delta or the newest run of another schedule stands for "after that one has ended"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.schedule import Polled, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.firing import instants
from anchorlint.manifests.occurrences import unmatched
from anchorlint.manifests.timetable import Timetable

_MUCH_MORE = 2  # times as often: then any newest run will do, or the next look finds it


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each piece of evidence that the reader saw, where it stands."""
    for schedule in timetable.enabled:
        told: set[str | None] = set()
        for polled in schedule.polled:
            others = _others(timetable, schedule, polled)
            if polled.newest and not _in_step(timetable, schedule, others):
                continue
            if polled.offset_s is not None and not _misses(timetable, schedule, polled.offset_s, others):
                continue
            other = others[0].workflow if others else polled.other
            if other not in told:
                told.add(other)
                yield _finding(schedule, polled, others)


def _others(timetable: Timetable, schedule: Schedule, polled: Polled) -> Sequence[Schedule]:
    """The schedules whose end it should wait for; none if what it takes may be its own."""
    if polled.other:
        return timetable.graph.answering(schedule, polled.other)
    keeping = timetable.graph.keeping(schedule, polled.what) if polled.what else []
    own = any(set(one.recorded_as) & set(schedule.recorded_as) for one in keeping)
    return [] if own else keeping


def _in_step(timetable: Timetable, schedule: Schedule, others: Sequence[Schedule]) -> bool:
    """Whether the others fire about as often as this one, so that it is a certain run of theirs that it wants."""
    own = len(instants(timetable, schedule))
    theirs = sum(len(instants(timetable, other)) for other in others if other.enabled)
    return 0 < own <= _MUCH_MORE * theirs and theirs <= _MUCH_MORE * own


def _misses(timetable: Timetable, schedule: Schedule, offset_s: float, others: Sequence[Schedule]) -> bool:
    """Whether a run that is waited for by its instant is not there: one that is there has to end first."""
    theirs = {at for other in others for at in instants(timetable, other)}
    return bool(theirs) and bool(unmatched(timetable, instants(timetable, schedule), theirs, offset_s))


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
