"""A thousand schedules with a hundred thousand recorded runs are judged in about two seconds of CPU."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta

import pytest

from unit.manifests.timetables import found, timetable

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Santiago"]


def manifest(chance: random.Random, count: int) -> str:
    entries = []
    for number in range(count):
        minute, hour = chance.randrange(60), chance.randrange(24)
        cron = f"{minute} {hour} * * {chance.choice(['*', '1-5', '1', '*', '6'])}" if number % 33 else "*/10 * * * *"
        dependency = f', after_schedule_ids: [s{number - 1}], dependency_deadline: "23:30"' if number % 10 == 9 else ""
        zone = chance.choice(ZONES)
        entries.append(f'  - {{id: s{number}, workflow: w{number // 4}, cron: "{cron}", timezone: {zone}{dependency}}}')
    return "schedules:\n" + "\n".join(entries) + "\n"


def history(chance: random.Random, count: int) -> str:
    rows = ["schedule_id,scheduled_for,started_at,finished_at,status"]
    for number in range(count):
        usual_s = chance.choice([120, 300, 1200, 3000])
        for day in range(100):
            start = datetime(2026, 8, 1, tzinfo=UTC) + timedelta(days=day)
            end = start + timedelta(seconds=int(chance.expovariate(1 / usual_s)))
            rows.append(f"s{number},{start:%FT%TZ},{start:%FT%TZ},{end:%FT%TZ},completed")
    return "\n".join(rows) + "\n"


@pytest.mark.slow
def test_a_thousand_schedules() -> None:
    chance = random.Random(11)
    text, runs = manifest(chance, 1000), history(chance, 1000)
    found(timetable("schedules:\n  - {id: warm, cron: '0 5 * * *'}\n"))
    begun = time.process_time()
    findings = found(timetable(text, runs))
    spent_s = time.process_time() - begun
    assert {finding.code for finding in findings} >= {"SCH401", "SCH402", "SCH411", "SCH412"}
    assert spent_s < 3, f"{spent_s:.1f} s of CPU; the promise is 2 s on an idle machine"
