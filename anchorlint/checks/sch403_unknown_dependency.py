"""A dependent waits for an id that no schedule has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Severity
from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each prerequisite that does not exist, at its id."""
    for schedule in timetable.dependents:
        assert schedule.dependency
        for named in schedule.dependency.prerequisites:
            if not timetable.is_known(schedule, named):
                said = f"{schedule.name} runs after {named.id}, and no schedule has that id"
                yield Finding(
                    code="SCH403",
                    message=saying.fitting(said, f"no schedule has the id {named.id}", "no schedule has this id"),
                    span=named.span,
                    help=_nearest(timetable, schedule, named.id),
                    severity=None if schedule.enabled else Severity.NOTE,
                )


def _nearest(timetable: Timetable, schedule: Schedule, id_: str) -> str:
    own = [s.id for s in timetable.schedules if s.scope == schedule.scope and s is not schedule and s.id]
    own += [name for scope, name in timetable.names if scope == schedule.scope]
    near = difflib.get_close_matches(id_, sorted(own), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else "name a schedule that exists, or take it out of the list"
