"""The calendar's croniter dialect against croniter (Prefect, Superset and others run on it).

Differences found, all of them croniter's:

- Where the clock goes back by something else than an hour, or not on the hour (Lord Howe, Troll, Chatham), a fixed
  time in the doubled stretch is now and then run once instead of twice.
- Where the last hour of a day comes twice (Nuuk, Beirut) and the next day does not match, the second pass is now and
  then left out.
- `5 1 24 7 3#3`, a `#`, `L5` or `W` beside the other day field: croniter looks for both and either by turns, and gives
  up where both never meet. Not put to it; the calendar takes either.
- Where midnight comes twice (Azores) `* * 21-23 */2 6` never returns. Such an expression is not put to it.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from anchorlint.manifests.calendar import zone
from laws.calendar_expressions import Refused, compare, five_fields

croniter = pytest.importorskip("croniter")
ODD = ("Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Chatham", "America/Nuuk", "Asia/Beirut")


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    begin = (start - timedelta(hours=4)).astimezone(zone(name))
    found = []
    try:
        for moment in croniter.croniter(expression, begin).all_next(datetime):
            if moment.astimezone(UTC) >= end:
                break
            found.append(moment.astimezone(UTC))
    except (croniter.CroniterBadCronError, croniter.CroniterBadDateError) as refused:
        raise Refused from refused
    return [instant for instant in found if instant >= start]


def _expression(source: random.Random) -> str:
    """Ranges may run backwards here, and the last weekday of a month has a sign."""
    text = five_fields(source)
    minute, hour, day, month, weekday = text.split()
    draw = source.random()
    if draw < 0.05:
        hour = f"{source.randint(12, 23)}-{source.randint(0, 11)}/{source.randint(1, 5)}"
    elif draw < 0.1:
        day, weekday = "*", f"{source.randint(1, 6)}#{source.randint(1, 4)}"
    elif draw < 0.13:
        day, weekday = "*", f"L{source.randint(1, 6)}"
    elif draw < 0.17:
        day, weekday = source.choice(["L", "l", f"{source.randint(1, 31)}W"]), "*"
    return f"{minute} {hour} {day} {month} {weekday}"


def _bounded(source: random.Random) -> str:
    text = _expression(source)
    return text if text.split()[:2] != ["*", "*"] or text.endswith("* * *") else f"7 {text[2:]}"


def test_random_expressions_fire_as_croniter_says() -> None:
    """Around clock changes mostly, in every kind of zone."""
    result = compare(
        "croniter", _oracle, seed=7, count=400, expression=_bounded, has_a_reason=lambda _, name: name in ODD
    )
    assert not result.wrong
    assert result.explained < result.compared / 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_more_fire_as_croniter_says(seed: int) -> None:
    """The same with other seeds."""
    reason = lambda _, name: name in ODD  # noqa: E731
    assert not compare("croniter", _oracle, seed=seed, count=10_000, expression=_bounded, has_a_reason=reason).wrong
