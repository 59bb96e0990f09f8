"""Timetables for tests: a manifest and runs written inline."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from anchorlint.domain.finding import Finding
from anchorlint.manifests import read_manifests
from anchorlint.manifests.timetable import Timetable

AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
CHECKS = {
    "SCH401": "overlap_p95",
    "SCH402": "self_overlap",
    "SCH403": "unknown_dependency",
    "SCH404": "self_dependency",
    "SCH405": "dependency_cycle",
    "SCH406": "invalid_terminal_policy",
    "SCH407": "invalid_delay",
    "SCH408": "malformed_deadline",
    "SCH409": "empty_dependencies",
    "SCH410": "conflicting_dependency_fields",
    "SCH411": "unmatched_occurrence",
    "SCH412": "infeasible_deadline",
    "SCH413": "missing_deadline",
    "SCH414": "offset_as_dependency",
    "SCH415": "dst_hazard",
    "SCH416": "invalid_schedule",
    "SCH417": "retention_shorter_than_period",
    "SCH418": "invalid_entry",
}


def timetable(text: str | Mapping[str, str], runs: str = "", as_of: datetime = AS_OF, window: int = 30) -> Timetable:
    """The timetable of one YAML manifest, or of several files by path, with `runs` as CSV beside it."""
    files = {"schedules.yaml": text} if isinstance(text, str) else text
    recorded = [("runs.csv", runs, True)] if runs else []
    return read_manifests(files.items(), recorded, as_of, window)


def found(table: Timetable, *codes: str) -> list[Finding]:
    """The findings of these rules, or of all, in the order of the text."""
    findings: list[Finding] = []
    for code in codes or CHECKS:
        module = importlib.import_module(f"anchorlint.checks.{code.lower()}_{CHECKS[code]}")
        findings += module.check(table)
    return sorted(findings, key=lambda finding: (finding.span, finding.code))


def marks(table: Timetable, *codes: str) -> list[tuple[int, str]]:
    """The findings as (line, code)."""
    return [(finding.span.start.line, finding.code) for finding in found(table, *codes)]


def csv(runs: Iterable[tuple[str, datetime, float] | tuple[str, datetime, float, str]]) -> str:
    """Runs as (id, start, seconds, status) in the native form."""
    lines = ["schedule_id,scheduled_for,started_at,finished_at,status"]
    for id_, start, length_s, *status in runs:
        end = start + timedelta(seconds=length_s)
        stamps = [f"{at:%Y-%m-%dT%H:%M:%S.%fZ}" for at in (start, start, end)]
        lines.append(",".join([id_, *stamps, *(status or ["completed"])]))
    return "\n".join(lines) + "\n"


def daily(id_: str, minutes: Sequence[float], status: str = "completed") -> list[tuple[str, datetime, float, str]]:
    """One run a day of these lengths, the last one on the day before AS_OF."""
    first = AS_OF - timedelta(days=len(minutes))
    return [(id_, first + timedelta(days=day), length * 60, status) for day, length in enumerate(minutes)]
