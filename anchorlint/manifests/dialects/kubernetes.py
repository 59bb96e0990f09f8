"""Kubernetes: CronJob, and Argo's CronWorkflow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.documents import Kind, Node, yaml
from anchorlint.domain.schedule import Busy, Dialect, Firing, Schedule
from anchorlint.manifests import calendar
from anchorlint.manifests.calendar import Invalid
from anchorlint.manifests.dialects import NOT_OURS, Reading, Skipped
from anchorlint.manifests.dialects.placeholders import skipped

_KINDS = {"CronJob": "kubernetes", "CronWorkflow": "argo"}
_NAMED = re.compile(r"""\bkind["']?\s*:\s*["']?(?:CronJob|CronWorkflow)\b""")
_PART = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_BUSY = {"Forbid": Busy.SKIP, "Replace": Busy.CANCEL}


def read(text: str, path: str) -> Reading:
    """The schedules of every CronJob and CronWorkflow among the documents of a text; raises Malformed."""
    if not _NAMED.search(text):
        return NOT_OURS
    schedules: list[Schedule] = []
    passed_over: list[Skipped] = []
    for found in (item for document in yaml.read_all(_telling(text), path) for item in _objects(document)):
        kind = found.child("kind")
        spec = found.child("spec")
        if kind is None or spec is None or kind.raw not in _KINDS:
            continue
        crons = list(_crons(spec))
        for cron in crons:
            why = skipped(cron)
            if why:
                passed_over.append(why)
            else:
                schedules.append(_schedule(found, spec, cron, len(crons) > 1, path))
    return Reading(tuple(schedules), skipped=tuple(passed_over)) if schedules or passed_over else NOT_OURS


def _telling(text: str) -> str:
    """The text with empty lines in place of the documents without such an object: bundles are large."""
    starts = [0, *(found.start() for found in _PART.finditer(text)), len(text)]
    parts = (text[start:end] for start, end in zip(starts, starts[1:], strict=False))
    return "".join(part if _NAMED.search(part) else "\n" * part.count("\n") for part in parts)


def _objects(document: Node) -> Iterator[Node]:
    """The objects of a document: itself, or the items of a List."""
    items = document.child("items")
    if items is not None and items.kind is Kind.SEQUENCE:
        yield from (item for item in items.items if item.kind is Kind.MAPPING)
    elif document.kind is Kind.MAPPING:
        yield document


def _crons(spec: Node) -> Iterator[Node]:
    for key in ("schedule", "schedules"):
        stated = spec.child(key)
        if stated is not None and stated.kind is not Kind.NULL:
            yield from stated.items if stated.kind is Kind.SEQUENCE else (stated,)


def _schedule(found: Node, spec: Node, cron: Node, several: bool, path: str) -> Schedule:
    kind = found.child("kind")
    assert kind is not None
    named = found.child("metadata", "name")
    name = named.raw if named else ""
    space = _text(found, "metadata", "namespace")
    zone = spec.child("timeZone") or spec.child("timezone")
    stated = zone if zone is not None and zone.text and not skipped(zone) else None
    policy = _text(spec, "concurrencyPolicy")
    paused = spec.child("suspend")
    firing = Firing(dialect=Dialect.ROBFIG, expression=cron.raw, span=cron.span, zone=_zone(cron.raw, stated))
    return Schedule(
        id=f'{name} "{cron.raw}"' if several else name,
        format=_KINDS[kind.raw],
        span=found.span,
        id_span=named.span if named else found.span,
        workflow=f"{path}::{space or ''}/{name or cron.span.start.line}",
        scope=path,
        firing=firing,
        zone=firing.zone,
        zone_span=stated.span if stated else None,
        enabled=paused is None or paused.value is not True,
        busy=_BUSY.get(policy or "", Busy.ALLOW),
        recorded_as=tuple(each for each in (name, f"{space}/{name}" if space else "") if each),
    )


def _zone(expression: str, stated: Node | None) -> str:
    """The zone of the object, else the one within its expression, else that of most controllers."""
    if stated is not None:
        return stated.raw
    try:
        return calendar.parse_text(str(Dialect.ROBFIG), expression).zone or "UTC"
    except Invalid:
        return "UTC"


def _text(node: Node, *keys: str) -> str | None:
    found = node.child(*keys)
    return found.text if found else None
