"""`dependency_deadline` cannot be read, so that it never applies."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding
from anchorlint.manifests import deadlines, saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each deadline that is no time of day with a zone, at its value."""
    for schedule in timetable.enabled:
        deadline = schedule.dependency.deadline if schedule.dependency else None
        if deadline is not None and deadline.fault is not None:
            said = f'"{deadline.text}" ' if deadline.text else ""
            yield Finding(
                code="SCH408",
                message=saying.fitting(
                    f"dependency_deadline {said}{deadline.fault}, so it never applies",
                    f"dependency_deadline {deadline.fault}, so it never applies",
                ),
                span=deadline.span,
                help=deadlines.advice(deadline),
            )
