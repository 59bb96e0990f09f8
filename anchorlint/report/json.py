"""The machine-readable report: one JSON document, or one finding a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from anchorlint.domain.finding import Edit, Finding, Note
from anchorlint.domain.span import Span
from anchorlint.domain.report import Report


def render(report: Report) -> str:
    """The report as one JSON document of version 1, with a newline at its end."""
    document = {
        "version": 1,
        "findings": [finding_object(finding) for finding in report.findings],
        "errors": [msgspec.to_builtins(problem) for problem in report.errors],
        "summary": msgspec.to_builtins(report.summary),
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def render_lines(report: Report) -> str:
    """One finding a line, in the shape of the document's findings."""
    return "".join(msgspec.json.encode(finding_object(finding)).decode() + "\n" for finding in report.findings)


def finding_object(finding: Finding) -> Mapping[str, Any]:
    """One finding as the document states it."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "message": finding.message,
        "path": finding.span.path,
        "range": _range(finding.span),
        "notes": [_note(note) for note in finding.notes],
        "help": finding.help,
        "horizon": msgspec.to_builtins(finding.horizon),
        "fix": fix and {"title": fix.title, "safe": fix.safe, "edits": [_edit(edit) for edit in fix.edits]},
        "fingerprint": finding.fingerprint,
    }


def _note(note: Note) -> dict[str, Any]:
    return {"message": note.message} | _place(note.span)


def _edit(edit: Edit) -> dict[str, Any]:
    return _place(edit.span) | {"text": edit.text}


def _place(span: Span) -> dict[str, Any]:
    return {"path": span.path, "range": _range(span)}


def _range(span: Span) -> dict[str, Any]:
    return {"start": msgspec.to_builtins(span.start), "end": msgspec.to_builtins(span.end)}
