"""The old field `after_schedule_id` and the list `after_schedule_ids` name different prerequisites."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note, Severity
from anchorlint.manifests import saying
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each schedule whose old field names an id that the list does not, at the list."""
    for schedule in timetable.schedules:
        dependency = schedule.dependency
        if dependency is None or dependency.legacy is None or dependency.listed is None:
            continue
        legacy, listed = dependency.legacy.id, [named.id for named in dependency.listed]
        if not legacy.strip() or legacy in listed:
            continue
        names = ", ".join(listed) or "nobody"
        yield Finding(
            code="SCH410",
            message=saying.fitting(
                f"after_schedule_ids names {names}, after_schedule_id names {legacy}: readers disagree on which counts",
                "after_schedule_ids and after_schedule_id name different schedules: readers disagree on which counts",
            ),
            span=dependency.span,
            notes=(Note("the old field", dependency.legacy_span or dependency.legacy.span),),
            help=saying.fitting(f"put {legacy} into the list if it counts, and take the old field out"),
            severity=None if schedule.enabled else Severity.NOTE,
        )
