"""A dependent waits for an id that no schedule has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Fix, Severity
from anchorlint.domain.schedule import Prerequisite, Schedule
from anchorlint.manifests import saying
from anchorlint.manifests.mending import replacement
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each prerequisite that does not exist, at its id."""
    for schedule in timetable.dependents:
        assert schedule.dependency
        for named in schedule.dependency.prerequisites:
            if not timetable.is_known(schedule, named):
                yield _finding(timetable, schedule, named)


def _finding(timetable: Timetable, schedule: Schedule, named: Prerequisite) -> Finding:
    names = {name for scope, name in timetable.names if scope == schedule.scope}
    own = {one.id for one in timetable.schedules if one.scope == schedule.scope and one is not schedule and one.id}
    near = next(iter(difflib.get_close_matches(named.id, sorted(names | own), n=1, cutoff=0.6)), None)
    what = "nothing here is called that" if names else "no schedule has that id"
    edit = replacement(named.span, named.id, near) if near else None
    return Finding(
        code="SCH403",
        message=saying.fitting(
            f"{schedule.name} runs after {named.id}, and {what}",
            f"nothing is called {named.id}" if names else f"no schedule has the id {named.id}",
            "nothing is called that" if names else "no schedule has this id",
        ),
        span=named.span,
        help=f"did you mean {near}?" if near else "name one that exists, or take it out of the list",
        severity=None if schedule.enabled else Severity.NOTE,
        fix=Fix(title=f"write {near}", safe=False, edits=(edit,)) if edit else None,
    )
