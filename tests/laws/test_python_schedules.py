"""Whatever stands in a schedule's arguments, reading it ends, keeps its place, and breaks no rule and no picture."""

from __future__ import annotations

import ast
import re
import textwrap

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.engine.python_schedules import as_reading
from anchorlint.manifests import read_manifests
from anchorlint.python.facts import read
from anchorlint.python.schedules import Found, read_schedules
from anchorlint.report.timeline import timeline
from anchorlint.report.timeline_svg import svg
from unit.manifests.timetables import AS_OF, found

PROGRAMS = [
    """
    from celery.schedules import crontab
    app.conf.timezone = "Europe/Lisbon"
    app.conf.beat_schedule = {
        "count": {"task": "count", "schedule": crontab(minute=[5, 35], hour="3-6", day_of_week="mon"), "args": (1,)},
        "sweep": dict(task="sweep", schedule=timedelta(seconds=90), options={"expires": 60}),
    }
    @app.on_after_configure.connect
    def more(sender, **kwargs):
        for name in ("a", "b"):
            sender.add_periodic_task(crontab(minute=0), count.s(name), name=f"count {name}")
    @app.task(name="count")
    def count(which): return AsyncResult(kv.get("newest"))
    """,
    """
    from datetime import datetime, timedelta
    from airflow import DAG
    from airflow.sensors.external_task import ExternalTaskSensor
    for name, cron in {"east": "0 4 * * *", "west": "0 7 * * *"}.items():
        with DAG(f"{name}_feed", schedule=cron, start_date=datetime(2026, 1, 1), max_active_runs=1) as dag:
            ExternalTaskSensor(external_dag_id="mill", timeout=60, execution_delta=timedelta(hours=2))
    with DAG("mill", schedule="20 1 * * *", default_args={"timeout": 5}) as dag:
        pass
    """,
    """
    from apscheduler.schedulers.background import BackgroundScheduler
    from apscheduler.triggers.cron import CronTrigger
    scheduler = BackgroundScheduler(timezone="Europe/Oslo")
    scheduler.add_job(tick, "cron", day_of_week="mon-fri", hour=2, id="words", jitter=60, max_instances=3)
    scheduler.add_job(tick, CronTrigger.from_crontab("0 5 * * 0", timezone="UTC"), name="tab", args=[1])
    @scheduler.scheduled_job("interval", hours=1, minutes=30)
    def chime(): ...
    """,
    """
    from dagster import ScheduleDefinition, schedule
    ScheduleDefinition(job=nightly, cron_schedule="0 2 * * *", execution_timezone="Asia/Tokyo", name="night")
    @schedule(cron_schedule=["0 6 * * 1", "0 7 * * 2"], job_name="mornings")
    def mornings(context): ...
    """,
]
WRITTEN = ["None", "1", '"x"', "[]", "{}", "lambda: 1", "(1, 2)", "x.y", "f(*a, **k)", "-1", "1e400", '"0 0 * * *"',
           "True", "[a for a in b]", "timedelta(days=-1)", "timedelta(seconds=1e18)", "0", '"é𝄞"', 'float("nan")',
           'float("inf")', "crontab()", '"61 * * * *"', "name"]  # fmt: skip
PART = re.compile(r'"[^"]*"|[\w.]+(?:\([^()]*\))?|\[[^\[\]]*\]|\{[^{}]*\}')


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@settings(max_examples=150)
@given(program=st.sampled_from(PROGRAMS), changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True),
       st.sampled_from(WRITTEN)), min_size=1, max_size=4))  # fmt: skip
def test_any_argument_is_read_or_passed_over(program: str, changes: list[tuple[float, str]]) -> None:
    text = textwrap.dedent(program)
    for where, written in changes:
        spans = [match.span() for match in PART.finditer(text)]
        start, end = spans[int(where * len(spans))]
        changed = text[:start] + written + text[end:]
        text = changed if _is_python(changed) else text
    there = read_schedules([read("jobs.py", text)], ["jobs.py"], lambda _: text)
    assert msgspec.msgpack.encode(msgspec.msgpack.decode(msgspec.msgpack.encode(there), type=Found))
    table = read_manifests([], [], AS_OF, besides=as_reading(there))
    lines = text.split("\n")
    for finding in found(table):
        assert 1 <= finding.span.start.line <= finding.span.end.line <= len(lines)
        assert finding.span.end.column <= len(lines[finding.span.end.line - 1]) + 1
    assert svg(timeline(table, {"jobs.py"})) and table.periods_s is not None
