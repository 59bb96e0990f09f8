"""SCH403 to SCH413: what a dependent may say about what it waits for."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.domain.finding import Severity
from unit.manifests.timetables import csv, daily, found, marks, timetable

ROOT = "schedules:\n  - {id: root, cron: '0 5 * * *'}\n"
GOOD = ROOT + "  - {id: leaf, after_schedule_ids: [root], dependency_deadline: 09:00}\n"


def entry(**keys: str) -> str:
    """A manifest of `root` and one more entry in line 3 with these keys."""
    return ROOT + "  - {" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}\n"


def leaf(**keys: str) -> str:
    return entry(**{"id": "leaf", "after_schedule_ids": "[root]", "dependency_deadline": "09:00", **keys})


def test_nothing_to_say() -> None:
    assert marks(timetable(GOOD)) == []


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ({"after_schedule_ids": "[rot]"}, ["SCH403"]),
        ({"after_schedule_ids": "[root, rot, tor]"}, ["SCH403", "SCH403"]),
        ({"after_schedule_ids": "[leaf]"}, ["SCH404"]),
        ({"after_schedule_ids": "[root, leaf]"}, ["SCH404"]),
        ({"after_terminal_status": "success"}, ["SCH406"]),
        ({"after_terminal_status": "Completed"}, ["SCH406"]),
        ({"after_terminal_status": "any_terminal"}, []),
        ({"after_terminal_status": "[completed]"}, ["SCH406"]),
        ({"after_terminal_status": "true"}, ["SCH406"]),
        ({"after_delay_minutes": "-1"}, ["SCH407"]),
        ({"after_delay_minutes": "0"}, []),
        ({"after_delay_minutes": "2.5"}, []),
        ({"after_delay_minutes": "'5'"}, ["SCH407"]),
        ({"after_delay_minutes": "true"}, ["SCH407"]),
        ({"after_delay_minutes": ".inf"}, ["SCH407"]),
        ({"after_delay_minutes": ".nan"}, []),
        ({"dependency_deadline": "24:00"}, ["SCH408"]),
        ({"dependency_deadline": "5:30pm"}, ["SCH408"]),
        ({"dependency_deadline": "17:60"}, ["SCH408"]),
        ({"dependency_deadline": "1730"}, ["SCH408"]),
        ({"dependency_deadline": "17:30 Europe/Madrit"}, ["SCH408"]),
        ({"dependency_deadline": "17:30 europe/madrid"}, ["SCH408"]),
        ({"dependency_deadline": "17:30 US/Eastern"}, []),
        ({"dependency_deadline": "9:30"}, []),
        ({"dependency_deadline": "'09:30:00'"}, []),
        ({"after_schedule_ids": "[]"}, ["SCH409"]),
        ({"after_schedule_ids": "['']"}, ["SCH409"]),
        ({"after_schedule_ids": "[root, ' ']"}, ["SCH409"]),
        ({"after_schedule_ids": "[root]", "after_schedule_id": "root"}, []),
        ({"after_schedule_ids": "[root]", "after_schedule_id": "~"}, []),
        ({"after_schedule_ids": "[]", "after_schedule_id": "root"}, ["SCH410"]),
        ({"dependency_deadline": "~"}, ["SCH413"]),
        ({"dependency_deadline": "~", "after_schedule_ids": "[leaf]"}, ["SCH404"]),
        ({"after_schedule_ids": "root"}, ["SCH418"]),
        ({"after_schedule_ids": "[7]"}, ["SCH403", "SCH418"]),
    ],
)
def test_one_field(keys: dict[str, str], codes: list[str]) -> None:
    if keys.get("after_delay_minutes") == ".nan":
        codes = ["SCH407"]
    assert marks(timetable(leaf(**keys))) == [(3, code) for code in codes]


def test_fields_without_prerequisites() -> None:
    assert marks(timetable(entry(id="x", cron="'0 6 * * *'", dependency_deadline="09:00"))) == [(3, "SCH409")]
    assert marks(timetable(entry(id="x", cron="'0 6 * * *'", after_delay_minutes="5"))) == [(3, "SCH409")]
    assert marks(timetable(entry(id="x", cron="'0 6 * * *'", after_delay_minutes="0"))) == []
    assert marks(timetable(entry(id="x", cron="'0 6 * * *'", after_terminal_status="completed"))) == []


def test_the_old_field_against_the_list() -> None:
    three = "schedules:\n  - {id: a, cron: '0 5 * * *'}\n  - {id: b, cron: '0 5 * * *'}\n  - id: c\n"
    rest = "    dependency_deadline: 09:00\n"
    conflict = three + "    after_schedule_id: a\n    after_schedule_ids: [b]\n" + rest
    assert marks(timetable(conflict)) == [(6, "SCH410")]
    member = three + "    after_schedule_id: a\n    after_schedule_ids: [b, a]\n" + rest
    assert marks(timetable(member)) == []


def test_where_findings_stand() -> None:
    text = ROOT + "  - id: leaf\n    after_schedule_ids:\n      - root\n      - rot\n    dependency_deadline: 09:00\n"
    (finding,) = found(timetable(text))
    assert (finding.code, finding.span.start.line, finding.span.start.column) == ("SCH403", 6, 9)
    assert finding.help == "did you mean root?"
    without = ROOT + "  - id: leaf\n    after_schedule_ids:\n      - root\n"
    (finding,) = found(timetable(without))
    assert (finding.code, finding.span.start.line, finding.span.end.line) == ("SCH413", 4, 5)


def test_ids_of_other_manifests() -> None:
    letters = {
        "b/schedules.yaml": "schedules:\n  - {id: leaf, after_schedule_ids: [root], dependency_deadline: 09:00}\n"
    }
    assert marks(timetable({"a/schedules.yaml": ROOT, **letters})) == []
    assert marks(timetable(letters)) == [(2, "SCH403")]


def test_disabled_schedules_say_little() -> None:
    for keys, codes in [
        ({"after_schedule_ids": "[rot]"}, ["SCH403"]),
        ({"after_schedule_ids": "[leaf]"}, ["SCH404"]),
        ({"dependency_deadline": "~"}, []),
        ({"dependency_deadline": "24:00"}, []),
        ({"after_terminal_status": "success"}, []),
        ({"after_schedule_ids": "[]"}, []),
        ({"cron": "whenever"}, []),
        ({"tz": "UTC"}, []),
        ({"after_schedule_ids": "[root]", "after_schedule_id": "other"}, ["SCH403", "SCH410"]),
    ]:
        findings = found(timetable(leaf(enabled="false", **keys)))
        assert sorted(finding.code for finding in findings) == codes
        assert all(finding.severity is Severity.NOTE for finding in findings)


def test_an_enabled_dependent_of_a_disabled_one() -> None:
    text = GOOD.replace("cron:", "enabled: false, cron:")
    (finding,) = found(timetable(text))
    assert (finding.code, finding.span.start.line) == ("SCH411", 3)
    assert "disabled" in finding.message


def ring(count: int) -> str:
    entries = "".join(
        f"  - {{id: s{n}, after_schedule_ids: [s{(n + 1) % count}], dependency_deadline: 09:00}}\n"
        for n in range(count)
    )
    return "schedules:\n" + entries


@pytest.mark.parametrize("count", [2, 3, 40])
def test_a_ring_is_told_once(count: int) -> None:
    (finding,) = found(timetable(ring(count)))
    assert (finding.code, finding.span.start.line) == ("SCH405", 2)
    assert len(finding.notes) == count - 1
    assert len(finding.message) <= 120
    assert "s0 > s1" in finding.message


def test_two_rings_and_what_waits_behind_one() -> None:
    text = ring(2) + (
        "  - {id: x, after_schedule_ids: [y]}\n  - {id: y, after_schedule_ids: [x]}\n"
        "  - {id: behind, after_schedule_ids: [y], dependency_deadline: 00:00}\n"
    )
    assert marks(timetable(text)) == [(2, "SCH405"), (4, "SCH405")]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8))
def test_rings_by_brute_force(waits: list[list[int]]) -> None:
    text = "schedules:\n" + "".join(
        f"  - {{id: s{n}, cron: '0 5 * * *', after_schedule_ids: [{', '.join(f's{m}' for m in before)}]}}\n"
        for n, before in enumerate(waits)
    )
    reach = [{m for m in before if m != n} for n, before in enumerate(waits)]
    for _ in range(8):
        reach = [one.union(*(reach[m] for m in one)) for one in reach]
    members = {n for n in range(8) if n in reach[n]}
    groups = {min(m for m in members if m in reach[n] and n in reach[m]) for n in members}
    table = timetable(text)
    findings = found(table, "SCH405")
    assert [finding.span.start.line for finding in findings] == [n + 2 for n in sorted(groups)]
    for n, schedule in enumerate(table.schedules):
        assert table.graph.in_ring(schedule) == (n in members or n in waits[n])


def test_networkx_is_for_dependencies_alone() -> None:
    import subprocess

    code = (
        "import sys; from unit.manifests.timetables import found, timetable; found(timetable({!r})); "
        "print('networkx' in sys.modules)"
    )
    for text, expected in [(ROOT, "False"), (GOOD, "True")]:
        done = subprocess.run([sys.executable, "-c", code.format(text)], capture_output=True, text=True, cwd="tests")
        assert done.stdout.strip() == expected, done.stderr


@pytest.mark.parametrize(
    ("first", "second", "zone", "count"),
    [
        ("0 5 * * 1-5", "0 6 * * *", "UTC", True),
        ("0 5 * * *", "0 6 * * 1-5", "UTC", False),
        ("0 5 1 * *", "0 6 1 * 1", "UTC", True),
        ("30 23 * * 0-4", "0 8 * * 1-5", "Asia/Tokyo", False),
        ("30 23 * * 1-5", "0 8 * * 1-5", "Asia/Tokyo", True),
        ("0 0 * * *", "0 1 * * *", "America/Santiago", False),
    ],
)
def test_dates_are_compared_in_the_zone_of_the_dependent(first: str, second: str, zone: str, count: bool) -> None:
    own = "UTC" if zone == "Asia/Tokyo" else zone
    text = (
        f"schedules:\n  - {{id: root, cron: '{first}', timezone: {own}}}\n"
        f"  - {{id: leaf, cron: '{second}', timezone: {zone}, after_schedule_ids: [root], dependency_deadline: 23:59}}"
    )
    assert marks(timetable(text), "SCH411") == ([(3, "SCH411")] if count else [])


def test_dates_through_a_chain() -> None:
    text = (
        "schedules:\n  - {id: weekly, cron: '0 5 * * 1'}\n  - {id: then, after_schedule_ids: [weekly]}\n"
        "  - {id: daily, cron: '0 6 * * *', after_schedule_ids: [then]}\n"
    )
    (finding,) = found(timetable(text), "SCH411")
    assert finding.span.start.line == 4
    assert finding.message.startswith("daily fires on 2026-12-01 and ")


def test_prerequisites_that_never_meet() -> None:
    text = (
        "schedules:\n  - {id: a, cron: '0 5 * * 1'}\n  - {id: b, cron: '0 5 * * 2'}\n"
        "  - {id: c, after_schedule_ids: [a, b], dependency_deadline: 09:00}\n"
    )
    assert marks(timetable(text)) == [(4, "SCH411")]
    assert marks(timetable(text.replace("* * 2", "* * 1,2"))) == []


def test_periods_have_every_date_or_nobody_knows() -> None:
    text = "schedules:\n  - {id: poll, every: EVERY}\n" + (
        "  - {id: leaf, cron: '0 6 * * *', after_schedule_ids: [poll], dependency_deadline: 09:00}\n"
    )
    assert marks(timetable(text.replace("EVERY", "6h"))) == []
    assert marks(timetable(text.replace("EVERY", "36h"))) == []


CHAIN = """\
schedules:
  - {id: a, cron: '0 9 * * 1-5', timezone: America/Toronto}
  - {id: b, after_schedule_ids: [a], dependency_deadline: 23:59, timezone: America/Toronto}
  - {id: c, cron: '30 9 * * 1-5', timezone: America/Toronto}
  - {id: d, after_schedule_ids: [b, c], after_delay_minutes: 10, timezone: America/Toronto, dependency_deadline: UNTIL}
"""


def chain(until: str, a: float, b: float, c: float, count: int = 20) -> list[tuple[str, str | None]]:
    runs = csv([run for id_, length in (("a", a), ("b", b), ("c", c)) for run in daily(id_, [length] * count)])
    findings = found(timetable(CHAIN.replace("UNTIL", until), runs), "SCH412")
    return [(finding.message, finding.severity) for finding in findings]


def test_the_longest_path_counts() -> None:
    assert chain("10:29", 40, 40, 10) == [
        ("d could start at 10:30 on a slow day (p95), after its deadline of 10:29", None)
    ]
    assert chain("10:30", 40, 40, 10) == []
    assert chain("10:30", 40, 40, 70) == [
        ("d could start at 10:50 on a slow day (p95), after its deadline of 10:30", None)
    ]
    assert chain("10:00", 4000, 1, 1)[-1][0].startswith("d could start at 03:51 3 days later on a slow day")


def test_without_enough_runs_only_starts_and_delays_count() -> None:
    assert chain("09:45", 40, 40, 40, count=4) == []
    assert chain("09:39", 40, 40, 40, count=4) == [
        ("d could start at 09:40 at the earliest, after its deadline of 09:39", None)
    ]


def test_one_slow_run_among_few_is_a_note() -> None:
    runs = csv([*daily("a", [100, *[10] * 9]), *daily("b", [5] * 9), *daily("c", [5] * 9)])
    (finding,) = found(timetable(CHAIN.replace("UNTIL", "10:00"), runs), "SCH412")
    assert finding.severity is Severity.NOTE


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(1, 300), min_size=3, max_size=3), st.integers(0, 1439))
def test_paths_by_brute_force(lengths: list[int], until: int) -> None:
    a, b, c = lengths
    end = max(9 * 60 + a + b, 9 * 60 + 30 + c) + 10
    assert bool(chain(f"{until // 60:02}:{until % 60:02}", a, b, c)) == (end > until)


def test_a_deadline_in_another_zone() -> None:
    text = CHAIN.replace("UNTIL", "17:00 Europe/Paris")
    runs = csv([run for id_ in "abc" for run in daily(id_, [100] * 20)])
    (finding,) = found(timetable(text, runs), "SCH412")
    assert finding.message == "d could start at 18:30 on a slow day (p95), after its deadline of 17:00"
    assert not found(timetable(CHAIN.replace("UNTIL", "19:00 Europe/Paris"), runs), "SCH412")


def test_a_deadline_that_was_meant_for_the_next_day() -> None:
    text = (
        "schedules:\n  - {id: a, cron: '0 1 * * *'}\n"
        "  - {id: b, cron: '0 22 * * *', after_schedule_ids: [a], dependency_deadline: '02:00'}\n"
    )
    (finding,) = found(timetable(text), "SCH412")
    assert finding.message == "b fires at 22:00, after its deadline of 02:00 on the same date"


def test_the_first_of_many_firings_counts() -> None:
    text = (
        "schedules:\n  - {id: a, cron: '*/30 * * * *'}\n"
        "  - {id: b, after_schedule_ids: [a], dependency_deadline: '00:20'}\n"
    )
    runs = csv(daily("a", [19] * 20))
    assert found(timetable(text, runs), "SCH412") == []
    assert found(timetable(text.replace("00:20", "00:18"), runs), "SCH412")
