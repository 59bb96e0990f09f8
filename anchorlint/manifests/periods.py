"""How often a function runs that a schedule names as its entrypoint."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests.firing import instants, pattern

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable


def periods_s(timetable: Timetable) -> dict[str, float]:
    """The usual period in seconds of each entrypoint, the shortest one where several schedules name it."""
    found: dict[str, float] = {}
    for schedule in timetable.enabled:
        named = [*([schedule.entrypoint] if schedule.entrypoint else ()), *schedule.entrypoints]
        usual = _usual_s(timetable, schedule) if named else None
        if usual is not None:
            found.update((name, min(usual, found.get(name, usual))) for name in named)
    return found


def _usual_s(timetable: Timetable, schedule: Schedule) -> float | None:
    """The commonest distance of two firings, of equally common ones the shortest; a dependent's is its first one's."""
    while schedule.firing is None and schedule.dependent and not timetable.graph.behind_ring(schedule):
        before = next(timetable.graph.before(schedule), None)
        if before is None:
            return None
        schedule = before
    meaning = pattern(schedule)
    if meaning is not None and meaning.every_s is not None:
        return meaning.every_s
    at = instants(timetable, schedule)
    gaps = Counter(later - earlier for earlier, later in zip(at, at[1:], strict=False))
    return float(min(gaps, key=lambda gap: (-gaps[gap], gap))) if gaps else None
