"""SARIF 2.1.0 for code scanning."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from anchorlint import __version__
from anchorlint.domain.finding import Finding, Fix, Note, Problem
from anchorlint.domain.report import Report
from anchorlint.domain.span import Span
from anchorlint.knowledge.cards import Card, cards
from anchorlint.report.encoding import as_json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    """The report as one SARIF log with one run."""
    results: list[tuple[Finding, str | None]] = [(finding, None) for finding in report.findings]
    results += report.suppressed
    codes = sorted({finding.code for finding, _ in results})
    driver = {
        "name": "anchorlint",
        "semanticVersion": __version__,
        "rules": [_rule(cards()[code]) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [_result(finding, codes, reason) for finding, reason in results],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return as_json(log) + "\n"


def _rule(card: Card) -> dict[str, Any]:
    return {
        "id": card.code,
        "name": card.name,
        "shortDescription": {"text": card.summary},
        "fullDescription": {"text": card.sections["Why"].text if "Why" in card.sections else card.summary},
        "help": {"text": card.text, "markdown": card.text},
        "defaultConfiguration": {"level": card.severity.value},
        "properties": {"tags": ["reliability", card.on]},
    }


def _invocation(report: Report) -> dict[str, Any]:
    return {
        "executionSuccessful": not report.errors,
        "exitCode": report.exit_code(),
        "toolExecutionNotifications": [_notification(problem) for problem in report.errors],
    }


def _notification(problem: Problem) -> dict[str, Any]:
    told: dict[str, Any] = {"level": "error", "message": {"text": problem.message}}
    if problem.path is not None:
        where: dict[str, Any] = {"artifactLocation": {"uri": _uri(problem.path)}}
        if problem.line is not None:
            where["region"] = {"startLine": problem.line, "startColumn": problem.column or 1}
        told["locations"] = [{"physicalLocation": where}]
    return told


def _result(finding: Finding, codes: list[str], reason: str | None) -> dict[str, Any]:
    text = finding.message + (f"\n\n{finding.help}" if finding.help else "")
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": str(finding.severity),
        "message": {"text": text},
        "locations": [{"physicalLocation": _physical(finding.span)}],
        "partialFingerprints": {"anchorlint/v1": finding.fingerprint},
        "properties": {"confidence": finding.confidence.value},
    }
    if finding.notes:
        result["relatedLocations"] = [_related(number, note) for number, note in enumerate(finding.notes, 1)]
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(finding)}]}]
    if finding.horizon:
        result["properties"]["horizon"] = finding.horizon.text
    if finding.fix:
        result["fixes"] = [_fix(finding.fix)]
    if reason is not None:
        result["suppressions"] = [{"kind": "inSource"} | ({"justification": reason} if reason else {})]
    return result


def _flow(finding: Finding) -> list[dict[str, Any]]:
    steps = [*finding.notes, Note(finding.message, finding.span)]
    return [{"location": {"physicalLocation": _physical(s.span), "message": {"text": s.message}}} for s in steps]


def _related(number: int, note: Note) -> dict[str, Any]:
    return {"id": number, "physicalLocation": _physical(note.span), "message": {"text": note.message}}


def _fix(fix: Fix) -> dict[str, Any]:
    changes = []
    for path in dict.fromkeys(edit.span.path for edit in fix.edits):
        edits = [edit for edit in fix.edits if edit.span.path == path]
        replacements = [{"deletedRegion": _region(e.span), "insertedContent": {"text": e.text}} for e in edits]
        changes.append({"artifactLocation": {"uri": _uri(path)}, "replacements": replacements})
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _physical(span: Span) -> dict[str, Any]:
    return {"artifactLocation": {"uri": _uri(span.path)}, "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _uri(path: str) -> str:
    return quote(path, safe="/", errors="surrogateescape")
