"""Findings and problems as the diagnostics of the Language Server Protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
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


class Places(msgspec.Struct, frozen=True):
    """Turns the spans of one analysis into places of the client.

    Paths in spans are relative to `root`; `lines` gives the lines of such a path, `opened` the client's own URI of a
    file that it has open, which may be spelled otherwise than ours.
    """

    root: Path
    lines: Callable[[str], list[str]]
    opened: Mapping[Path, str]
    codec: PositionCodec

    def uri(self, path: str) -> str:
        """The URI of a span's path."""
        file = Path(os.path.normpath(self.root / path))
        return self.opened.get(file) or str(uris.from_fs_path(str(file)))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return client_range(span, self.lines(span.path), self.codec)


def of_finding(finding: Finding, places: Places) -> types.Diagnostic:
    """One finding; its notes become related information, its help the last line of the message."""
    card = rules_directory() / f"{finding.code}-{finding.name}.md"
    return types.Diagnostic(
        range=places.range(finding.span),
        message=finding.message if finding.help is None else f"{finding.message}\nhelp: {finding.help}",
        severity=SEVERITIES[finding.severity or Severity.ERROR],
        code=finding.code,
        code_description=types.CodeDescription(card.as_uri()),
        source=SOURCE,
        related_information=[_related(note, places) for note in finding.notes],
        data={"name": finding.name, "fingerprint": finding.fingerprint},
    )


def of_problem(problem: Problem, places: Places) -> types.Diagnostic:
    """One problem at its place, or at the top of its file when it names none."""
    line, column = problem.line or 1, problem.column or 1
    return types.Diagnostic(
        range=places.range(Span.of(problem.path or "", line, column, line, column + 1)),
        message=problem.message,
        severity=types.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def _related(note: Note, places: Places) -> types.DiagnosticRelatedInformation:
    return types.DiagnosticRelatedInformation(
        types.Location(places.uri(note.span.path), places.range(note.span)), note.message
    )
