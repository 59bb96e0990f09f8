"""What in a DAG waits for another one, starts another one, or is a function of ours that it runs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Deadline
from anchorlint.domain.span import Span
from anchorlint.python.link import Ref
from anchorlint.python.schedules.airflow_dags import Dag, Dags
from anchorlint.python.schedules.constants import duration, seconds, text
from anchorlint.python.schedules.source import Called

_SENSORS = ("ExternalTaskSensor", "ExternalTaskSensorAsync")
_TASKS = ("external_task_id", "external_task_ids", "external_task_group_id")


class Wait(msgspec.Struct, frozen=True):
    """A sensor on a run of another DAG. `offset_s` is how much earlier than its own that run is, None if unknown.

    `span` is what names the run, the delta if there is one. `timeout` is None without one, `is_open` says that there
    may be arguments which nobody sees, `is_partial` that only some tasks have to end.
    """

    id: str
    id_span: Span
    span: Span
    offset_s: float | None
    timeout: Deadline | None
    is_open: bool
    is_partial: bool
    skipped: tuple[tuple[str, int, str], ...] = ()

    @property
    def offset_said(self) -> str:
        """The offset in words."""
        offset_s = self.offset_s or 0.0
        return f"{spoken(abs(offset_s))} {'before' if offset_s > 0 else 'after'}"


def waits(dags: Dags, dag: Dag) -> tuple[Wait, ...]:
    """The sensors of a DAG on others whose id is known."""
    return tuple(
        wait for call in dag.inner if call.is_of("airflow", *_SENSORS) if (wait := _wait(dags, dag, call)) is not None
    )


def _wait(dags: Dags, dag: Dag, call: Called) -> Wait | None:
    id_ = text(call.value("external_dag_id"))
    if not id_:
        return None
    id_span = call.argument_span("external_dag_id")
    delta = call.value("execution_delta")
    offset_s: float | None = 0.0
    if call.site("execution_date_fn") is not None:
        offset_s = None
    elif delta is not None and delta.kind != "none":
        offset_s = duration(delta)
    is_open = call.is_open or _has_defaults(dags, dag)
    span = call.argument_span("execution_delta") if offset_s else id_span
    if is_open and offset_s == 0.0:
        offset_s = None  # a delta may hide there
    return Wait(
        id=id_,
        id_span=id_span,
        span=span,
        offset_s=offset_s,
        timeout=_timeout(call, dag.zone),
        is_open=is_open,
        is_partial=any(call.site(name) is not None for name in _TASKS),
    )


def _has_defaults(dags: Dags, dag: Dag) -> bool:
    """Whether the DAG's default_args set something for sensors, or cannot be seen."""
    site = dag.call.site("default_args")
    if site is None:
        return dag.call.is_open
    value = site.view.value(site.number)
    if value.kind != "map" or any(key is None for key, _ in value.args[0]):
        return True
    return any(text(key) in ("timeout", "execution_delta", "execution_date_fn") for key, _ in value.args[0])


def _timeout(call: Called, zone: str) -> Deadline | None:
    value = call.value("timeout")
    if value is None or value.kind == "none":
        return None
    within_s = seconds(value)
    said = spoken(within_s) if within_s is not None else "a timeout"
    return Deadline(text=said, span=call.argument_span("timeout"), zone=zone, within_s=within_s)


def triggers(dags: Dags, dag: Dag) -> Iterator[tuple[str, Span]]:
    """The ids of the DAGs that a DAG starts, and where they are named."""
    for call in dag.inner:
        if call.is_of("airflow", "TriggerDagRunOperator"):
            id_ = text(call.value("trigger_dag_id"))
            if id_ and id_ != dag.id:
                yield id_, call.argument_span("trigger_dag_id")


def callables(dag: Dag) -> tuple[Ref, ...]:
    """The functions of the project that a DAG runs: python_callable, and `@task` functions that are called in it."""
    found: dict[Ref, None] = {}
    for call in dag.inner:
        value = call.value("python_callable")
        if value is not None and value.kind == "fn":
            found[Ref("fn", value.args[0], value.args[1])] = None
            continue
        linked = call.source.linked
        ref = linked.expression(call.module, call.term[1])
        if ref is None and call.receiver is not None and call.method in ("override", "expand", "partial"):
            ref = linked.expression(call.module, call.receiver.number)
        if ref is not None and ref.kind == "fn" and _is_task(call, ref):
            found[ref] = None
    return tuple(found)


def _is_task(call: Called, ref: Ref) -> bool:
    linked = call.source.linked
    for number in linked.function(ref).decorators:
        term = linked.modules[ref.module].terms[number]
        decorator = linked.expression(ref.module, term[1] if term[0] == "call" else number)
        if decorator is not None and decorator.dotted.startswith("airflow.") and ".task" in decorator.dotted:
            return True
    return False
