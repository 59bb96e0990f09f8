"""The days on which a clock change meets a schedule, engine by engine."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

import pytest

from anchorlint.manifests.calendar import Hazard, firings, hazards, parse_text

START = datetime(2026, 11, 30, tzinfo=UTC)
END = START + timedelta(days=365)


def _hazards(dialect: str, text: str, name: str = "America/New_York") -> list[Hazard]:
    return hazards(parse_text(dialect, text), name, START, END)


@pytest.mark.parametrize(
    ("dialect", "text", "skipped", "doubled"),
    [
        ("native", "30 H * * *", "unknown", "unknown"),
        ("vixie", "30 H * * *", "moved", "once"),
        ("github", "30 H * * *", "moved", "once"),
        ("robfig", "30 H * * *", "dropped", "twice"),
        ("eventbridge", "cron(30 H * * ? *)", "dropped", "once"),
        ("pg_cron", "30 H * * *", "dropped", "twice"),
        ("croniter", "30 H * * *", "moved", "twice"),
        ("airflow", "30 H * * *", "moved", "once"),
        ("dagster", "30 H * * *", "moved", "once"),
        ("apscheduler", "30 H * * *", "moved", "twice"),
        ("celery", "30 H * * *", "moved", "once"),
        ("systemd", "*-*-* H:30", "dropped", "once"),
    ],
)
def test_what_each_engine_does(dialect: str, text: str, skipped: str, doubled: str) -> None:
    """02:30 on 14 March and 01:30 on 7 November 2027 in New York."""
    (spring,) = _hazards(dialect, text.replace("H", "2"))
    (autumn,) = _hazards(dialect, text.replace("H", "1"))
    assert (spring.date, spring.kind, spring.local, spring.effect) == (date(2027, 3, 14), "skipped", "02:30", skipped)
    assert (autumn.date, autumn.kind, autumn.local, autumn.effect) == (date(2027, 11, 7), "doubled", "01:30", doubled)
    assert spring.shown == ()
    assert [moment.hour for moment in autumn.shown] == [5, 6]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("*/10 * * * *", "America/New_York"),
        ("15 * * * *", "America/New_York"),
        ("30 2 * 7 *", "America/New_York"),
        ("30 2 * * 1-5", "America/New_York"),
        ("30 4 * * *", "America/New_York"),
        ("30 2 * * *", "Asia/Kolkata"),
        ("0 0 * * *", "America/Lima"),
        ("30 2 * * *", "UTC"),
        ("@hourly", "Europe/Berlin"),
    ],
)
def test_no_hazard(text: str, name: str) -> None:
    """Every hour, another month, another weekday, another hour, or a zone that keeps its time."""
    assert _hazards("native", text, name) == []


@pytest.mark.parametrize(
    ("text", "name", "day", "local"),
    [
        ("0 0 * * *", "America/Santiago", date(2027, 9, 5), "00:00"),
        ("30 0 * * *", "Africa/Cairo", date(2027, 4, 30), "00:30"),
        ("15 2 * * *", "Australia/Lord_Howe", date(2027, 10, 3), "02:15"),
        ("30 1 * * *", "Europe/Dublin", date(2027, 3, 28), "01:30"),
        ("30 2 * * *", "Pacific/Auckland", date(2027, 9, 26), "02:30"),
    ],
)
def test_not_only_two_o_clock(text: str, name: str, day: date, local: str) -> None:
    """Midnight, half an hour, negative summer time, the south."""
    found = [hazard for hazard in _hazards("robfig", text, name) if hazard.kind == "skipped"]
    assert [(hazard.date, hazard.local) for hazard in found] == [(day, local)]


def test_engines_of_wall_times_lose_an_hour_in_autumn() -> None:
    """An hourly timer of systemd, an hourly task of Celery: only the first pass of the doubled hour is run."""
    for dialect, text in (("systemd", "hourly"), ("celery", "0 * * * *")):
        (lost,) = _hazards(dialect, text)
        assert (lost.kind, lost.effect, lost.local) == ("doubled", "lost", "01:00")


def test_apscheduler_misses_the_first_hour_of_a_later_day() -> None:
    """The day after for a daily job, the first of the next month for a monthly one."""
    (daily,) = [hazard for hazard in _hazards("apscheduler", "30 0 * * *") if hazard.kind == "missed"]
    (monthly,) = [hazard for hazard in _hazards("apscheduler", "30 0 1 * *") if hazard.kind == "missed"]
    assert (daily.date, monthly.date) == (date(2027, 3, 15), date(2027, 4, 1))
    assert not [hazard for hazard in _hazards("apscheduler", "30 4 * * *") if hazard.kind == "missed"]


@pytest.mark.parametrize(
    "dialect", ["vixie", "robfig", "croniter", "airflow", "dagster", "celery", "apscheduler", "github"]
)
def test_hazards_and_firings_tell_the_same_story(dialect: str) -> None:
    """An instant that a hazard names is a firing; a shown one that it does not name is none."""
    source = random.Random(dialect)
    for _ in range(60):
        hour, minute = source.randint(0, 3), source.randint(0, 59)
        name = source.choice(
            ["America/New_York", "Europe/Dublin", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Beirut"]
        )
        pattern = parse_text(dialect, f"{minute} {hour} * * *")
        fired = set(firings(pattern, name, START, END))
        for hazard in hazards(pattern, name, START, END):
            assert set(hazard.instants) <= fired
            assert not (set(hazard.shown) - set(hazard.instants)) & fired
