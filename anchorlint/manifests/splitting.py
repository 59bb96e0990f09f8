"""Whose run it was, where a record knows only the workflow and the workflow has several schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from anchorlint.domain.schedule import Run, Schedule
from anchorlint.manifests import calendar
from anchorlint.manifests.firing import clocked


def meant(schedules: Sequence[Schedule], run: Run) -> Schedule | None:
    """The schedule whose firing is nearest before the start of a run, None where that is no more than a guess.

    A run that starts later than half the time to the next firing of any of them may just as well be a late one of
    another; one that no clock has started belongs to the schedule without a clock.
    """
    if not run.by_clock:
        return next((schedule for schedule in schedules if schedule.firing is None), None)
    if run.started_at is None:
        return None
    start = run.started_at + timedelta(seconds=1)  # one that starts at the very instant is in time
    before = [(at, place) for place, one in enumerate(schedules) if (at := _previous(one, start)) is not None]
    after = [at for one in schedules if (at := _next(one, start)) is not None]
    if not before or not after:
        return None
    last, place = max(before)
    alone = sum(at == last for at, _ in before) == 1
    late = run.started_at - last
    return schedules[place] if alone and late * 2 < min(after) - last else None


def _previous(schedule: Schedule, at: datetime) -> datetime | None:
    found = clocked(schedule)
    if found is None or schedule.firing is None:
        return None
    return calendar.previous(found, schedule.firing.zone, at)


def _next(schedule: Schedule, at: datetime) -> datetime | None:
    found = clocked(schedule)
    if found is None or schedule.firing is None:
        return None
    return calendar.next_firing(found, schedule.firing.zone, at)
