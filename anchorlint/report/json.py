"""The machine-readable report: one JSON document, or one finding a line."""

from __future__ import annotations

import msgspec

from anchorlint.domain.finding import Confidence, Edit, Finding, Fix, Horizon, Note, Problem, Severity
from anchorlint.domain.report import Report, Summary
from anchorlint.domain.span import Position, Span
from anchorlint.report.encoding import as_json


class Range(msgspec.Struct, frozen=True):
    """Lines and columns from 1, columns in code points, the end exclusive."""

    start: Position
    end: Position


class NoteObject(msgspec.Struct, frozen=True):
    """A secondary place and what stands there."""

    message: str
    path: str
    range: Range


class EditObject(msgspec.Struct, frozen=True):
    """Replace the text in this range by `text`."""

    path: str
    range: Range
    text: str


class FixObject(msgspec.Struct, frozen=True):
    """A way to mend a finding; a safe one cannot change what correct programs do."""

    title: str
    safe: bool
    edits: tuple[EditObject, ...]


class FindingObject(msgspec.Struct, frozen=True):
    """One fault at one place; the fingerprint stays the same when lines move."""

    code: str
    name: str
    severity: Severity | None
    confidence: Confidence
    message: str
    path: str
    range: Range
    notes: tuple[NoteObject, ...]
    help: str | None
    horizon: Horizon | None
    fix: FixObject | None
    fingerprint: str


class Document(msgspec.Struct, frozen=True):
    """The whole report; `errors` are the reasons for exit code 2."""

    version: int
    findings: tuple[FindingObject, ...]
    errors: tuple[Problem, ...]
    summary: Summary


def render(report: Report) -> str:
    """The report as one JSON document of version 1, with a newline at its end."""
    document = Document(1, tuple(map(finding_object, report.findings)), report.errors, report.summary)
    return as_json(document) + "\n"


def render_lines(report: Report) -> str:
    """One finding a line, in the shape of the document's findings."""
    return "".join(as_json(finding_object(finding), indent=-1) + "\n" for finding in report.findings)


def finding_object(finding: Finding) -> FindingObject:
    """One finding as the document states it."""
    return FindingObject(
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        confidence=finding.confidence,
        message=finding.message,
        path=finding.span.path,
        range=_range(finding.span),
        notes=tuple(map(_note, finding.notes)),
        help=finding.help,
        horizon=finding.horizon,
        fix=_fix(finding.fix) if finding.fix else None,
        fingerprint=finding.fingerprint,
    )


def _note(note: Note) -> NoteObject:
    return NoteObject(note.message, note.span.path, _range(note.span))


def _fix(fix: Fix) -> FixObject:
    return FixObject(fix.title, fix.safe, tuple(map(_edit, fix.edits)))


def _edit(edit: Edit) -> EditObject:
    return EditObject(edit.span.path, _range(edit.span), edit.text)


def _range(span: Span) -> Range:
    return Range(span.start, span.end)
