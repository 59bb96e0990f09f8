"""The code quality report of GitLab."""

from __future__ import annotations

from anchorlint.domain.report import Report
from anchorlint.report.encoding import as_json

SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    """Findings as a JSON list; problems as blockers, for GitLab shows nothing else."""
    issues = [
        {
            "description": f"{finding.code}: {finding.message}",
            "check_name": finding.name,
            "fingerprint": finding.fingerprint,
            "severity": SEVERITIES[str(finding.severity)],
            "location": {"path": finding.span.path, "lines": {"begin": finding.span.start.line}},
        }
        for finding in report.findings
    ]
    issues += [
        {
            "description": problem.message,
            "check_name": "anchorlint",
            "fingerprint": f"problem-{number}",
            "severity": "blocker",
            "location": {"path": problem.path or ".", "lines": {"begin": problem.line or 1}},
        }
        for number, problem in enumerate(report.problems, 1)
    ]
    return as_json(issues) + "\n"
