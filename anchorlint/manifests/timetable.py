"""Everything that the schedule rules read: schedules, their recorded runs, and the instants at which they fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Busy, Flaw, Prerequisite, Run, Schedule
from anchorlint.manifests.dialects import Skipped
from anchorlint.manifests.graph import Graph
from anchorlint.manifests.record import Record, record

AHEAD = timedelta(days=396)  # 13 months
BEHIND = timedelta(days=2)  # what fired before the instant from which we look, and may still run


class Timetable:
    """The schedules of one analysis, in the order of their paths and places; nothing in it changes once it is made.

    `as_of` is the aware instant from which to look ahead, `window` how many of the last runs count. `runs` are those
    of each schedule by its place in `schedules`. `problems` are files that could not be read, `skipped` what was
    recognised and not checked, `unmatched_runs` the named files of runs that belong to no schedule. `names` are the ids
    by scope that exist besides the schedules.
    """

    def __init__(
        self,
        schedules: Iterable[Schedule],
        as_of: datetime,
        *,
        flaws: Iterable[Flaw] = (),
        runs: Mapping[int, Sequence[Run]] | None = None,
        window: int = 30,
        problems: Iterable[Problem] = (),
        skipped: Iterable[Skipped] = (),
        unmatched_runs: Iterable[str] = (),
        names: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.schedules = tuple(schedules)
        self.as_of = as_of
        self.window = window
        self.problems = tuple(problems)
        self.skipped = tuple(skipped)
        self.unmatched_runs = tuple(unmatched_runs)
        self.names = frozenset(names)
        self._flaws = tuple(flaws)
        self._runs = dict(runs or {})
        self._places = {id(schedule): place for place, schedule in enumerate(self.schedules)}
        self._records: dict[int, Record] = {}

    @property
    def enabled(self) -> Iterator[Schedule]:
        """The schedules that are switched on."""
        return (schedule for schedule in self.schedules if schedule.enabled)

    @property
    def dependents(self) -> Iterator[Schedule]:
        """The schedules that fire when others end, disabled ones too."""
        return (schedule for schedule in self.schedules if schedule.dependent)

    def place(self, schedule: Schedule) -> int:
        """The number of a schedule in the order of the text."""
        return self._places[id(schedule)]

    def flaws(self, code: str) -> Iterator[Flaw]:
        """What the readers found for this rule."""
        return (flaw for flaw in self._flaws if flaw.code == code)

    def runs(self, schedule: Schedule) -> Sequence[Run]:
        """Every recorded run of a schedule, in no order."""
        return self._runs.get(self.place(schedule), ())

    def record(self, schedule: Schedule) -> Record:
        """What the last runs of a schedule say."""
        place = self.place(schedule)
        if place not in self._records:
            queued = schedule.busy is Busy.QUEUE
            self._records[place] = record(self._runs.get(place, ()), self.window, queued=queued)
        return self._records[place]

    @property
    def without_runs(self) -> tuple[Schedule, ...]:
        """The enabled schedules of which no run is recorded."""
        return tuple(schedule for schedule in self.enabled if not self.runs(schedule))

    @cached_property
    def graph(self) -> Graph:
        """Who waits for whom."""
        return Graph(self.schedules)

    @cached_property
    def periods_s(self) -> dict[str, float]:
        """The usual shortest period in seconds of each function that a schedule names as its entrypoint."""
        from anchorlint.manifests.periods import periods_s

        return periods_s(self)

    def prerequisite(self, schedule: Schedule, named: Prerequisite) -> Schedule | None:
        """The schedule that a dependent names, None if there is none."""
        return self.graph.find(schedule, named.id)

    def is_known(self, schedule: Schedule, named: Prerequisite) -> bool:
        """Whether what a dependent names exists, be it a schedule or not."""
        return (schedule.scope, named.id) in self.names or self.prerequisite(schedule, named) is not None

    @cached_property
    def window_s(self) -> tuple[int, int]:
        """From when to when instants are looked at, in epoch seconds: from before `as_of` to 13 months after."""
        return int((self.as_of - BEHIND).timestamp()), int((self.as_of + AHEAD).timestamp())
