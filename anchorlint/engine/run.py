"""One analysis from a request to its report; it prints nothing."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem, Severity
from anchorlint.domain.report import Report, Summary
from anchorlint.engine.cache import Cache, cache_folder
from anchorlint.engine.checking import Checked, run_checks
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import tidy
from anchorlint.engine.fingerprint import with_fingerprints
from anchorlint.engine.history import lost_targets, recorded_runs
from anchorlint.engine.linking import Linkage, check_program
from anchorlint.engine.reading import Leaves, Schedules, read_leaves, read_schedules, unparsed_file
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources
from anchorlint.engine.suppress import Sifted, sift
from anchorlint.engine.targets import find_targets
from anchorlint.knowledge.cards import cards

# Without recorded runs these are silent, which does not mean that their comments have become useless.
NEED_RUNS = frozenset({"SCH401", "SCH402", "SCH412"})


def run(request: Request) -> Report:
    """Do what `request` asks; raises select.UnknownRule for a selector of the command line that fits no rule."""
    was_on = gc.isenabled()
    # Trees and facts stay alive until they are linked: collecting meanwhile finds nothing and costs a seventh.
    gc.disable()
    try:
        return _Run(request).report()
    finally:
        if was_on:
            gc.enable()


class _Run:
    """What the steps of one run share."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.cards = cards()
        self.configurations = Configurations(request, self.cards)
        self.settings = self.configurations.of(".").settings
        self.sources = Sources({tidy(path): text for path, text in request.texts.items()})
        self.targets = find_targets(request, self.configurations)
        self.wanted = {path: self.configurations.codes_for(path) for path in self.targets.reported}
        self.problems: list[Problem] = []

    def report(self) -> Report:
        """Read, link, check, and hold back what is not wanted."""
        cache = Cache(cache_folder(self.request))
        leaves = read_leaves(self.targets, self.sources, cache, self.request.progress)
        history = recorded_runs(self.request, self.targets, self.configurations, self.sources)
        schedules = read_schedules(self.targets, history.files, self.sources, self._as_of(), self.settings.runs_window)
        checked = self._checked(leaves, schedules, cache)
        cache.close()
        sifted = self._sifted(checked.findings, leaves, schedules, checked.broken)
        findings = [*self._shown(sifted.kept, leaves), *self._own(sifted, leaves, schedules)]
        findings += map(self._stamped, lost_targets(history, schedules.timetable))
        reasons = (self.configurations, self.targets, history, leaves, self, checked)
        trouble = (cache.trouble,) if cache.trouble else ()
        remarks = (*self.targets.remarks, *schedules.remarks, *checked.remarks, *trouble)
        return Report(
            findings=tuple(with_fingerprints(sorted(findings, key=_order), self.sources)),
            problems=tuple(dict.fromkeys(problem for reason in reasons for problem in reason.problems)),
            summary=self._summary(findings, sifted, schedules.timetable),
            sources=self.sources,
            suppressed=sifted.suppressed,
            fail_on=self.settings.fail_on,
            output_format=self.settings.output_format,
            files=self.targets.reported,
            remarks=remarks,
        )

    def _checked(self, leaves: Leaves, schedules: Schedules, cache: Cache) -> Checked:
        chosen = [card for card in self.cards.values() if any(card.code in codes for codes in self.wanted.values())]
        timetable = schedules.timetable
        checked = Checked()
        if timetable is not None:
            checked = run_checks((card for card in chosen if card.on == "schedules"), timetable)
        linkage = Linkage(
            reported=[path for path in self.targets.reported if path in leaves.by_path],
            periods_s=timetable.periods_s if timetable is not None else {},
            knowledge=self.configurations.knowledge(self.wanted),
            include_tests=any(self.configurations.of_file(path).settings.include_tests for path in self.wanted),
        )
        return checked + check_program(leaves, linkage, chosen, cache)

    def _as_of(self) -> datetime:
        return self.request.as_of or datetime.now(UTC)

    def _sifted(
        self, findings: Iterable[Finding], leaves: Leaves, schedules: Schedules, broken: frozenset[str]
    ) -> Sifted:
        """Hold back what comments ignore, before anything else does: a comment is used if it meets any finding."""
        here = [finding for finding in findings if finding.code in self.wanted.get(finding.span.path, ())]
        spoken = {path: leaf.head.comments for path, leaf in leaves.by_path.items()} | schedules.comments
        spoken = {path: said for path, said in spoken.items() if said and path in self.wanted}
        blind = broken | (frozenset() if _has_runs(schedules.timetable) else NEED_RUNS)
        return sift(here, spoken, {path: self.wanted[path] - blind for path in spoken}, self.cards)

    def _shown(self, findings: Iterable[Finding], leaves: Leaves) -> Iterator[Finding]:
        for finding in findings:
            path = finding.span.path
            settings = self.configurations.of_file(path).settings
            leaf = leaves.by_path.get(path) if self.cards[finding.code].on == "python" else None
            in_test = leaf is not None and leaf.head.is_test
            if finding.confidence.rank >= settings.min_confidence.rank and (settings.include_tests or not in_test):
                yield finding

    def _own(self, sifted: Sifted, leaves: Leaves, schedules: Schedules) -> Iterator[Finding]:
        """The findings about comments and about files that could not be read."""
        unread = [*leaves.unparsed, *schedules.unparsed]
        for problem in getattr(schedules.timetable, "problems", ()):
            if self.targets.kinds.get(problem.path) == "manifest":
                unread.append(unparsed_file(problem.path, problem.message, problem.line or 1, problem.column or 1))
            else:
                self.problems.append(problem)
        for finding in (*sifted.about, *unread):
            if finding.span.path in self.wanted:
                yield self._stamped(finding)

    def _stamped(self, finding: Finding) -> Finding:
        card = self.cards[finding.code]
        return msgspec.structs.replace(finding, name=card.name, severity=card.severity)

    def _summary(self, findings: Iterable[Finding], sifted: Sifted, timetable: Any) -> Summary:
        counts = Counter(finding.severity for finding in findings)
        return Summary(
            files=len(self.targets.reported),
            findings={severity.value: counts[severity] for severity in Severity},
            suppressed=len(sifted.suppressed),
            schedules=len(getattr(timetable, "schedules", ())),
            schedules_without_runs=len(getattr(timetable, "without_runs", ())),
        )


def _has_runs(timetable: Any) -> bool:
    return timetable is not None and any(timetable.runs(schedule) for schedule in timetable.schedules)


def _order(finding: Finding) -> tuple[object, ...]:
    span = finding.span
    return (span.path, span.start, finding.code, span.end, finding.message)
