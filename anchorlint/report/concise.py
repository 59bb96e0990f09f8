"""One line a finding, `path:line:column: CODE message`, which terminals and editors make clickable."""

from __future__ import annotations

from anchorlint.domain.finding import Finding
from anchorlint.domain.report import Report
from anchorlint.report.visible import visible


def render(report: Report) -> str:
    """Each finding on a line of its own."""
    return "".join(f"{line(finding)}\n" for finding in report.findings)


def line(finding: Finding) -> str:
    """One finding as one line."""
    start = finding.span.start
    return visible(f"{finding.span.path}:{start.line}:{start.column}: {finding.code} {finding.message}")
