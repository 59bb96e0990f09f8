"""GitLab CI: jobs of scheduled pipelines that wait by the clock for what another pipeline leaves behind.

The crons themselves stand in the settings of the project, not in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anchorlint.documents import Entry, Kind, Node, yaml
from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Busy, Flaw, Polled, Schedule
from anchorlint.domain.span import Span
from anchorlint.manifests import durations
from anchorlint.manifests.dialects import NOT_OURS, Reading

_SCHEDULED = re.compile(r"\$CI_PIPELINE_SOURCE\s*==\s*[\"']schedule[\"']")
_TAKEN = re.compile(r"/jobs/artifacts/[^\s\"']+[?&]job=(?:\$\{?\w+\}?|([\w%.:-]+))")
_SLEEP = re.compile(r"(?:^|[;&\n])\s*sleep\s+(\d+)([smh]?)\b")
_UNITS_S = {"": 1, "s": 1, "m": 60, "h": 3600}
_LEAST_SLEEP_S = 60
_LONGEST_DELAY_S = 7 * 86400
_REMEDY = "let the other pipeline trigger this one, or take its artifacts with needs"


def read(text: str, path: str) -> Reading:
    """The jobs that wait by the clock, and delays that GitLab refuses; raises Malformed."""
    document = yaml.read(text, path)
    if document.kind is not Kind.MAPPING:
        return NOT_OURS
    jobs = [entry for entry in document.entries if entry.node.child("script") is not None]
    schedules = [found for job in jobs if (found := _schedule(job, path)) is not None]
    flaws = [flaw for job in jobs for flaw in _refused(job)]
    return Reading(tuple(schedules), tuple(flaws)) if schedules or flaws else NOT_OURS


def _schedule(job: Entry, path: str) -> Schedule | None:
    polled = tuple(_polled(job)) if _is_scheduled(job.node) else ()
    if not polled:
        return None
    group = job.node.child("resource_group")
    return Schedule(
        id=job.key,
        format="gitlab",
        span=job.key_span,
        id_span=job.key_span,
        workflow=f"{path}::{group.raw if group else job.key}",
        scope=path,
        busy=Busy.QUEUE if group else Busy.ALLOW,
        polled=polled,
    )


def _is_scheduled(job: Node) -> bool:
    """Whether a job runs in scheduled pipelines, by its rules or by the older `only`."""
    rules, only = job.child("rules"), job.child("only")
    conditions = [rule.child("if") for rule in (rules.items if rules else ())]
    never = [rule.child("when") for rule in (rules.items if rules else ())]
    by_rule = any(
        condition is not None and _SCHEDULED.search(condition.raw) and not (when is not None and when.raw == "never")
        for condition, when in zip(conditions, never, strict=True)
    )
    return by_rule or any(each.raw == "schedules" for each in (only.items if only else ()))


def _polled(job: Entry) -> Iterator[Polled]:
    """A delay or a sleep, where the job then takes the newest artifacts of another one."""
    lines = list(_lines(job.node))
    taken = next((found for line in lines if (found := _TAKEN.search(line.raw))), None)
    waits = list(_waits(job.node, lines)) if taken else []
    for span, how in waits[:1]:
        yield Polled(how=how, span=span, other=taken[1] if taken else None, remedy=_REMEDY)


def _waits(job: Node, lines: list[Node]) -> Iterator[tuple[Span, str]]:
    for delay in _delays(job):
        length_s = durations.seconds(delay.raw)
        if length_s:
            yield delay.span, f"starts {spoken(length_s)} later"
    for line in lines:
        found = _SLEEP.search(line.raw)
        length_s = int(found[1]) * _UNITS_S[found[2]] if found else 0
        if length_s >= _LEAST_SLEEP_S:
            yield line.span, f"sleeps {spoken(length_s)}"


def _delays(job: Node) -> Iterator[Node]:
    """Every `start_in`, of the job itself and of its rules."""
    rules = job.child("rules")
    for node in (job, *(rules.items if rules else ())):
        delay = node.child("start_in")
        if delay is not None and delay.kind is Kind.TEXT:
            yield delay


def _lines(job: Node) -> Iterator[Node]:
    for key in ("before_script", "script"):
        stated = job.child(key)
        if stated is not None:
            yield from (each for each in (stated.items or (stated,)) if each.kind is Kind.TEXT)


def _refused(job: Entry) -> Iterator[Flaw]:
    for delay in _delays(job.node):
        length_s = durations.seconds(delay.raw)
        if length_s is not None and length_s > _LONGEST_DELAY_S:
            message = f"{job.key} starts {spoken(length_s)} later, and GitLab refuses more than a week"
            yield Flaw(code="SCH418", message=message, span=delay.span)
