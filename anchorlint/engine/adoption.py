"""Makes the baseline of a project as it is now."""

from __future__ import annotations

import os

import msgspec

from anchorlint.domain.report import Report
from anchorlint.engine.baseline import FILE, UNCOVERED, read_baseline, written
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.sources import Sources
from anchorlint.knowledge.cards import cards


class Adoption(msgspec.Struct, frozen=True):
    """A baseline to be written to `path`, the number of findings in it that are new or still there, and the report."""

    path: str
    text: str
    count: int
    report: Report


def adoption(request: Request, path: str | None) -> Adoption:
    """The baseline of everything that a run reports when nothing is known yet; raises select.UnknownRule."""
    path = path or Configurations(request, cards()).baseline_path() or FILE
    before = read_baseline(path if os.path.exists(path) else None, Sources({}))
    report = run(msgspec.structs.replace(request, said=msgspec.structs.replace(request.said, baseline="")))
    report = msgspec.structs.replace(report, problems=(*report.problems, *before.problems))
    count = sum(finding.code not in UNCOVERED for finding in report.findings)
    return Adoption(path, written(report.findings, before, report.files), count, report)
