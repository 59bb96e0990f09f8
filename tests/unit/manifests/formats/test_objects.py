"""Kubernetes CronJobs, Argo CronWorkflows, and systemd timers."""

from __future__ import annotations

import time

import pytest

from anchorlint.domain.schedule import Busy, Dialect, Schedule
from unit.manifests.timetables import found, marks, timetable


def job(spec: str, kind: str = "CronJob", name: str = "wash", more: str = "") -> str:
    return f"apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n{more}spec:\n  {spec}\n"


def one(text: str, path: str = "k8s/x.yaml") -> Schedule:
    (schedule,) = timetable({path: text}).schedules
    return schedule


@pytest.mark.parametrize(
    ("spec", "busy", "enabled", "zone"),
    [
        ('schedule: "1 2 * * *"', Busy.ALLOW, True, "UTC"),
        ('{schedule: "1 2 * * *", concurrencyPolicy: Forbid, timeZone: Asia/Tokyo}', Busy.SKIP, True, "Asia/Tokyo"),
        ('{schedule: "1 2 * * *", concurrencyPolicy: Replace, suspend: true}', Busy.CANCEL, False, "UTC"),
        ('schedule: "CRON_TZ=Asia/Tokyo 1 2 * * *"', Busy.ALLOW, True, "Asia/Tokyo"),
    ],
)
def test_a_cron_job(spec: str, busy: Busy, enabled: bool, zone: str) -> None:
    schedule = one(job(spec if spec[0] != "{" else spec).replace("spec:\n  {", "spec: {"))
    assert (schedule.busy, schedule.enabled, schedule.zone) == (busy, enabled, zone)


def test_documents_lists_and_namespaces() -> None:
    text = (
        job('schedule: "1 2 * * *"', more="  namespace: east\n")
        + "---\nkind: Service\nspec: {}\n---\nkind: List\nitems:\n"
    )
    text += '  - {kind: CronJob, metadata: {name: dry}, spec: {schedule: "1 3 * * *"}}\n'
    schedules = timetable({"x.yaml": text}).schedules
    assert [(schedule.id, schedule.recorded_as) for schedule in schedules] == [
        ("wash", ("wash", "east/wash")),
        ("dry", ("dry",)),
    ]


def test_argo_has_several_crons() -> None:
    text = job('schedules: ["1 2 * * *", "1 4 * * *"]\n  timezone: Europe/Rome', "CronWorkflow")
    schedules = timetable({"x.yaml": text}).schedules
    assert [(schedule.id, schedule.zone) for schedule in schedules] == [
        ('wash "1 2 * * *"', "Europe/Rome"),
        ('wash "1 4 * * *"', "Europe/Rome"),
    ]
    assert len({schedule.workflow for schedule in schedules}) == 1


def test_the_controller_doubles_and_drops() -> None:
    (finding,) = found(timetable({"x.yaml": job('schedule: "30 1 * * *"\n  timeZone: America/New_York')}), "SCH415")
    assert "comes twice on 2027-11-07" in finding.message
    assert not found(timetable({"x.yaml": job('schedule: "30 * * * *"\n  timeZone: America/New_York')}), "SCH415")


@pytest.mark.parametrize("expression", ["0 0 * * 7", "0 24 * * *", "0 0 30 2 *", "0 0 L * *"])
def test_what_kubernetes_refuses(expression: str) -> None:
    assert marks(timetable({"x.yaml": job(f'schedule: "{expression}"')})) == [(6, "SCH416")]


@pytest.mark.parametrize("schedule", ["{{ .Values.at }}", '"{{ .Values.at }}"', '"${AT}"', "'@AT@'"])
def test_templates_are_not_checked(schedule: str) -> None:
    table = timetable({"x.yaml": job(f"schedule: {schedule}")})
    assert not table.schedules and not table.problems
    assert len(table.skipped) == 1


TIMER = "[Unit]\nDescription=x\n\n[Timer]\n{}\n\n[Install]\nWantedBy=timers.target\n"


def test_a_timer() -> None:
    schedule = one(TIMER.format("OnCalendar=*-*-* 04:30 Europe/Rome\nRandomizedDelaySec=1h 30min"), "units/wash.timer")
    assert schedule.firing is not None
    assert (schedule.id, schedule.zone, schedule.firing.jitter_s) == ("wash.timer", "Europe/Rome", 5400)
    assert "wash.service" in schedule.recorded_as and schedule.busy is Busy.SKIP
    assert schedule.firing.span.start == (schedule.firing.span.start.__class__)(5, 12)


def test_an_empty_value_takes_back_and_a_backslash_goes_on() -> None:
    schedule = one(
        TIMER.format("OnCalendar=daily\nOnCalendar=\nOnCalendar=Mon \\\n 05:00\nUnit=dry.service"), "wash.timer"
    )
    assert schedule.firing is not None
    assert schedule.firing.expression.split() == ["Mon", "05:00"]
    assert "dry.service" in schedule.recorded_as


def test_a_timer_without_a_calendar() -> None:
    schedule = one(TIMER.format("OnBootSec=5min\nOnUnitActiveSec=1h 30min"), "wash.timer")
    assert schedule.firing is not None
    assert (schedule.firing.dialect, schedule.firing.every_s) == (Dialect.INTERVAL, 5400)
    assert not timetable({"wash.timer": TIMER.format("OnBootSec=5min")}).schedules


def test_systemd_drops_what_the_clock_leaves_out() -> None:
    table = timetable({"wash.timer": TIMER.format("OnCalendar=*-*-* 02:30 Europe/Rome\nOnCalendar=*-02-30")})
    assert marks(table) == [(5, "SCH415"), (6, "SCH416")]
    assert "in Europe/Rome" in found(table, "SCH415")[0].message


def test_a_bundle_is_read_where_it_tells_of_schedules() -> None:
    other = "kind: CustomResourceDefinition\nspec:\n" + "".join(
        f"  a{n}: {{b: [1, 2, 'CronJob']}}\n" for n in range(20_000)
    )
    start = time.process_time()
    table = timetable({"bundle.yaml": f"{other}---\n{job('schedule: 61 * * * *')}--- # x\n{other}"})
    assert time.process_time() - start < 0.5
    assert marks(table) == [(20_009, "SCH416")]
