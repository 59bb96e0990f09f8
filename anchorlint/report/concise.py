"""One line a finding, `path:line:column: CODE message`, which terminals and editors make clickable."""

from __future__ import annotations

from anchorlint.domain.report import Report


def render(report: Report) -> str:
    """Each finding on a line, then the counts."""
    lines = [
        f"{f.span.path}:{f.span.start.line}:{f.span.start.column}: {f.code} {f.message}" for f in report.findings
    ]
    return "".join(f"{line}\n" for line in lines)
