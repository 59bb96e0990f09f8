"""Findings and problems as the diagnostics of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from anchorlint.domain.finding import Finding, Note, Problem, Severity
from anchorlint.domain.span import Span
from anchorlint.knowledge import rules_directory
from anchorlint.server.places import client_range

SOURCE = "anchorlint"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}

# The text of a file by the path that a span carries.
Texts = Callable[[str], str]


def of_finding(finding: Finding, root: Path, texts: Texts, codec: PositionCodec) -> types.Diagnostic:
    """One finding; its notes become related information, its help the last line of the message."""
    card = rules_directory() / f"{finding.code}-{finding.name}.md"
    return types.Diagnostic(
        range=client_range(finding.span, texts(finding.span.path), codec),
        message=finding.message if finding.help is None else f"{finding.message}\nhelp: {finding.help}",
        severity=SEVERITIES[finding.severity or Severity.ERROR],
        code=finding.code,
        code_description=types.CodeDescription(card.as_uri()),
        source=SOURCE,
        related_information=[_related(note, root, texts, codec) for note in finding.notes],
        data={"name": finding.name, "fingerprint": finding.fingerprint},
    )


def of_problem(problem: Problem, text: str, codec: PositionCodec) -> types.Diagnostic:
    """One problem at its place, or at the top of its file when it names none."""
    line, column = problem.line or 1, problem.column or 1
    return types.Diagnostic(
        range=client_range(Span.of(problem.path or "", line, column, line, column + 1), text, codec),
        message=problem.message,
        severity=types.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def uri_of(path: str, root: Path) -> str:
    """The URI of a finding's path, which is relative to `root`."""
    return str(uris.from_fs_path(str(root / path)))


def _related(note: Note, root: Path, texts: Texts, codec: PositionCodec) -> types.DiagnosticRelatedInformation:
    place = types.Location(uri_of(note.span.path, root), client_range(note.span, texts(note.span.path), codec))
    return types.DiagnosticRelatedInformation(place, note.message)
