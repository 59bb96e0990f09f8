"""A dependency on nothing: an empty list, an empty id, or a deadline and a delay without prerequisites."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.domain.schedule import Dependency, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule with a dependency that names nobody, at the list or the id."""
    for schedule in timetable.enabled:
        if schedule.dependency is not None:
            for message, span in _empty(schedule, schedule.dependency):
                yield Finding(
                    code="SCH409",
                    message=message,
                    span=span,
                    help="name what has to end first, or take the dependency fields out",
                )


def _empty(schedule: Schedule, dependency: Dependency) -> Iterator[tuple[str, Span]]:
    named = (*([dependency.legacy] if dependency.legacy else []), *(dependency.listed or ()))
    for prerequisite in named:
        if not prerequisite.id.strip():
            yield "an empty id among the prerequisites: nothing can ever be found under it", prerequisite.span
    if dependency.listed == () and dependency.legacy is None:
        told = "runs after an empty list: it starts at once or waits for ever, as the engine reads it"
        yield saying.fitting(f"{schedule.name} {told}", f"it {told}"), dependency.span
    elif not named and (dependency.deadline is not None or dependency.delay_s > 0):
        what = "dependency_deadline" if dependency.deadline is not None else "after_delay_minutes"
        span = dependency.deadline.span if dependency.deadline else dependency.span
        told = f"has a {what} and no prerequisites, so it never applies"
        yield saying.fitting(f"{schedule.name} {told}", f"it {told}"), span
