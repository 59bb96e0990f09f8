"""Dagster: ScheduleDefinition and @schedule with one cron or several."""

from __future__ import annotations

from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.domain.span import Span
from anchorlint.python.link import Ref
from anchorlint.python.schedules.constants import argument, outside, text
from anchorlint.python.schedules.found import Found
from anchorlint.python.schedules.source import Called, Source
from anchorlint.python.value import Value


def read(source: Source) -> Found:
    """The schedules of every module."""
    schedules: list[Schedule] = []
    skipped: list[tuple[str, int, str]] = []
    for call in source.calls:
        if call.is_of("dagster", "ScheduleDefinition", "schedule"):
            for turn in call.turned(*(call.view.value(number) for _, number in call.term[3])):
                crons = _crons(turn)
                schedules += [_schedule(source, turn, cron, len(crons) > 1) for cron in crons]
                if not crons:
                    skipped.append((turn.span.path, turn.span.start.line, "a cron that is made while it runs"))
    return Found(tuple(schedules), skipped=tuple(skipped))


def _crons(call: Called) -> list[str]:
    given = call.value("cron_schedule", 0 if call.is_of("dagster", "schedule") else None)
    listed = given.args[1] if given is not None and given.kind == "seq" else (given,)
    crons = [text(value) for value in listed]
    return [cron for cron in crons if cron is not None] if None not in crons else []


def _schedule(source: Source, call: Called, cron: str, several: bool) -> Schedule:
    span = call.argument_span("cron_schedule", 0 if call.is_of("dagster", "schedule") else None)
    zone_given = call.site("execution_timezone")
    zone = text(call.value("execution_timezone")) or "UTC"
    job, ref = _job(source, call)
    name = text(call.value("name")) or _decorated(source, call) or f"{job}_schedule"
    job = job or name
    return Schedule(
        id=f'{name} "{cron}"' if several else name,
        format="dagster",
        span=call.span,
        id_span=_id_span(call),
        workflow=f"dagster::{job}",
        scope=source.path(call.module),
        firing=Firing(dialect=Dialect.DAGSTER, expression=cron, span=span, zone=zone),
        zone=zone,
        zone_span=call.argument_span("execution_timezone") if zone_given is not None else None,
        busy=Busy.ALLOW,
        entrypoint=f"{source.linked.dotted[ref.module]}:{source.linked.function(ref).qualname}" if ref else None,
        recorded_as=tuple(dict.fromkeys((name, job))),
    )


def _job(source: Source, call: Called) -> tuple[str | None, Ref | None]:
    """The name of the job and its function, if it is one of the project."""
    stated = text(call.value("job_name"))
    value: Value | None = call.value("job") or call.value("target")
    if value is not None and value.kind == "fn":
        ref = Ref("fn", value.args[0], value.args[1])
        return stated or source.linked.function(ref).name, ref
    called = outside(value)
    if called is not None and called[0].rpartition(".")[2] == "define_asset_job" and value is not None:
        stated = stated or text(argument(value, "name", 0))
    return stated, None


def _decorated(source: Source, call: Called) -> str | None:
    facts = source.linked.modules[call.module]
    return next((function.name for function in facts.functions if call.number in function.decorators), None)


def _id_span(call: Called) -> Span:
    for name in ("name", "job_name", "job", "target"):
        if call.site(name) is not None:
            return call.argument_span(name)
    return call.span
