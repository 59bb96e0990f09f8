"""A schedule waits for its own end."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Severity
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule that names itself as a prerequisite, at its id there."""
    for schedule in timetable.dependents:
        assert schedule.dependency
        for named in schedule.dependency.prerequisites:
            if timetable.prerequisite(schedule, named) is schedule:
                said = "waits for its own end, so no run of it can ever start"
                yield Finding(
                    code="SCH404",
                    message=saying.fitting(f"{schedule.name} {said}", f"it {said}"),
                    span=named.span,
                    help="name the schedule that has to end first, or give it no prerequisite",
                    severity=None if schedule.enabled else Severity.NOTE,
                )
