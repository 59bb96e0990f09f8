"""prefect.yaml: the schedules of its deployments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.documents import Kind, Node, yaml
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.manifests import durations
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.placeholders import skipped

_ENTRYPOINT = re.compile(r"(?:\./)?([\w/]+)\.py:(\w+)")


def read(text: str, path: str) -> Reading:
    """The schedules of every deployment; raises Malformed."""
    deployments = yaml.read(text, path).child("deployments")
    if deployments is None:
        return NOT_OURS
    schedules: list[Schedule] = []
    passed_over: list[Skipped] = []
    for deployment in deployments.items:
        stated = [(each, time) for each in _stated(deployment) if (time := _time(each)) is not None]
        for each, time in stated:
            why = skipped(time)
            if why:
                passed_over.append(why)
            else:
                schedules.append(_schedule(deployment, each, time, len(stated) > 1, path))
    return Reading(tuple(schedules), skipped=tuple(passed_over))


def _stated(deployment: Node) -> Iterator[Node]:
    listed, single = deployment.child("schedules"), deployment.child("schedule")
    yield from (listed.items if listed else ())
    if single is not None and single.kind is Kind.MAPPING:
        yield single


def _time(stated: Node) -> Node | None:
    """The cron or the interval of a schedule; rules of iCalendar are not read."""
    found = stated.child("cron") or stated.child("interval")
    return found if found is not None and found.kind in (Kind.TEXT, Kind.NUMBER) else None


def _schedule(deployment: Node, stated: Node, time: Node, several: bool, path: str) -> Schedule:
    named = deployment.child("name")
    name = named.raw if named else ""
    zone, active = stated.child("timezone"), stated.child("active")
    zone = zone if zone is not None and zone.text and not skipped(zone) else None
    firing = _firing(stated, time, zone.raw if zone else "UTC")
    return Schedule(
        id=f'{name} "{time.raw}"' if several else name,
        format="prefect",
        span=stated.span,
        id_span=named.span if named else deployment.span,
        workflow=f"{path}::{name or deployment.span.start.line}",
        scope=path,
        firing=firing,
        zone=firing.zone,
        zone_span=zone.span if zone else None,
        enabled=active is None or active.value is not False,
        busy=_busy(deployment),
        entrypoint=_entrypoint(deployment),
        recorded_as=(name,) if name else (),
    )


def _firing(stated: Node, time: Node, zone: str) -> Firing:
    if stated.child("cron") is not time:
        every_s = float(time.value) if isinstance(time.value, int | float) else durations.seconds(time.raw)
        return Firing(dialect=Dialect.INTERVAL, expression=time.raw, span=time.span, zone=zone, every_s=every_s)
    either = stated.child("day_or")
    both = either is not None and either.value is False
    dialect = Dialect.CRONITER_AND if both else Dialect.CRONITER
    return Firing(dialect=dialect, expression=time.raw, span=time.span, zone=zone)


def _busy(deployment: Node) -> Busy:
    """What happens to a run that meets another one of its deployment; without a limit of 1 both go on."""
    limit = deployment.child("concurrency_limit")
    most = (limit.child("limit") or limit) if limit else None
    if limit is None or most is None or most.value != 1:
        return Busy.ALLOW
    strategy = limit.child("collision_strategy")
    return Busy.SKIP if strategy is not None and strategy.raw.upper() == "CANCEL_NEW" else Busy.QUEUE


def _entrypoint(deployment: Node) -> str | None:
    stated = deployment.child("entrypoint")
    found = _ENTRYPOINT.fullmatch(stated.raw) if stated else None
    return f"{found[1].replace('/', '.')}:{found[2]}" if found else None
