"""A dependent has local dates on which a prerequisite never fires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.schedule import Prerequisite, Schedule
from anchorlint.manifests import calendar, saying
from anchorlint.manifests.firing import instants
from anchorlint.manifests.occurrences import Dates, unmatched
from anchorlint.manifests.timetable import Timetable


def check(timetable: Timetable) -> Iterator[Finding]:
    """One finding for each prerequisite that leaves dates of its dependent without a run, where it is named."""
    dates = Dates(timetable)
    for schedule in timetable.enabled:
        together = schedule.dependent and schedule.dependency is not None and not schedule.dependency.any_of
        if together and not timetable.graph.in_ring(schedule) and calendar.valid_zone(schedule.zone):
            yield from _unmatched(timetable, dates, schedule)


def _unmatched(timetable: Timetable, dates: Dates, schedule: Schedule) -> Iterator[Finding]:
    assert schedule.dependency
    known: list[tuple[Prerequisite, Schedule, frozenset[int]]] = []
    for named in schedule.dependency.prerequisites:
        before = timetable.prerequisite(schedule, named)
        if before is None or before is schedule:
            continue
        if not before.enabled:
            yield _disabled(schedule, named, before)
            continue
        if named.match == "instant":
            yield from _at_other_instants(timetable, schedule, named, before)
        found = dates.of(before, schedule.zone) if named.match == "date" else None
        if found is not None:
            known.append((named, before, found))
    own = dates.own(schedule, schedule.zone)
    if own is not None:
        for named, before, found in known:
            missing = sorted(day for day in own - found if day >= dates.first)
            if missing:
                yield _finding(schedule, named, before, missing)
    elif len(known) > 1 and not frozenset.intersection(*(found for *_, found in known)):
        yield _never_together(schedule, [before for _, before, _ in known])


def _at_other_instants(
    timetable: Timetable, schedule: Schedule, named: Prerequisite, before: Schedule
) -> Iterator[Finding]:
    """The finding for a prerequisite that has no run at the instants that are looked for, as Airflow's sensors do."""
    own, others = instants(timetable, schedule), frozenset(instants(timetable, before))
    missing = unmatched(timetable, own, others, named.offset_s) if others else []
    if not missing or schedule.firing is None:
        return
    wanted = saying.instant(missing[0] - named.offset_s, schedule.firing.zone)
    more = f" and {len(missing) - 1} more instants" if len(missing) > 1 else ""
    yield Finding(
        code="SCH411",
        message=saying.fitting(
            f"{schedule.name} waits for a run of {before.name} at {wanted}{more}, and it has none there",
            f"{schedule.name} waits for a run at {wanted}{more}, and there is none",
            f"it waits for a run at {wanted}, and there is none",
        ),
        span=named.span,
        notes=tuple(
            Note(saying.fitting(f"{one.name} fires here"), one.firing.span) for one in (schedule, before) if one.firing
        ),
        help=_nearest(own, others, missing),
    )


def _nearest(own: Sequence[int], others: frozenset[int], missing: Sequence[int]) -> str:
    """The offset that would fit every run, where there is one."""
    latest = {at - max((other for other in others if other <= at), default=at + 1) for at in own[-60:]}
    fitting = latest.pop() if len(latest) == 1 else -1
    if fitting >= 0 and len(missing) > 1:
        return f"look {saying.gap(fitting)} back" if fitting else "look for the run of the same instant"
    return "let both fire on the same dates, or let the other one start it"


def _finding(schedule: Schedule, named: Prerequisite, before: Schedule, missing: list[int]) -> Finding:
    count = f" and {len(missing) - 1} more dates" if len(missing) > 1 else ""
    when = f"{date.fromordinal(missing[0])}{count} in the next 13 months"
    notes = (Note(saying.fitting(f"the dates of {before.name}"), before.firing.span),) if before.firing else ()
    own = (Note(saying.fitting(f"the dates of {schedule.name}"), schedule.firing.span),) if schedule.firing else ()
    return Finding(
        code="SCH411",
        message=saying.fitting(
            f"{schedule.name} fires on {when}, on which {before.name} does not ({schedule.zone})",
            f"{schedule.name} fires on {when} without {before.name}",
            f"it fires on {when}, on which this one does not",
        ),
        span=named.span,
        notes=(*own, *notes),
        help=f"let both fire on the same dates, or take {before.name} out on the others",
    )


def _disabled(schedule: Schedule, named: Prerequisite, before: Schedule) -> Finding:
    return Finding(
        code="SCH411",
        message=saying.fitting(
            f"{schedule.name} waits for {before.name}, which is disabled and so fires on no date",
            "it waits for a schedule that is disabled and so fires on no date",
        ),
        span=named.span,
        notes=(Note(saying.fitting(f"{before.name} is disabled"), before.id_span),),
        help="enable both or neither, or take the disabled one out of the list",
    )


def _never_together(schedule: Schedule, others: list[Schedule]) -> Finding:
    assert schedule.dependency
    names = " and ".join(other.name for other in others)
    return Finding(
        code="SCH411",
        message=saying.fitting(
            f"{schedule.name} waits for {names}, and no date in the next 13 months has all of them",
            f"{schedule.name} waits for {len(others)} schedules that have no date in common",
        ),
        span=schedule.dependency.span,
        notes=tuple(Note(saying.fitting(f"the dates of {o.name}"), o.firing.span) for o in others if o.firing),
        help="let the prerequisites fire on the same dates, or wait for one of them",
    )
