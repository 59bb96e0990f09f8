"""The calendar's Airflow dialect against Airflow's own step (CronMixin._get_next) over croniter on naive times.

Airflow asks croniter for the next wall time; a schedule of every hour then adds the distance to real time, any other
puts the zone on: a skipped time moves by as much as the clock, of a doubled one the second is taken.

Differences found, both from that distance, which a clock change on the way makes wrong:

- A schedule of every hour on some dates only, such as `56 * */2 * *`, runs an hour beside its time from the change on.
- Where the clock moves by half an hour or at a quarter to the hour (Lord Howe, Chatham) so does any of every hour.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from anchorlint.manifests.calendar import zone
from laws.calendar_expressions import Refused, compare

croniter = pytest.importorskip("croniter")


def _aware(wall: datetime, place: ZoneInfo) -> datetime:
    """What pendulum makes of a wall time: the later of two, and moved on where there is none."""
    second = wall.replace(tzinfo=place, fold=1).astimezone(UTC)
    exists = second.astimezone(place).replace(tzinfo=None) == wall
    return second if exists else wall.replace(tzinfo=place, fold=0).astimezone(UTC)


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    place, found = zone(name), []
    moment = start - timedelta(hours=30)
    try:
        hourly = croniter.croniter(expression).expanded[1] == ["*"]
        while moment < end:
            wall = moment.astimezone(place).replace(tzinfo=None)
            following = croniter.croniter(expression, wall).get_next(datetime)
            later = moment + (following - wall) if hourly else _aware(following, place)
            if later <= moment:
                # A second pass is behind it already; Airflow's next data interval begins from the wall time.
                later = _aware(croniter.croniter(expression, following).get_next(datetime), place)
            moment = later
            found.append(moment)
    except (croniter.CroniterBadCronError, croniter.CroniterBadDateError) as refused:
        raise Refused from refused
    return [instant for instant in found if start <= instant < end]


def _has_a_reason(expression: str, name: str) -> bool:
    hourly = croniter.croniter(expression).expanded[1] == ["*"]
    return (hourly and expression.split()[2:] != ["*", "*", "*"]) or name in ("Australia/Lord_Howe", "Pacific/Chatham")


def test_random_schedules_run_as_airflow_says() -> None:
    """Around clock changes mostly, in every kind of zone."""
    result = compare("airflow", _oracle, seed=2, count=80, has_a_reason=_has_a_reason)
    assert not result.wrong
    assert result.explained < result.compared / 20
