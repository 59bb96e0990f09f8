"""Schedules wait for each other in a ring."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note, Severity
from anchorlint.domain.schedule import Prerequisite, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each ring, where its first member names the next one."""
    for ring in timetable.graph.rings:
        following = [*ring[1:], ring[0]]
        edges = [_edge(timetable, one, other) for one, other in zip(ring, following, strict=True)]
        notes = [Note(saying.fitting(f"{one.name} waits for {other.name}"), edge.span)
                 for one, other, edge in zip(ring[1:], following[1:], edges[1:], strict=True)]  # fmt: skip
        yield Finding(
            code="SCH405",
            message=_message(ring),
            span=edges[0].span,
            notes=tuple(notes),
            help="take one of these prerequisites out; the others stay as they are",
            severity=None if any(schedule.enabled for schedule in ring) else Severity.NOTE,
        )


def _edge(timetable: Timetable, one: Schedule, other: Schedule) -> Prerequisite:
    assert one.dependency
    return next(named for named in one.dependency.prerequisites if timetable.prerequisite(one, named) is other)


def _message(ring: tuple[Schedule, ...]) -> str:
    names = [schedule.name for schedule in ring]
    whole = " > ".join([*names, names[0]])
    count = f"{len(ring)} schedules"
    return saying.fitting(
        f"{whole}: each waits for the next, so none can ever start",
        f"{names[0]} > {names[1]} > … > {names[0]}: {count} wait in a ring, so none can ever start",
        f"{count} wait for each other in a ring, so none can ever start",
    )
