"""One analysis from a request to its report; it prints nothing."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from anchorlint.domain.finding import Finding, Problem, Severity
from anchorlint.engine.checking import run_checks
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.fingerprint import with_fingerprints
from anchorlint.engine.reading import read_program, read_schedules
from anchorlint.engine.request import Report, Request, Summary
from anchorlint.engine.select import selected_codes
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets, find_targets
from anchorlint.engine.test_modules import is_test_module
from anchorlint.knowledge.cards import Card, cards


def run(request: Request) -> Report:
    """Do what `request` asks; raises ValueError for a configuration or selector that cannot be understood."""
    with _no_garbage_collection():
        return _run(request)


def _run(request: Request) -> Report:
    known = cards()
    configurations = Configurations(request)
    sources = Sources(request.texts)
    targets = find_targets(request, configurations)
    wanted = {path: selected_codes(configurations.of_file(path).settings, known) for path in targets.reported}
    codes = frozenset().union(*wanted.values())
    as_of = request.as_of or datetime.now(UTC)
    runs, problems = _recorded_runs(request, targets, sources)
    schedules = read_schedules(targets, runs, sources, as_of)
    periods_s = dict(getattr(schedules.subject, "periods_s", {}))
    program = read_program(targets, sources, periods_s, request)
    chosen = [card for code, card in known.items() if code in codes and card.on != "engine"]
    checked = run_checks(chosen, {"schedules": schedules.subject, "python": program.subject})
    kept = [f for f in checked.findings if f.code in wanted.get(f.span.path, ())]
    kept = list(_confident(_outside_tests(kept, known, configurations, sources), configurations))
    kept += [f for f in (*schedules.findings, *program.findings) if f.span.path in wanted]
    findings = tuple(with_fingerprints(sorted(kept, key=_order), sources))
    return Report(
        findings=findings,
        problems=(*targets.problems, *problems, *schedules.problems, *program.problems, *checked.problems),
        summary=_summary(targets, findings, schedules.subject),
        sources=sources,
        settings=configurations.of(".").settings,
        remarks=(*targets.remarks, *checked.remarks),
        files=targets.reported,
    )


def _recorded_runs(
    request: Request, targets: Targets, sources: Sources
) -> tuple[list[tuple[str, str, bool]], list[Problem]]:
    named = dict.fromkeys(os.path.normpath(path).replace(os.sep, "/") for path in request.runs)
    beside = {}
    for folder in {os.path.dirname(path) for path, kind in targets.kinds.items() if kind == "manifest"}:
        for name in ("runs.csv", "runs.jsonl", "runs.json"):
            path = os.path.join(folder, name)
            if path not in named and os.path.isfile(path):
                beside[path] = None
    found, problems = [], []
    for path in (*named, *sorted(beside)):
        try:
            found.append((path, sources.text(path), path in named))
        except Unreadable as error:
            problems.append(Problem(error.message, path))
    return found, problems


def _outside_tests(
    findings: Iterable[Finding], known: Mapping[str, Card], configurations: Configurations, sources: Sources
) -> Iterator[Finding]:
    verdicts: dict[str, bool] = {}
    for finding in findings:
        path = finding.span.path
        if known[finding.code].on == "python" and not configurations.of_file(path).settings.include_tests:
            if path not in verdicts:
                verdicts[path] = is_test_module(path, "\n".join(sources.lines(path)))
            if verdicts[path]:
                continue
        yield finding


def _confident(findings: Iterable[Finding], configurations: Configurations) -> Iterator[Finding]:
    for finding in findings:
        if finding.confidence.rank >= configurations.of_file(finding.span.path).settings.min_confidence.rank:
            yield finding


def _order(finding: Finding) -> tuple[object, ...]:
    span = finding.span
    return (span.path, span.start, finding.code, span.end, finding.message)


def _summary(targets: Targets, findings: Iterable[Finding], timetable: object) -> Summary:
    counts = Counter(finding.severity for finding in findings)
    return Summary(
        files=len(targets.reported),
        findings={severity.value: counts[severity] for severity in Severity},
        schedules=len(getattr(timetable, "schedules", ())),
    )


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    # Trees and facts stay alive until they are linked: collecting meanwhile finds nothing and costs a seventh.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
