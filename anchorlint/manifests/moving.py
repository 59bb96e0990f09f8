"""Where to move a cron so that it no longer meets what runs before it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from anchorlint.domain.schedule import Schedule
from anchorlint.manifests.calendar import zone
from anchorlint.manifests.firing import clocked

_STEP = 5  # minutes


def later_time(schedule: Schedule, closest: tuple[int, int] | None, length_s: float) -> str | None:
    """The first local time, in steps of 5 minutes and never on the full hour, that is `length_s` after the earlier one.

    `closest` are the instants (epoch seconds) of the shortest gap. None where one time does not say it: several times
    a day, or a time on the next date.
    """
    found = clocked(schedule)
    if closest is None or found is None or len(found.times) != 1 or schedule.firing is None:
        return None
    place = zone(found.zone or schedule.firing.zone)
    now = datetime.fromtimestamp(closest[1], UTC).astimezone(place)
    free = datetime.fromtimestamp(closest[0] + length_s, UTC).astimezone(place)
    moved = free.replace(minute=free.minute // _STEP * _STEP, second=0, microsecond=0)
    while moved < free or moved.minute == 0:
        moved += timedelta(minutes=_STEP)
    return f"{moved:%H:%M}" if moved.date() == now.date() else None
