"""Airflow: DAGs with their schedules, the sensors in them that wait for other DAGs, and the DAGs that others start."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import msgspec

from anchorlint.domain.schedule import Busy, Dependency, Polled, Prerequisite, Schedule
from anchorlint.python.link import Ref
from anchorlint.python.schedules.airflow_dags import Dag, Dags
from anchorlint.python.schedules.airflow_waits import Wait, callables, triggers, waits
from anchorlint.python.schedules.constants import number
from anchorlint.python.schedules.found import Found
from anchorlint.python.schedules.source import Source

SCOPE = "airflow"
_NEAR = 0.85  # how alike two ids have to be for one to be a misspelling of the other


def read(source: Source) -> Found:
    """The DAGs of the project."""
    dags = Dags(source)
    made = dags.all()
    waiting = {dag.key: waits(dags, dag) for dag in made}
    starters = _starters(dags, made)
    schedules = [_schedule(source, dag, waiting[dag.key], starters.get(dag.id, ())) for dag in made]
    names = {dag.id for dag in made}
    # A DAG of another repository is as good as any, unless its name is that of one of ours with a slip in it.
    foreign = {wait.id for found in waiting.values() for wait in found} - names
    names |= {id_ for id_ in foreign if dags.unnamed or not difflib.get_close_matches(id_, names, 1, _NEAR)}
    skipped = tuple((*dags.skipped, *(each for found in waiting.values() for wait in found for each in wait.skipped)))
    return Found(tuple(schedules), skipped=skipped, names=tuple((SCOPE, name) for name in sorted(names)))


def _starters(dags: Dags, made: Iterable[Dag]) -> dict[str, tuple[Prerequisite, ...]]:
    """The DAGs without a clock, and which DAGs that have one start them."""
    found: dict[str, list[Prerequisite]] = {}
    clocked = [dag for dag in made if dag.firing is not None]
    known = {dag.id for dag in clocked}
    without = {dag.id for dag in made if dag.without_clock}
    for dag in clocked:
        for target, span in triggers(dags, dag):
            if target in without and target not in known:
                found.setdefault(target, []).append(Prerequisite(dag.id, span))
    return {target: tuple(starters) for target, starters in found.items()}


def _schedule(source: Source, dag: Dag, waiting: tuple[Wait, ...], starters: tuple[Prerequisite, ...]) -> Schedule:
    most = number(dag.call.value("max_active_runs"))
    return Schedule(
        id=dag.id,
        format="airflow",
        span=dag.call.span,
        id_span=dag.id_span,
        workflow=f"airflow::{dag.id}",
        scope=SCOPE,
        firing=dag.firing,
        zone=dag.zone,
        busy=Busy.QUEUE if most == 1 else Busy.ALLOW,
        dependency=_dependency(dag, waiting) if waiting else _started(starters),
        polled=tuple(_polled(wait) for wait in waiting if wait.offset_s),
        entrypoints=tuple(_entrypoint(source, ref) for ref in callables(dag)),
    )


def _dependency(dag: Dag, waiting: tuple[Wait, ...]) -> Dependency | None:
    named = [
        Prerequisite(
            wait.id,
            wait.span,
            offset_s=wait.offset_s or 0.0,
            match="instant" if wait.offset_s is not None and dag.firing is not None else "unknown",
            partial=wait.is_partial,
        )
        for wait in waiting
        if wait.id != dag.id
    ]
    if not named:
        return None
    unlimited = next((wait for wait in waiting if wait.timeout is None and not wait.is_open), None)
    limited = next((wait.timeout for wait in waiting if wait.timeout is not None), None)
    span = unlimited.id_span if unlimited else named[0].span
    return Dependency(
        span=span,
        listed=tuple(named),
        deadline=None if unlimited else limited,
        needs_deadline=unlimited is not None,
        remedy="give the sensor a timeout: Airflow lets it wait for 7 days" if unlimited else None,
    )


def _started(starters: tuple[Prerequisite, ...]) -> Dependency | None:
    if not starters:
        return None
    named = tuple(msgspec.structs.replace(starter, partial=True, match="unknown") for starter in starters)
    return Dependency(span=named[0].span, listed=named, needs_deadline=False, any_of=len(named) > 1)


def _polled(wait: Wait) -> Polled:
    ago = wait.offset_said
    return Polled(
        how=f"counts on a run {ago} its own",
        span=wait.span,
        other=wait.id,
        offset_s=wait.offset_s,
        remedy="let {other} start it, by an asset that it updates or a TriggerDagRunOperator at its end",
    )


def _entrypoint(source: Source, ref: Ref) -> str:
    return f"{source.linked.dotted[ref.module]}:{source.linked.function(ref).qualname}"


