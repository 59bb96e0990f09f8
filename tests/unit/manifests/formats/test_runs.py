"""Raw exports meet the schedules of their formats: numbers against brute force, and whose run it was."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from datetime import datetime, timedelta

from anchorlint.manifests import read_manifests
from anchorlint.manifests.timetable import Timetable
from unit.manifests.timetables import AS_OF, found

STARTING, STARTED = "7d4958e842da4a758f6c1cdc7b36dcc5", "39f53479d3a045ac8e11786248231fbf"
Runs = list[tuple[datetime, int]]


def stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def read(files: dict[str, str], export: str) -> Timetable:
    table = read_manifests(files.items(), [("export", export, True)], AS_OF)
    assert not table.problems
    assert not table.unmatched_runs
    return table


def lengths(seed: str, count: int, usual_s: int, slow_s: int) -> list[int]:
    dice = random.Random(seed)
    return [
        dice.randint(slow_s, slow_s + 300) if dice.random() < 0.3 else dice.randint(60, usual_s) for _ in range(count)
    ]


def days(hour: int, minute: int, seconds: Iterable[int]) -> Runs:
    listed = list(seconds)
    first = AS_OF - timedelta(days=len(listed))
    return [(first + timedelta(days=day, hours=hour, minutes=minute), each) for day, each in enumerate(listed)]


def p95_s(seconds: list[int]) -> int:
    return sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1]


def gh(name: str, runs: Runs) -> list[dict[str, str]]:
    return [
        {
            "conclusion": "success",
            "event": "schedule",
            "workflowName": name,
            "startedAt": stamp(start),
            "updatedAt": stamp(start + timedelta(seconds=length_s)),
        }
        for start, length_s in runs
    ]


def workflow(name: str, expression: str, group: str) -> str:
    return f'name: {name}\non:\n  schedule:\n    - cron: "{expression}"\nconcurrency: {group}\n'


def test_two_workflows_of_one_group() -> None:
    seconds = lengths("group", 30, 800, 1000)
    files = {
        ".github/workflows/wash.yml": workflow("wash", "5 1 * * *", "laundry"),
        ".github/workflows/dry.yml": workflow("dry", "20 1 * * 1-5", "Laundry"),
    }
    table = read(files, json.dumps(gh("wash", days(1, 9, seconds))))
    (finding,) = found(table, "SCH401")
    late = sum(each > 900 for each in seconds)
    assert finding.span.path == ".github/workflows/dry.yml"
    assert finding.message.startswith(f"{late} of the last 30 runs of wash took longer than the 15 min until dry")
    minutes, rest = divmod(p95_s(seconds), 60)
    assert f"(p95 {minutes}m{f'{rest}s' if rest else ''}); next 2026-11-30 01:20 UTC" in finding.message
    apart = {path: text.replace("Laundry", "linen") for path, text in files.items()}
    assert not found(read(apart, json.dumps(gh("wash", days(1, 9, seconds)))), "SCH401")


def journal(unit: str, runs: Runs) -> str:
    entries = []
    for number, (start, length_s) in enumerate(runs):
        for id_, at, said in (
            (STARTING, start, "Starting"),
            (STARTED, start + timedelta(seconds=length_s), "Finished"),
        ):
            microseconds = str(int(at.timestamp()) * 1_000_000)
            entry = {"__REALTIME_TIMESTAMP": microseconds, "UNIT": unit, "MESSAGE_ID": id_, "MESSAGE": f"{said} {unit}"}
            entries.append(json.dumps({**entry, "INVOCATION_ID": f"{number:032x}"}))
    return "\n".join(entries)


def test_two_timers_of_one_unit() -> None:
    files = {
        "units/often.timer": "[Timer]\nOnCalendar=*-*-* 04:00\nUnit=wash.service\n",
        "units/later.timer": "[Timer]\nOnCalendar=*-*-* 04:30\nUnit=wash.service\n",
    }
    first, second = lengths("first", 25, 600, 1500), lengths("second", 25, 300, 400)
    table = read(files, journal("wash.service", sorted([*days(4, 0, first), *days(4, 30, second)])))
    recorded = {schedule.id: table.record(schedule).lengths_s for schedule in table.schedules}
    assert recorded == {"often.timer": tuple(sorted(first)), "later.timer": tuple(sorted(second))}
    slow = p95_s(first) > 1800
    assert bool(found(table, "SCH401")) is slow


def test_jobs_of_a_cron_job() -> None:
    manifest = "kind: CronJob\nmetadata: {name: wash, namespace: east}\nspec: {schedule: '*/15 * * * *'}\n"
    seconds = lengths("jobs", 40, 700, 1000)
    jobs = [
        {
            "kind": "Job",
            "metadata": {
                "name": f"wash-{int(start.timestamp()) // 60}",
                "namespace": "east",
                "ownerReferences": [{"kind": "CronJob", "name": "wash"}],
            },
            "status": {"startTime": stamp(start), "completionTime": stamp(start + timedelta(seconds=length_s))},
        }
        for start, length_s in days(3, 0, seconds)
    ]
    (finding,) = found(read({"k8s/wash.yaml": manifest}, json.dumps({"kind": "List", "items": jobs})), "SCH402")
    last = seconds[-30:]
    assert finding.message.startswith(f"{sum(each > 900 for each in last)} of the last 30 runs of wash took longer")
    minutes, rest = divmod(p95_s(last), 60)
    assert f"(p95 {minutes}m{f'{rest}s' if rest else ''})" in finding.message


def test_jobs_of_pg_cron() -> None:
    sql = "select cron.schedule('wash', '*/10 * * * *', 'select wash()');\n"
    header = "jobid,jobname,runid,status,return_message,start_time,end_time\n"
    seconds = lengths("pg", 30, 300, 650)
    rows = [
        f"7,wash,{number},succeeded,,{start}+00,{start + timedelta(seconds=length_s)}+00".replace("+00:00+00", "+00")
        for number, (start, length_s) in enumerate(days(2, 0, seconds))
    ]
    (finding,) = found(read({"db/cron.sql": sql}, header + "\n".join(rows) + "\n"), "SCH402")
    assert finding.message.startswith(f"{sum(each > 600 for each in seconds)} of the last 30 runs of wash")
