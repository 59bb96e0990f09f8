"""Reads the files of a run into what the checks ask: a linked program and a timetable."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem, Severity
from anchorlint.domain.span import Span
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets


class Read(msgspec.Struct, frozen=True):
    """What came of reading: a subject for the checks, or None without files of the kind."""

    subject: Any
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_schedules(targets: Targets, runs: Iterable[tuple[str, str, bool]], sources: Sources, as_of: datetime) -> Read:
    """The timetable of every manifest; `runs` are (path, text, named)."""
    paths = [path for path, kind in targets.kinds.items() if kind == "manifest"]
    if not paths:
        return Read(None)
    from anchorlint.manifests import read_manifests

    texts, findings = [], []
    for path in paths:
        try:
            texts.append((path, sources.text(path)))
        except Unreadable as error:
            findings.append(unparsed(path, error.message, error.line, 1))
    timetable = read_manifests(texts, runs, as_of)
    return Read(timetable, tuple(findings), tuple(timetable.problems))


def read_program(targets: Targets, sources: Sources, periods_s: dict[str, float], request: Request) -> Read:
    """The linked program of every Python file; a reported file that cannot be parsed becomes a finding."""
    paths = [path for path, kind in targets.kinds.items() if kind == "python"]
    if not paths:
        return Read(None)
    try:
        from anchorlint.python.program import Program
    except ModuleNotFoundError:
        return Read(None)
    facts, findings, problems = [], [], []
    for number, path in enumerate(paths):
        if request.progress:
            request.progress("reading", number, len(paths))
        found = facts_of(path, sources)
        if isinstance(found, Finding):
            findings.append(found)
        elif isinstance(found, Problem):
            problems.append(found)
        else:
            facts.append(found)
    reported = {path for path in targets.reported if targets.kinds[path] == "python"}
    return Read(Program(facts, reported, None, periods_s), tuple(findings), tuple(problems))


def facts_of(path: str, sources: Sources) -> Any:
    """The facts of one file, or the finding or problem that says why there are none."""
    from anchorlint.python.facts import read
    from anchorlint.python.parse import Unparsed

    try:
        return read(path, sources.text(path))
    except Unreadable as error:
        return unparsed(path, error.message, error.line, 1)
    except Unparsed as error:
        return unparsed(path, error.message, error.line, error.column)
    except RecursionError:
        return unparsed(path, "nested too deeply to be read", 1, 1)
    except Exception as error:
        return Problem(f"internal error while reading: {type(error).__name__}: {error}", path)


def unparsed(path: str, why: str, line: int, column: int) -> Finding:
    """The finding that says that a file was not checked."""
    said = " ".join(why.split()).rstrip(".")
    message = f"not checked: {said[:1].lower()}{said[1:]}"
    return Finding(
        code="ANL003",
        name="unparsed-file",
        severity=Severity.ERROR,
        message=message if len(message) <= 120 else message[:119] + "…",
        span=Span.of(path, line, column, line, column + 1),
    )
