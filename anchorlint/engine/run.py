"""One analysis from a request to its report; it prints nothing."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

import msgspec

from anchorlint.domain.finding import Finding, Problem, Severity
from anchorlint.domain.report import Report, Summary
from anchorlint.domain.span import Span
from anchorlint.engine.baseline import read_baseline, unused_entries
from anchorlint.engine.cache import Cache, cache_folder
from anchorlint.engine.checking import Checked, run_checks
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import tidy
from anchorlint.engine.fingerprint import with_fingerprints
from anchorlint.engine.history import lost_targets, recorded_runs
from anchorlint.engine.leaves import read_leaves
from anchorlint.engine.linking import Linkage, check_program
from anchorlint.engine.manifest_reading import read_schedules
from anchorlint.engine.python_schedules import written_schedules
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
        self.cache = Cache(cache_folder(request))
        self.leaves = read_leaves(request, self.targets, self.sources, self.cache)
        silent = frozenset(filter(self._is_silent_test, self.leaves.by_path))
        written = written_schedules(self.leaves, self.sources, silent, self.cache)
        self.history = recorded_runs(request, self.targets, self.configurations, self.sources, written.paths)
        as_of = request.as_of or datetime.now(UTC)
        window = self.settings.runs_window
        self.schedules = read_schedules(self.targets, self.history.files, self.sources, as_of, window, written)
        self.baseline = read_baseline(self.configurations.baseline_path(), self.sources)

    def report(self) -> Report:
        """Check what was read, and hold back what is not wanted."""
        checked = self._checked()
        self.cache.close()
        judged = self._judged(checked.broken)
        sifted = self._sifted(checked.findings, judged)
        lost = lost_targets(self.history, self.schedules.timetable)
        own = map(self._stamped, (*sifted.about, *self._unparsed(), *lost))
        findings = self._named([*self._shown(sifted.kept), *own])
        new = [finding for finding in findings if not self.baseline.knows(finding)]
        baselined = len(findings) - len(new)
        new += self._named(map(self._stamped, unused_entries(self.baseline, findings, judged)))
        trouble = (self.cache.trouble,) if self.cache.trouble else ()
        return Report(
            findings=tuple(sorted(new, key=_order)),
            problems=self._problems(checked),
            summary=self._summary(new, len(sifted.suppressed), baselined),
            sources=self.sources,
            suppressed=sifted.suppressed,
            fail_on=self.settings.fail_on,
            output_format=self.settings.output_format,
            files=self.targets.reported,
            partly=checked.partly,
            remarks=(*self.targets.remarks, *self.schedules.remarks, *checked.remarks, *trouble),
        )

    def _checked(self) -> Checked:
        chosen = [card for card in self.cards.values() if any(card.code in codes for codes in self.wanted.values())]
        timetable = self.schedules.timetable
        checked = Checked()
        if timetable is not None:
            checked = run_checks((card for card in chosen if card.on == "schedules"), timetable)
        linkage = Linkage(
            reported=[path for path in self.targets.reported if path in self.leaves.by_path],
            periods_s=self.schedules.periods_s,
            knowledge=self.configurations.knowledge(self.wanted),
            include_tests=any(self.configurations.of_file(path).settings.include_tests for path in self.wanted),
        )
        return checked + check_program(self.leaves, linkage, chosen, self.cache, self.request.progress)

    def _judged(self, broken: frozenset[str]) -> dict[str, frozenset[str]]:
        """The codes whose absence in a file means that nothing is there: it was read, and they were checked."""
        timetable = self.schedules.timetable
        has_runs = timetable is not None and any(timetable.runs(schedule) for schedule in timetable.schedules)
        blind = broken if has_runs else broken | NEED_RUNS
        if timetable is None:
            blind |= {card.code for card in self.cards.values() if card.on == "schedules"}
        unread = {finding.span.path for finding in self._unparsed()}
        of_python = {card.code for card in self.cards.values() if card.on == "python"}
        return {
            path: codes - blind - (of_python if self._is_silent_test(path) else frozenset())
            for path, codes in self.wanted.items()
            if path not in unread
        }

    def _is_silent_test(self, path: str) -> bool:
        leaf = self.leaves.by_path.get(path)
        return leaf is not None and leaf.head.is_test and not self.configurations.of_file(path).settings.include_tests

    def _sifted(self, findings: Iterable[Finding], judged: Mapping[str, frozenset[str]]) -> Sifted:
        """Hold back what comments ignore, before anything else does: a comment is used if it meets any finding."""
        here = [finding for finding in findings if finding.code in self.wanted.get(finding.span.path, ())]
        spoken = {path: leaf.head.comments for path, leaf in self.leaves.by_path.items()} | self.schedules.comments
        spoken = {path: said for path, said in spoken.items() if said and path in self.wanted}
        return sift(here, spoken, judged, self.cards)

    def _shown(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            path = finding.span.path
            settings = self.configurations.of_file(path).settings
            silent = self.cards[finding.code].on == "python" and self._is_silent_test(path)
            if finding.confidence.rank >= settings.min_confidence.rank and not silent:
                yield finding

    def _unparsed(self) -> Iterator[Finding]:
        """The findings about reported files that could not be read."""
        for finding in (*self.leaves.unparsed, *self.schedules.unparsed):
            if finding.span.path in self.wanted:
                yield msgspec.structs.replace(finding, span=_within(finding.span, self.sources))

    def _problems(self, checked: Checked) -> tuple[Problem, ...]:
        reasons = (self.targets, self.history, self.schedules, self.leaves, checked, self.baseline)
        configured = self.configurations.problems((*self.request.paths, *self.targets.reported))
        return tuple(dict.fromkeys((*configured, *(problem for reason in reasons for problem in reason.problems))))

    def _stamped(self, finding: Finding) -> Finding:
        card = self.cards[finding.code]
        return msgspec.structs.replace(finding, name=card.name, severity=card.severity)

    def _named(self, findings: Iterable[Finding]) -> list[Finding]:
        return list(with_fingerprints(sorted(findings, key=_order), self.sources))

    def _summary(self, findings: Iterable[Finding], suppressed: int, baselined: int) -> Summary:
        counts = Counter(finding.severity for finding in findings)
        timetable = self.schedules.timetable
        return Summary(
            files=len(self.targets.reported),
            findings={severity.value: counts[severity] for severity in Severity},
            suppressed=suppressed,
            baselined=baselined,
            schedules=len(timetable.schedules) if timetable is not None else 0,
            schedules_without_runs=len(timetable.without_runs) if timetable is not None else 0,
        )


def _within(span: Span, sources: Sources) -> Span:
    """`span` moved into its file: parsers like to stop on a line after the last one."""
    lines = sources.lines(span.path) or [""]
    line = min(span.start.line, len(lines))
    column = span.start.column if line == span.start.line else len(lines[line - 1]) + 1
    column = min(column, len(lines[line - 1]) + 1)
    return Span.of(span.path, line, column, line, column + 1)


def _order(finding: Finding) -> tuple[object, ...]:
    span = finding.span
    return (span.path, span.start, finding.code, span.end, finding.message)
