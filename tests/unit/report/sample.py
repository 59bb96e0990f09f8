"""A report with everything that a report can hold."""

from __future__ import annotations

from collections.abc import Mapping

from anchorlint.domain.finding import Confidence, Edit, Finding, Fix, Horizon, Note, Problem, Severity
from anchorlint.domain.report import Report, Summary
from anchorlint.domain.span import Span

WORKER = """\
def evidence(entry, now):
    start = entry.deadline - WEEK
    if now - REACH > start:
        return None
    return fetch(start)


def nightly(rows, now):
    for row in rows:
        row.attempts += 1
"""
RICH = Finding(
    code="ANC101",
    name="mixed-anchor-retry",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    message="this can never hold after entry.deadline + 7d, yet it is tried again: 100%, a:b",
    span=Span.of("jobs/a b.py", 3, 8, 3, 27),
    notes=(
        Note("the item side", Span.of("jobs/a b.py", 2, 13, 2, 34)),
        Note("tried again here", Span.of("jobs/a b.py", 9, 5, 10, 26)),
        Note("reaches back 14d", Span.of("settings.py", 1, 1, 1, 6)),
    ),
    help="give it a reason of its own",
    horizon=Horizon("entry.deadline + 7d", "entry.deadline", 604800.0),
    fix=Fix("seal it", False, (Edit(Span.of("jobs/a b.py", 4, 16, 4, 20), "GONE"),)),
    fingerprint="f1",
)
PLAIN = Finding(
    code="SCH413", name="missing-deadline", severity=Severity.NOTE, message="no deadline",
    span=Span.of("schedules.toml", 2, 1, 2, 5), fingerprint="f2",
)  # fmt: skip
UNPARSED = Finding(
    code="ANL003", name="unparsed-file", severity=Severity.ERROR, message="not checked: invalid syntax",
    span=Span.of("b.py", 7, 1, 7, 2), fingerprint="f3",
)  # fmt: skip
HELD_BACK = Finding(
    code="SCH404", name="self-dependency", severity=Severity.ERROR, message="itself",
    span=Span.of("schedules.toml", 1, 1, 1, 5), fingerprint="f4",
)  # fmt: skip


class Given:
    """Texts by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def lines(self, path: str) -> list[str]:
        return self._texts.get(path, "").split("\n")


def report(*findings: Finding, texts: Mapping[str, str] | None = None, **more: object) -> Report:
    """A report of these findings; the sample's texts unless others are given."""
    known = {
        "jobs/a b.py": WORKER,
        "settings.py": "REACH = timedelta(days=14)\n",
        "schedules.toml": "id = 1\nafter = 2\n",
    }
    sources = Given(texts if texts is not None else known)
    return Report(findings=findings, problems=(), summary=Summary(), sources=sources, **more)  # type: ignore[arg-type]


EVERYTHING = report(RICH, UNPARSED, PLAIN, suppressed=((HELD_BACK, "known since May"), (PLAIN, "")))
FAILED = report(RICH)
FAILED = Report(
    findings=(RICH, PLAIN),
    problems=(Problem("no such file", "c.py"), Problem("unknown key", "x.toml", 3, 1), Problem("internal error")),
    summary=Summary(),
    sources=EVERYTHING.sources,
    files=("jobs/a b.py", "clean.py"),
)
