"""A dependent without a deadline may start on the next day with yesterday's data."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable

_HELP = 'add dependency_deadline, the last local time at which it may start: "17:30"'


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each enabled dependent without any deadline, at the line of its prerequisites."""
    for schedule in timetable.enabled:
        dependency = schedule.dependency
        if not schedule.dependent or dependency is None or not dependency.needs_deadline:
            continue
        if dependency.deadline is not None or timetable.graph.in_ring(schedule):
            continue
        first, *others = [named.id for named in dependency.prerequisites]
        after = f"{first} and {len(others)} more" if others else first
        said = "without a deadline: when they end late, it starts on the next day"
        yield Finding(
            code="SCH413",
            message=saying.fitting(
                f"{schedule.name} runs after {after} {said if others else said.replace('they end', 'it ends')}",
                f"this dependent is {said}",
            ),
            span=dependency.span,
            help=dependency.remedy or _HELP,
        )
