"""When a dependent can start on each of its dates: the latest end of its prerequisites, at the p95 of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests.firing import first_instants
from anchorlint.manifests.record import Record

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable


class Start(msgspec.Struct, frozen=True):
    """When something starts on one date, and the prerequisites that lead there, the first one first.

    `at_s` is the start and `begun_s` the instant at which the first of the path fires, in epoch seconds.
    """

    at_s: float
    begun_s: float
    path: tuple[Schedule, ...] = ()


class Starts:
    """The starts of schedules by local date of one zone; `length_s` says how long a run is taken to be."""

    def __init__(self, timetable: Timetable, zone: str, length_s: Callable[[Record], float]) -> None:
        self._timetable = timetable
        self._zone = zone
        self._length_s = length_s
        self._known: dict[int, dict[int, Start]] = {}

    def of(self, schedule: Schedule) -> dict[int, Start]:
        """The first start of a schedule on each local date (as an ordinal) that it has; empty if nobody can say."""
        place = self._timetable.place(schedule)
        if place not in self._known:
            self._known[place] = {}  # a ring would come back here
            self._known[place] = self._after_others(schedule) if schedule.dependent else self.by_clock(schedule)
        return self._known[place]

    def by_clock(self, schedule: Schedule) -> dict[int, Start]:
        """The first instant that the schedule's own expression names on each local date; empty if it has no clock."""
        return {day: Start(at, at) for day, at in first_instants(self._timetable, schedule, self._zone).items()}

    def _after_others(self, schedule: Schedule) -> dict[int, Start]:
        delay_s = schedule.dependency.delay_s if schedule.dependency else 0
        together: dict[int, Start] | None = None
        for before in self._timetable.graph.before(schedule):
            length_s = self._length_s(self._timetable.record(before))
            ends = {
                day: Start(start.at_s + length_s + delay_s, start.begun_s, (*start.path, before))
                for day, start in self.of(before).items()
            }
            together = ends if together is None else _later(together, ends)
        return together or {}


def _later(one: dict[int, Start], other: dict[int, Start]) -> dict[int, Start]:
    """On each date that both have, the later of the two."""
    return {day: max(one[day], other[day], key=lambda start: start.at_s) for day in one.keys() & other.keys()}
