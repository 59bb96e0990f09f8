"""What a run is asked for and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.engine.settings import Said, Settings

Progress = Callable[[str, int, int], None]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One analysis; paths are relative to the working directory or absolute.

    `texts` stand in for files of these paths (standard input, unsaved buffers). `as_of` is an aware instant, now if
    `None`. `progress` is told a stage, how much of it is done, and how much there is.
    """

    paths: tuple[str, ...] = (".",)
    texts: Mapping[str, str] = {}
    runs: tuple[str, ...] = ()
    as_of: datetime | None = None
    said: Said = Said()
    config: str | None = None
    isolated: bool = False
    use_cache: bool = True
    cache_directory: str | None = None
    progress: Any = None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one run; `files` are those whose findings are reported."""

    files: int = 0
    findings: dict[str, int] = {}
    suppressed: int = 0
    baselined: int = 0
    schedules: int = 0
    schedules_without_runs: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Findings in order of path, line, column and code; problems, counts, and the texts that findings stand in.

    `settings` are those of the run as a whole; `remarks` say what was left out and why, for those who ask.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    summary: Summary
    sources: Any
    settings: Settings
    remarks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Every reason for exit code 2: the problems, and the findings that say that something was not checked."""
        told = (
            Problem(f.message, f.span.path, f.span.start.line, f.span.start.column)
            for f in self.findings
            if f.code in ("ANL003", "ANL004")
        )
        return (*self.problems, *told)

    def exit_code(self) -> int:
        """0 nothing at or above `fail-on`, 1 findings, 2 something could not be done as asked."""
        if self.errors:
            return 2
        limits = {"error": 2, "warning": 1, "note": 0, "never": 3}
        limit = limits[self.settings.fail_on]
        return int(any(f.severity is not None and f.severity.rank >= limit for f in self.findings))
