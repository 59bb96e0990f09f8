"""Lays out small projects from fenced blocks and runs the engine over them; their marks say what is to be found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from anchorlint.domain.report import Report
from anchorlint.domain.span import Position, Span
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.settings import Said
from anchorlint.knowledge.fences import Fence, Project

MARK = re.compile(r"[ \t]*#\s*expect:\s*(?P<codes>[A-Z]{3}\d{3}(?:\s*,\s*[A-Z]{3}\d{3})*)[^\n]*")
CODE = re.compile(r"[A-Z]{3}\d{3}")
AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
NAMES = {"python": "example.py", "toml": "schedules.toml", "yaml": "schedules.yaml", "json": "schedules.json"}

Mark = tuple[str, int, str]


def unmarked(path: str, text: str) -> tuple[str, list[Mark]]:
    """A text without its marks, and what they expect: (path, line, code)."""
    marks: list[Mark] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if found := MARK.search(line):
            marks += [(path, number, code) for code in CODE.findall(found["codes"])]
            lines[number - 1] = line[: found.start()]
    return "\n".join(lines), marks


def lay(project: Project, folder: Path) -> list[Mark]:
    """Write the files of an example project; returns what its marks expect."""
    marks: list[Mark] = []
    for fence in project.fences:
        path = name_of(fence)
        text, found = unmarked(path, fence.text)
        marks += [*found, *((path, line, code) for line, code in fence.expect)]
        file = folder / path
        assert not file.exists(), f"two blocks are called {path}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return sorted(marks)


def name_of(fence: Fence) -> str:
    """The file that a block stands for: its title, else the usual name of its language."""
    return fence.title or NAMES[fence.language]


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """Work in `folder` as if a user stood there."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def analysed(folder: Path, paths: Iterable[str] = (".",), select: str = "ALL") -> Report:
    """What the engine says about a folder, with every rule unless `select` names others."""
    request = Request(paths=tuple(paths), said=Said(select=tuple(select.split(","))), as_of=AS_OF, use_cache=False)
    with within(folder):
        return run(request)


def found(report: Report) -> list[Mark]:
    """The findings of a report as (path, line, code)."""
    return sorted((f.span.path, f.span.start.line, f.code) for f in report.findings)


def misplaced(report: Report) -> list[str]:
    """The spans of findings, notes and edits that do not lie within the lines of their files."""
    wrong = []
    for finding in report.findings:
        edits = finding.fix.edits if finding.fix else ()
        for span in (finding.span, *(note.span for note in finding.notes), *(edit.span for edit in edits)):
            if not _lies_within(span, report.sources.lines(span.path)):
                wrong.append(f"{finding.code}: {span}")
    return wrong


def _lies_within(span: Span, lines: list[str]) -> bool:
    if not (1 <= span.start.line <= len(lines) and 1 <= span.start.column <= len(lines[span.start.line - 1]) + 1):
        return False
    if span.end == Position(len(lines) + 1, 1):  # a whole last line
        return True
    return (
        span.start <= span.end and span.end.line <= len(lines) and span.end.column <= len(lines[span.end.line - 1]) + 2
    )
