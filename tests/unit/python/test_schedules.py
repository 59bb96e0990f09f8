"""Schedules in Python: what each library's calls are read into, where it stands, and what the schedule rules say."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest

from anchorlint.domain.finding import Finding
from anchorlint.domain.schedule import Busy, Schedule
from anchorlint.engine.python_schedules import as_reading
from anchorlint.manifests import read_manifests
from anchorlint.manifests.timetable import Timetable
from anchorlint.python.facts import read
from anchorlint.python.schedules import Found, Hint, asked_for, hint, read_schedules
from unit.manifests.timetables import AS_OF, csv, daily, found


def schedules(files: Mapping[str, str] | str) -> Found:
    texts = {"jobs.py": files} if isinstance(files, str) else dict(files)
    texts = {path: textwrap.dedent(text) for path, text in texts.items()}
    asked = asked_for({path: hint(text.encode()) for path, text in texts.items()})
    return read_schedules([read(path, text) for path, text in texts.items()], asked, texts.__getitem__)


def table(files: Mapping[str, str] | str, runs: str = "") -> Timetable:
    recorded = [("runs.csv", runs, True)] if runs else []
    return read_manifests([], recorded, AS_OF, besides=as_reading(schedules(files)))


def said(schedule: Schedule) -> tuple[str, str | float | None, str]:
    assert schedule.firing
    return schedule.id, schedule.firing.every_s or schedule.firing.expression, schedule.firing.zone


def cut(text: str, finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    lines = textwrap.dedent(text).split("\n")
    return lines[start.line - 1][start.column - 1 : end.column - 1]


BEAT = {
    "shop/__init__.py": "",
    "shop/times.py": "NIGHT = 3\nEVERY = 15 * 60\n",
    "shop/beat.py": """
        from datetime import timedelta
        from celery import Celery
        from celery.schedules import crontab
        from shop.times import EVERY, NIGHT
        app = Celery("shop")
        app.conf.timezone = "Europe/Lisbon"
        COUNT = {"task": "shop.work.count", "schedule": crontab(minute=[5, 35], hour=f"{NIGHT}-6", day_of_week="mon")}
        app.conf.beat_schedule = {
            "count": COUNT,
            "sweep": dict(task="sweep", schedule=timedelta(seconds=EVERY), options={"expires": 60}),
            **{"poll": {"task": "shop.work.poll", "schedule": 30.0, "args": (1,)}},
        }
        app.conf.beat_schedule["late"] = {"task": "shop.work.count", "schedule": crontab(hour=NIGHT, minute=0)}
        @app.on_after_configure.connect
        def more(sender, **kwargs):
            for name in ("a", "b"):
                sender.add_periodic_task(crontab(minute=0), poll.s(name), name=f"poll {name}")
        @app.task
        def poll(which): ...
    """,
    "shop/work.py": """
        from celery import shared_task
        @shared_task
        def count(): ...
        @shared_task(name="sweep")
        def swept(): ...
        @shared_task
        def poll(): ...
    """,
}


def test_celery_entries_wherever_they_are_written() -> None:
    entries = {s.id: s for s in schedules(BEAT).schedules}
    assert sorted(map(said, entries.values())) == [
        ("count", "5,35 3-6 * * mon", "Europe/Lisbon"),
        ("late", "0 3 * * *", "Europe/Lisbon"),
        ("poll", 30.0, "UTC"),
        ("poll a", "0 * * * *", "Europe/Lisbon"),
        ("poll b", "0 * * * *", "Europe/Lisbon"),
        ("sweep", 900.0, "UTC"),
    ]
    assert entries["count"].workflow == entries["late"].workflow
    assert entries["poll a"].workflow != entries["poll b"].workflow
    assert entries["sweep"].busy is Busy.SKIP and entries["poll"].busy is Busy.ALLOW


def test_a_task_gets_the_period_of_its_entries() -> None:
    assert table(BEAT).periods_s == {
        "shop.work:count": 1800.0,
        "shop.work:swept": 900.0,
        "shop.work:poll": 30.0,
        "shop.beat:poll": 3600.0,
    }


@pytest.mark.parametrize(
    "written",
    [
        'CELERY_BEAT_SCHEDULE = {"x": {"task": "t", "schedule": crontab(hour=1, minute=2)}}',
        'class Config:\n    beat_schedule = {"x": {"task": "t", "schedule": crontab(2, 1)}}',
        'app.conf.update(beat_schedule={"x": {"task": "t", "schedule": crontab(hour="1", minute="2")}})',
        'app.conf.update({"beat_schedule": {"x": {"task": "t", "schedule": crontab(hour=1, minute=2)}}})',
        'app.conf["beat_schedule"] = {"x": {"task": "t", "schedule": crontab(hour={1}, minute=2)}}',
        'app.conf.beat_schedule.update({"x": {"task": "t", "schedule": crontab(hour=1, minute=2)}})',
    ],
)
def test_celery_settings_in_every_form(written: str) -> None:
    (schedule,) = schedules(f"from celery.schedules import crontab\nfrom shop import app\n{written}\n").schedules
    assert said(schedule) == ("x", "2 1 * * *", "UTC")


def test_what_is_made_at_run_time_is_passed_over_and_said() -> None:
    text = 'import os\nbeat_schedule = {"x": {"task": "t", "schedule": float(os.environ["EVERY"])}}\n'
    assert schedules(text).schedules == ()
    assert [line for _, line, _ in schedules(text).skipped] == [2]


def test_a_refused_crontab_is_reported_at_its_call() -> None:
    text = 'from celery.schedules import crontab\nbeat_schedule = {"x": {"task": "t", "schedule": crontab(hour=24)}}\n'
    (finding,) = found(table(text), "SCH416")
    assert cut(text, finding) == "crontab(hour=24)"


def test_one_task_that_is_sent_while_it_runs() -> None:
    files = BEAT | {"shop/beat.py": BEAT["shop/beat.py"].replace("hour=NIGHT, minute=0", "hour=NIGHT, minute=20")}
    runs = csv(daily("count", [10, 20, 12, 11, 9] * 5))
    (finding,) = found(table(files, runs), "SCH401")
    assert finding.message.startswith("5 of the last 25 runs of count took longer than the 15 min")


STORED = """
    from celery import Celery
    from celery.result import AsyncResult
    from celery.schedules import crontab
    from shop import store
    app = Celery("shop")
    beat_schedule = {
        "make": {"task": "make", "schedule": crontab(hour=1, minute=0)},
        "send": {"task": "send", "schedule": crontab(hour=READ, minute=0)},
    }
    @app.task(bind=True, name="make")
    def make(self):
        store.put("newest", WRITTEN)
    @app.task(name="send")
    def send():
        return AsyncResult(store.get("newest")).result
"""


def kept(keep: str, hour: int = 20, written: str = "self.request.id") -> list[Finding]:
    text = STORED.replace("READ", str(hour)).replace("WRITTEN", written)
    return found(table(textwrap.dedent(text) + keep + "\n"), "SCH417")


def test_a_result_that_is_gone_when_it_is_read() -> None:
    (finding,) = kept("app.conf.result_expires = 3600 * 6")
    assert finding.message == "the result of make is kept for 6h, and up to 19h pass from make to send"


@pytest.mark.parametrize(
    ("keep", "hour", "written"),
    [
        ("app.conf.result_expires = 3600 * 20", 20, "self.request.id"),
        ("app.conf.result_expires = None", 20, "self.request.id"),
        ("app.conf.result_expires = 3600 * 6", 5, "self.request.id"),
        ("app.conf.result_expires = 3600 * 6", 20, "'fixed'"),
        ("", 20, "self.request.id"),
    ],
)
def test_a_result_that_is_still_there(keep: str, hour: int, written: str) -> None:
    assert kept(keep, hour, written) == []


DAGS = """
    from datetime import datetime, timedelta
    import pendulum
    from airflow import DAG
    from airflow.decorators import dag, task
    from airflow.operators.python import PythonOperator
    from airflow.operators.trigger_dagrun import TriggerDagRunOperator
    START = pendulum.datetime(2026, 1, 1, tz="Europe/Rome")
    def load(): ...
    with DAG("plain", schedule="30 2 * * *", start_date=START) as plain:
        PythonOperator(task_id="load", python_callable=load)
        TriggerDagRunOperator(task_id="go", trigger_dag_id="started")
    old = DAG(dag_id="old", schedule_interval=timedelta(hours=2), start_date=datetime(2026, 1, 1), max_active_runs=1)
    PythonOperator(task_id="load", python_callable=load, dag=old)
    for name, cron in {"east": "0 4 * * *", "west": "0 7 * * *"}.items():
        with DAG(f"{name}_feed", schedule=cron, start_date=datetime(2026, 1, 1)):
            pass
    @task
    def work(): ...
    @dag(schedule="@hourly", start_date=datetime(2026, 1, 1))
    def flow():
        work()
    flow()
    DAG("started", schedule=None)
"""


def test_airflow_dags() -> None:
    dags = {s.id: s for s in schedules(DAGS).schedules}
    assert sorted(said(s) for s in dags.values() if s.firing) == [
        ("east_feed", "0 4 * * *", "UTC"),
        ("flow", "@hourly", "UTC"),
        ("old", 7200.0, "UTC"),
        ("plain", "30 2 * * *", "Europe/Rome"),
        ("west_feed", "0 7 * * *", "UTC"),
    ]
    assert dags["old"].busy is Busy.QUEUE and dags["plain"].busy is Busy.ALLOW
    assert [p.id for p in dags["started"].dependency.prerequisites] == ["plain"]  # type: ignore[union-attr]
    assert table(DAGS).periods_s == {"jobs:load": 7200.0, "jobs:work": 3600.0}


@pytest.mark.parametrize("preset", ["@once", "@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly"])
def test_the_presets_of_airflow(preset: str) -> None:
    text = f'from airflow import DAG\nDAG("x", schedule="{preset}")\n'
    assert found(table(text), "SCH416") == []


SENSOR = """
    from datetime import datetime, timedelta
    from airflow import DAG
    from airflow.sensors.external_task import ExternalTaskSensor
    with DAG("mill", schedule="20 1 * * *", start_date=datetime(2026, 1, 1)) as dag:
        pass
    with DAG("bake", schedule="50 3 * * *", start_date=datetime(2026, 1, 1)) as dag:
        ExternalTaskSensor(task_id="wait", external_dag_id="mill", timeout=3600, ARGS)
"""


def sensed(args: str, *codes: str) -> list[tuple[str, str]]:
    text = SENSOR.replace("ARGS", args)
    return [(finding.code, cut(text, finding)) for finding in found(table(text), *codes)]


def test_a_delta_that_leads_to_no_run() -> None:
    assert sensed("execution_delta=timedelta(hours=2)") == [
        ("SCH411", "timedelta(hours=2)"),
        ("SCH414", "timedelta(hours=2)"),
    ]
    text = SENSOR.replace("ARGS", "execution_delta=timedelta(hours=2)")
    message = found(table(text), "SCH411")[0].message
    assert message.startswith("bake waits for a run of mill at 2026-11-30 01:50 UTC and 395 more instants")


def test_no_delta_where_one_is_needed() -> None:
    assert sensed("external_task_id=None") == [("SCH411", '"mill"')]


@pytest.mark.parametrize(
    "args",
    [
        "execution_delta=timedelta(hours=2, minutes=30)",
        "execution_delta=timedelta(days=30, hours=2, minutes=30)",
        "execution_delta=timedelta(days=-6, hours=2, minutes=30)",
        "execution_date_fn=lambda at: at",
        "**unknown",
    ],
)
def test_a_sensor_that_finds_its_run(args: str) -> None:
    assert sensed(args) == []


def test_a_sensor_may_wait_for_days_without_a_timeout() -> None:
    text = SENSOR.replace("timeout=3600, ARGS", "execution_delta=timedelta(hours=2, minutes=30)")
    (finding,) = found(table(text))
    assert finding.code == "SCH413" and finding.help == "give the sensor a timeout: Airflow lets it wait for 7 days"


def test_a_slip_in_the_id_of_a_dag_and_a_dag_of_somebody_else() -> None:
    assert [code for code, _ in sensed("").copy()] == ["SCH411"]
    slip = SENSOR.replace('external_dag_id="mill"', 'external_dag_id="bakes"').replace("ARGS", "")
    foreign = SENSOR.replace('external_dag_id="mill"', 'external_dag_id="harvest"').replace("ARGS", "")
    assert [f.code for f in found(table(slip))] == ["SCH403"] and found(table(foreign)) == []


def test_two_dags_that_wait_for_the_whole_of_each_other() -> None:
    text = """
        from datetime import datetime
        from airflow import DAG
        from airflow.sensors.external_task import ExternalTaskSensor
        with DAG("one", schedule="@daily", start_date=datetime(2026, 1, 1)):
            ExternalTaskSensor(task_id="w", external_dag_id="two", timeout=60)
        with DAG("two", schedule="@daily", start_date=datetime(2026, 1, 1)):
            ExternalTaskSensor(task_id="w", external_dag_id="one", timeout=60 TASK)
    """
    assert [f.code for f in found(table(text.replace("TASK", "")))] == ["SCH405"]
    assert found(table(text.replace("TASK", ', external_task_id="first"'))) == []


JOBS = """
    from apscheduler.schedulers.background import BackgroundScheduler
    from apscheduler.triggers.cron import CronTrigger
    from apscheduler.triggers.interval import IntervalTrigger
    scheduler = BackgroundScheduler(timezone="Europe/Oslo")
    def tick(): ...
    scheduler.add_job(tick, "cron", day_of_week="mon-fri", hour=2, minute=30, id="words", jitter=60)
    scheduler.add_job(tick, CronTrigger.from_crontab("0 5 * * 0", timezone="UTC"), name="tab")
    scheduler.add_job(tick, trigger=CronTrigger(hour="*/4"), id="object", max_instances=3)
    scheduler.add_job(tick, IntervalTrigger(minutes=5), id="span")
    @scheduler.scheduled_job("interval", hours=1, minutes=30)
    def chime(): ...
    scheduler.add_job(tick, "date", run_date="2026-12-01")
"""


def test_apscheduler_jobs() -> None:
    jobs = {s.id: s for s in schedules(JOBS).schedules}
    assert [said(s) for s in jobs.values()] == [
        ("words", "day_of_week=mon-fri; hour=2; minute=30", "Europe/Oslo"),
        ("tab", "0 5 * * 0", "UTC"),
        ("object", "hour=*/4", "Europe/Oslo"),
        ("span", 300.0, "UTC"),
        ("chime", 5400.0, "UTC"),
    ]
    assert jobs["object"].busy is Busy.ALLOW and jobs["words"].busy is Busy.SKIP
    assert jobs["words"].firing and jobs["words"].firing.jitter_s == 60
    assert table(JOBS).periods_s == {"jobs:tick": 300.0, "jobs:chime": 5400.0}
    assert [(f.code, cut(JOBS, f)) for f in found(table(JOBS), "SCH415")] == []


def test_dagster_schedules() -> None:
    text = """
        from dagster import ScheduleDefinition, job, schedule
        @job
        def nightly(): ...
        plain = ScheduleDefinition(job=nightly, cron_schedule="0 2 * * *", execution_timezone="Asia/Tokyo")
        @schedule(cron_schedule=["0 6 * * 1", "0 7 * * 2"], job=nightly)
        def mornings(context): ...
        named = ScheduleDefinition(name="named", job_name="other", cron_schedule="15 * * * *")
    """
    assert [said(s) for s in schedules(text).schedules] == [
        ("nightly_schedule", "0 2 * * *", "Asia/Tokyo"),
        ('mornings "0 6 * * 1"', "0 6 * * 1", "UTC"),
        ('mornings "0 7 * * 2"', "0 7 * * 2", "UTC"),
        ("named", "15 * * * *", "UTC"),
    ]
    assert "jobs:nightly" in table(text).periods_s


def test_positions_count_code_points() -> None:
    text = 'from airflow import DAG\nDAG(dag_id="ü€𝄞", schedule="61 * * * *")\n'
    (finding,) = found(table(text), "SCH416")
    assert cut(text, finding) == '"61 * * * *"'


def test_other_modules_are_not_looked_at() -> None:
    tasks = hint(b"import celery\nfrom airflow import settings\nx = AsyncResult(1)\n")
    assert tasks is Hint.TASK and asked_for({"a.py": tasks, "b.py": hint(b"x = 1\n")}) == []
    assert asked_for({"a.py": tasks, "b.py": hint(b"CELERYBEAT_SCHEDULE = {}\n")}) == ["a.py", "b.py"]
