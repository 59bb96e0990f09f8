"""Workflow commands for GitHub Actions, the worst first: GitHub drops what is beyond ten of a kind without a word."""

from __future__ import annotations

from collections import Counter

from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.report import Report
from anchorlint.report.concise import line

SHOWN_BY_GITHUB = 10
COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """An annotation for each problem and finding up to the limit, the rest as plain lines with their number."""
    rows = [_problem(problem) for problem in report.problems]
    used = Counter({"error": len(rows)})
    rest = []
    for finding in sorted(report.findings, key=lambda finding: -_rank(finding)):
        command = COMMANDS[str(finding.severity)]
        used[command] += 1
        if used[command] <= SHOWN_BY_GITHUB:
            rows.append(_annotation(command, finding))
        else:
            rest.append(line(finding))
    if rest:
        rows += [f"{len(rest)} more, beyond what GitHub shows as annotations:", *rest]
    return "".join(f"{row}\n" for row in rows)


def _rank(finding: Finding) -> int:
    return finding.severity.rank if finding.severity else 0


def _annotation(command: str, finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    places = {"file": finding.span.path, "line": start.line, "endLine": end.line, "col": start.column}
    if start.line == end.line:
        places["endColumn"] = end.column
    places["title"] = f"{finding.code} {finding.name}"
    text = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
    return f"::{command} {','.join(f'{key}={_property(str(value))}' for key, value in places.items())}::{_data(text)}"


def _problem(problem: Problem) -> str:
    places = {"file": problem.path, "line": problem.line, "col": problem.column, "title": "anchorlint"}
    known = ",".join(f"{key}={_property(str(value))}" for key, value in places.items() if value is not None)
    return f"::error {known}::{_data(problem.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
