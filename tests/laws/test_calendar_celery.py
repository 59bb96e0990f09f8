"""The calendar's Celery dialect against Celery's own crontab, asked for one run after the other as beat asks.

No difference is known. A skipped time is run late by as much as the clock was moved; of a doubled hour only the first
pass is run, by an hourly task as well.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import pytest

from anchorlint.manifests.calendar import zone
from laws.calendar_expressions import Refused, compare, five_fields

celery = pytest.importorskip("celery")
schedules = pytest.importorskip("celery.schedules")


@lru_cache(maxsize=64)
def _app(name: str) -> Any:
    app = celery.Celery(set_as_current=False)
    app.timezone = zone(name)
    return app


def _oracle(expression: str, name: str, start: datetime, end: datetime) -> list[datetime]:
    minute, hour, day, month, weekday = expression.split()
    last = (start - timedelta(hours=4)).astimezone(zone(name))
    try:
        crontab = schedules.crontab(minute, hour, weekday, day, month, app=_app(name), nowfun=lambda: last)
    except ValueError as refused:
        raise Refused from refused
    found = []
    while True:
        instant = last.astimezone(UTC) + crontab.remaining_estimate(last)
        assert instant > last
        if instant >= end:
            return [moment for moment in found if moment >= start]
        found.append(instant)
        last = instant.astimezone(zone(name))


def _expression(source: random.Random) -> str:
    text = five_fields(source, sunday=source.choice([6, 6, 6, 7]), bare_steps=source.random() < 0.1)
    if source.random() < 0.1:
        minute, _, rest = text.split(" ", 2)
        return f"{minute} {source.randint(12, 23)}-{source.randint(0, 11)}/{source.randint(1, 5)} {rest}"
    return text


def test_random_crontabs_run_as_celery_says() -> None:
    """Around clock changes mostly, in every kind of zone; 7 for Sunday and 5/15 are refused by both."""
    result = compare("celery", _oracle, seed=57, count=1000, expression=_expression)
    assert not result.wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_more_run_as_celery_says(seed: int) -> None:
    """The same with other seeds."""
    assert not compare("celery", _oracle, seed=seed, count=10_000, expression=_expression).wrong
