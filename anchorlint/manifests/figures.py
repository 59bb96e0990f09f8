"""What the recorded runs of a schedule say, in numbers for people: lengths as the rules count them, and lateness."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from anchorlint.domain.schedule import Run, Schedule
from anchorlint.manifests.record import PERCENT, percentile
from anchorlint.manifests.timetable import Timetable

MIDDLE = 50


class Spread(msgspec.Struct, frozen=True):
    """Nearest-rank percentiles and the maximum of `count` values, in seconds."""

    count: int
    p50_s: float
    p95_s: float
    max_s: float


class Figures(msgspec.Struct, frozen=True):
    """`recorded` are all runs, `lengths` those of the last window that have one, `cut` of them only lower bounds.

    `lateness` is started - scheduled_for of the last window for which both are known. None stands for no such run.
    """

    recorded: int
    cut: int
    lengths: Spread | None
    lateness: Spread | None


def figures(timetable: Timetable, schedule: Schedule) -> Figures:
    """The numbers of one schedule of the timetable."""
    runs = timetable.runs(schedule)
    record = timetable.record(schedule)
    return Figures(len(runs), record.cut, _spread(record.lengths_s), _spread(_lateness_s(runs, timetable.window)))


def _lateness_s(runs: Iterable[Run], window: int) -> list[float]:
    known = ((run.started_at, run.scheduled_for) for run in runs if run.started_at and run.scheduled_for)
    return [(started - planned).total_seconds() for started, planned in sorted(known)[-window:]]


def _spread(values: Iterable[float]) -> Spread | None:
    ascending = sorted(values)
    if not ascending:
        return None
    low, high = percentile(ascending, MIDDLE), percentile(ascending, PERCENT)
    return Spread(len(ascending), low, high, ascending[-1])
