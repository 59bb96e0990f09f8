"""pg_cron: calls of cron.schedule and its like in SQL files."""

from __future__ import annotations

import posixpath
import re

from anchorlint.documents.lines import Lines
from anchorlint.documents.sql_calls import Argument, Call, calls
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.placeholders import filled_in

_UNDOING = re.compile(r"down|undo|revert|rollback", re.IGNORECASE)
_FUNCTIONS = ("cron.schedule", "cron.schedule_in_database", "cron.unschedule")


def read(text: str, path: str) -> Reading:
    """The jobs that a file leaves behind: a later call with the same name replaces the one before."""
    places = Lines(text, path)
    jobs: dict[str, Schedule] = {}
    dropped: list[str] = []
    passed_over: list[Skipped] = []
    for call in calls(text, _FUNCTIONS):
        parts = _parts(call)
        if call.name == "cron.unschedule":
            gone = (call.arguments[0].text or "") if call.arguments else ""
            jobs.pop(gone, None)
            dropped.append(_slot(path, gone))
        elif parts is not None:
            name, expression = parts
            if expression.text is None or filled_in(expression.text) or "%" in expression.text:
                line = places.position(call.start).line
                passed_over.append(Skipped(path, line, "a schedule that is worked out elsewhere, not checked"))
                continue
            job = _schedule(call, name, expression, places)
            jobs[job.id] = job
    if not jobs and not passed_over and not dropped:
        return NOT_OURS
    undone = _UNDOING.search(posixpath.basename(path)) is not None
    return Reading(tuple(jobs.values()), skipped=tuple(passed_over), dropped=() if undone else tuple(dropped))


def _slot(path: str, name: str) -> str:
    """The place of a job: files of one folder are taken for the migrations of one database."""
    return f"{posixpath.dirname(path)}::{name}"


def _parts(call: Call) -> tuple[Argument | None, Argument] | None:
    """The name, if the call gives one, and the expression; None for a call that is something else."""
    named = {argument.name: argument for argument in call.arguments if argument.name}
    plain = [argument for argument in call.arguments if not argument.name]
    if "schedule" in named:
        return named.get("job_name") or next(iter(plain), None), named["schedule"]
    if len(plain) + len(named) < 2 or not plain:
        return None
    # cron.schedule(schedule, command) is the old form without a name
    return (None, plain[0]) if len(plain) + len(named) == 2 else (plain[0], plain[1]) if len(plain) > 1 else None


def _schedule(call: Call, name: Argument | None, expression: Argument, places: Lines) -> Schedule:
    span = places.span(expression.start, expression.end)
    known = name.text if name is not None and name.text else ""
    return Schedule(
        id=known or f"the job in line {span.start.line}",
        format="pg_cron",
        span=places.span(call.start, call.end),
        id_span=places.span(name.start, name.end) if name else span,
        workflow=f"{posixpath.dirname(places.path)}::{known or span.start.line}",
        scope=places.path,
        firing=Firing(dialect=Dialect.PG_CRON, expression=expression.text or "", span=span),
        # a job never runs beside itself: missed starts are counted and made up for
        busy=Busy.QUEUE,
        slot=_slot(places.path, known) if known else None,
    )
