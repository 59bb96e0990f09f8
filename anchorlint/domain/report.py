"""What a run answers: findings, problems and counts."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from anchorlint.domain.finding import Finding, Problem

FailOn = Literal["error", "warning", "note", "never"]
UNCHECKED = frozenset({"ANL003", "ANL004"})


class Texts(Protocol):
    """The texts that findings stand in."""

    def lines(self, path: str) -> list[str]:
        """The lines of a file without their ends, none if it cannot be read any more."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one run; `files` are those whose findings are reported."""

    files: int = 0
    findings: dict[str, int] = {}
    suppressed: int = 0
    baselined: int = 0
    schedules: int = 0
    schedules_without_runs: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Findings in order of path, line, column and code, with problems and counts.

    `suppressed` are the findings that comments hold back, with the reasons given. `files` are the paths that were
    reported on. `partly` names what was looked into only in part, because a bound was hit. `remarks` say what was left
    out and why, for those who ask.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    summary: Summary
    sources: Texts
    fail_on: FailOn = "warning"
    output_format: str = "full"
    suppressed: tuple[tuple[Finding, str], ...] = ()
    files: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Every reason for exit code 2: the problems, and the findings that say that something was not checked."""
        told = (
            Problem(f.message, f.span.path, f.span.start.line, f.span.start.column)
            for f in self.findings
            if f.code in UNCHECKED
        )
        return (*self.problems, *told)

    def exit_code(self) -> int:
        """0 nothing at or above `fail_on`, 1 findings, 2 something could not be done as asked."""
        if self.errors:
            return 2
        limit = {"error": 2, "warning": 1, "note": 0, "never": 3}[self.fail_on]
        return int(any(f.severity is not None and f.severity.rank >= limit for f in self.findings))
