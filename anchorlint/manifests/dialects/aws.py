"""AWS: schedules in SAM and CloudFormation templates and in serverless.yml, all in EventBridge's expressions."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import msgspec

from anchorlint.documents import Entry, Kind, Node, yaml
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests.dialects import NOT_OURS, Reading
from anchorlint.manifests.dialects.placeholders import skipped

_SOURCES = {"AWS::Serverless::Function", "AWS::Serverless::StateMachine"}
_EVENTS = {"Schedule": ("Schedule", None), "ScheduleV2": ("ScheduleExpression", "ScheduleExpressionTimezone")}
_RULES = {"AWS::Events::Rule": None, "AWS::Scheduler::Schedule": "ScheduleExpressionTimezone"}


class _Stated(msgspec.Struct, frozen=True):
    """A schedule as a template states it; `target` is what it starts."""

    id: str
    id_span: Span
    target: str
    expression: Node
    zone: Node | None = None
    enabled: bool = True
    busy: Busy = Busy.ALLOW
    jitter_s: float = 0.0


def read(text: str, path: str) -> Reading:
    """The schedules of one template or serverless.yml; raises Malformed."""
    document = yaml.read(text, path)
    serverless = posixpath.basename(path).startswith("serverless")
    stated = list(_serverless(document) if serverless else _template(document))
    if not stated:
        return NOT_OURS
    reasons = [skipped(each.expression) for each in stated]
    return Reading(
        tuple(_schedule(each, path) for each, why in zip(stated, reasons, strict=True) if why is None),
        skipped=tuple(why for why in reasons if why is not None),
    )


def _schedule(stated: _Stated, path: str) -> Schedule:
    zone = stated.zone if stated.zone is not None and not skipped(stated.zone) else None
    firing = Firing(
        dialect=Dialect.EVENTBRIDGE,
        expression=stated.expression.raw,
        span=stated.expression.span,
        zone=zone.raw if zone else "UTC",
        jitter_s=stated.jitter_s,
    )
    return Schedule(
        id=stated.id,
        format="eventbridge",
        span=stated.expression.span,
        id_span=stated.id_span,
        workflow=f"{path}::{stated.target}",
        scope=path,
        firing=firing,
        zone=firing.zone,
        zone_span=zone.span if zone else None,
        enabled=stated.enabled,
        busy=stated.busy,
        recorded_as=tuple(dict.fromkeys((stated.id, stated.target))),
    )


def _template(document: Node) -> Iterator[_Stated]:
    resources = document.child("Resources")
    for resource in resources.entries if resources else ():
        kind, properties = _text(resource.node, "Type"), resource.node.child("Properties")
        if kind is None or properties is None:
            continue
        if kind in _SOURCES:
            yield from _events(resource, properties)
        elif kind in _RULES:
            yield from _rule(resource, properties, _RULES[kind])


def _events(resource: Entry, properties: Node) -> Iterator[_Stated]:
    """The schedules among the events of a function or state machine."""
    events = properties.child("Events")
    limit = properties.child("ReservedConcurrentExecutions")
    # what finds the function at its limit is tried again for hours
    busy = Busy.QUEUE if limit is not None and limit.value == 1 else Busy.ALLOW
    several = sum(_text(event.node, "Type") in _EVENTS for event in events.entries) > 1 if events else False
    for event in events.entries if events else ():
        keys = _EVENTS.get(_text(event.node, "Type") or "")
        details = event.node.child("Properties")
        expression = details.child(keys[0]) if keys and details else None
        if keys is None or details is None or expression is None:
            continue
        yield _Stated(
            id=f"{resource.key}.{event.key}" if several else resource.key,
            id_span=event.key_span,
            target=resource.key,
            expression=expression,
            zone=details.child(keys[1]) if keys[1] else None,
            enabled=_enabled(details),
            busy=busy,
        )


def _rule(resource: Entry, properties: Node, zone_key: str | None) -> Iterator[_Stated]:
    expression = properties.child("ScheduleExpression")
    if expression is None or expression.kind is Kind.NULL:
        return
    window = properties.child("FlexibleTimeWindow", "MaximumWindowInMinutes")
    minutes = window.value if window is not None and isinstance(window.value, int) else 0
    yield _Stated(
        id=resource.key,
        id_span=resource.key_span,
        target=_target(properties) or resource.key,
        expression=expression,
        zone=properties.child(zone_key) if zone_key else None,
        enabled=_enabled(properties),
        jitter_s=minutes * 60.0,
    )


def _target(properties: Node) -> str | None:
    """The logical id of what the first target names, as `!GetAtt Worker.Arn`."""
    targets = properties.child("Targets")
    target = targets.items[0] if targets and targets.items else properties.child("Target")
    arn = target.child("Arn") if target else None
    while arn is not None and arn.kind in (Kind.MAPPING, Kind.SEQUENCE):
        inner = [*(entry.node for entry in arn.entries), *arn.items]
        arn = inner[0] if inner else None
    return arn.raw.removesuffix(".Arn") if arn is not None and arn.raw else None


def _enabled(node: Node) -> bool:
    switch, state = node.child("Enabled"), node.child("State")
    return not (switch is not None and switch.value is False) and not (state is not None and state.raw == "DISABLED")


def _serverless(document: Node) -> Iterator[_Stated]:
    functions = document.child("functions")
    groups = functions.items if functions and functions.kind is Kind.SEQUENCE else (functions,) if functions else ()
    for function in (entry for group in groups for entry in group.entries):
        limit = function.node.child("reservedConcurrency")
        busy = Busy.QUEUE if limit is not None and limit.value == 1 else Busy.ALLOW
        events = function.node.child("events")
        stated = [event.child("schedule") for event in (events.items if events else ())]
        found = [each for node in stated if node is not None for each in _times(node)]
        for place, (expression, details) in enumerate(found, 1):
            enabled = details.child("enabled") if details else None
            yield _Stated(
                id=f"{function.key}.{place}" if len(found) > 1 else function.key,
                id_span=function.key_span,
                target=function.key,
                expression=expression,
                zone=details.child("timezone") if details else None,
                enabled=enabled is None or enabled.value is not False,
                busy=busy,
            )


def _times(node: Node) -> Iterator[tuple[Node, Node | None]]:
    """Each expression of a schedule event, with the mapping that it stands in."""
    if node.kind is Kind.TEXT:
        yield node, None
    rate = node.child("rate")
    if rate is not None:
        for expression in rate.items if rate.kind is Kind.SEQUENCE else (rate,):
            yield expression, node


def _text(node: Node, key: str) -> str | None:
    found = node.child(key)
    return found.text if found else None
