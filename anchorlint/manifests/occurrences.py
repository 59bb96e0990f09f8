"""On which local dates a schedule has an occurrence, dependents through what they wait for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests import calendar
from anchorlint.manifests.firing import local_dates
from anchorlint.manifests.timetable import AHEAD

if TYPE_CHECKING:
    from anchorlint.manifests.timetable import Timetable

_SPARE = timedelta(days=3)  # at the end: a date begins earlier in one zone than in another


def unmatched(timetable: Timetable, own: Iterable[int], others: Collection[int], offset_s: float) -> list[int]:
    """The instants from `as_of` on of which the others have none `offset_s` seconds before, within what is known."""
    since, (start, end) = timetable.as_of.timestamp(), timetable.window_s
    return [at for at in own if at >= since and start <= at - offset_s < end and at - offset_s not in others]


class Dates:
    """The dates (ordinals) of schedules by zone, from two days before `as_of` to 13 months after."""

    def __init__(self, timetable: Timetable) -> None:
        self._timetable = timetable
        self._known: dict[tuple[int, str], frozenset[int] | None] = {}

    @property
    def first(self) -> int:
        """The first date (an ordinal) that is judged; those before only serve to be matched."""
        return self._timetable.as_of.date().toordinal()

    def own(self, schedule: Schedule, zone: str) -> frozenset[int] | None:
        """The dates that the schedule's own cron names in `zone`, almost 13 months ahead; None if it names none."""
        return self._dates(schedule, zone, AHEAD - _SPARE)

    def of(self, schedule: Schedule, zone: str) -> frozenset[int] | None:
        """The dates in `zone` on which the schedule fires; None if nobody can say."""
        key = (self._timetable.place(schedule), zone)
        if key not in self._known:
            self._known[key] = None  # a ring would come back here
            own = self._dates(schedule, zone, AHEAD)
            self._known[key] = own if schedule.firing is not None else self._of_others(schedule, zone)
        return self._known[key]

    def _dates(self, schedule: Schedule, zone: str, ahead: timedelta) -> frozenset[int] | None:
        if not calendar.valid_zone(zone):
            return None
        return local_dates(self._timetable, schedule, zone, ahead.days)

    def _of_others(self, schedule: Schedule, zone: str) -> frozenset[int] | None:
        """The dates that all its prerequisites have; None if those of one are unknown."""
        together: frozenset[int] | None = None
        for before in self._timetable.graph.before(schedule):
            found = self.of(before, zone)
            if found is None:
                return None
            together = found if together is None else together & found
        return together
