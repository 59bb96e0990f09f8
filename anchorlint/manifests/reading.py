"""Reads manifests and recorded runs into a timetable; whatever cannot be read becomes a problem."""

from __future__ import annotations

import importlib
import posixpath
import re
from collections.abc import Iterable
from datetime import datetime

from anchorlint.documents import Malformed
from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Flaw, Run, Schedule
from anchorlint.manifests.dialects import Reading, Skipped
from anchorlint.manifests.history import read_runs
from anchorlint.manifests.recognise import candidates
from anchorlint.manifests.splitting import meant
from anchorlint.manifests.timetable import Timetable

# What GitHub fills in by itself, ${{ }}, makes no template of a workflow.
_TEMPLATE = re.compile(r"(?<!\$)\{\{|\{%")


def read(
    sources: Iterable[tuple[str, str]],
    runs: Iterable[tuple[str, str, bool]],
    as_of: datetime,
    window: int,
    besides: Reading,
) -> Timetable:
    """The timetable of these manifests (path, text) and runs (path, text, named); see `manifests.read_manifests`."""
    schedules: list[Schedule] = []
    flaws: list[Flaw] = []
    skipped: list[Skipped] = []
    names: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for path, text in sorted(sources):
        found = _read_one(path, text, problems)
        emptied = {*found.dropped, *(one.slot for one in found.schedules if one.slot)}
        if emptied:
            schedules = [one for one in schedules if one.slot not in emptied]
        schedules += found.schedules
        flaws += found.flaws
        skipped += found.skipped
        names += found.names
    schedules += besides.schedules
    flaws += besides.flaws
    skipped += besides.skipped
    names += besides.names
    ledger = _Ledger(schedules)
    for path, text, named in _each_once(runs):
        records = read_runs(text, path)
        # A file that merely lies there under our name may be of another program: only what was named has to be ours.
        problems += records.problems if named or records.runs else ()
        ledger.add(path, records.runs, named)
    return Timetable(
        schedules,
        as_of,
        flaws=flaws,
        runs=ledger.runs,
        window=window,
        problems=problems,
        skipped=sorted(skipped),
        unmatched_runs=ledger.unmatched,
        names=names,
    )


def _read_one(path: str, text: str, problems: list[Problem]) -> Reading:
    passed_over: tuple[Skipped, ...] = ()
    for row in candidates(path, text):
        module = importlib.import_module(f"anchorlint.manifests.dialects.{row.module}")
        try:
            found: Reading = module.read(text, path)
        except Malformed as error:
            if _TEMPLATE.search(text):
                return Reading(skipped=(Skipped(path, error.line, "a template, not checked"),))
            if row.certain:
                problems.append(Problem(f"cannot read the manifest: {error.message}", path, error.line, error.column))
                return Reading()
            continue
        if found.ours:
            return found
        passed_over += found.skipped
    return Reading(skipped=passed_over)


def _each_once(runs: Iterable[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    """Each file of runs once, in the order of the paths; named if it was named at all."""
    found: dict[str, tuple[str, str, bool]] = {}
    for path, text, named in runs:
        known = posixpath.normpath(path)
        before = found.get(known)
        found[known] = (path, text, named or bool(before and before[2]))
    return [found[path] for path in sorted(found)]


class _Ledger:
    """Gives recorded runs to the schedules they speak of."""

    def __init__(self, schedules: list[Schedule]) -> None:
        self.schedules = schedules
        self.runs: dict[int, list[Run]] = {}
        self.unmatched: list[str] = []
        self._files = 0
        self._seen: dict[int, set[tuple[object, ...]]] = {}
        self._names: dict[str, list[int]] = {}
        for place, schedule in enumerate(schedules):
            for name in {schedule.id, *schedule.recorded_as} - {""}:
                self._names.setdefault(name, []).append(place)

    def add(self, path: str, runs: Iterable[Run], named: bool) -> None:
        """Give each run to its schedules; one that stands in two files counts once."""
        self._files += 1
        folder = posixpath.dirname(path)
        places: dict[str, list[int]] = {}
        split: set[str] = set()
        for run in runs:
            name = run.schedule
            if name not in places:
                places[name] = self._meant(name, folder, named)
                if self._is_shared(places[name], name):
                    split.add(name)
            for place in self._split(places[name], run) if name in split else places[name]:
                self._keep(place, run)
        if named and places and not any(places.values()):
            self.unmatched.append(path)

    def _is_shared(self, places: list[int], name: str) -> bool:
        """Whether the schedules of one file share this name, which is that of none of them alone."""
        schedules = [self.schedules[place] for place in places]
        homes = {(schedule.scope, schedule.workflow) for schedule in schedules}
        return len(places) > 1 and len(homes) == 1 and all(schedule.id != name for schedule in schedules)

    def _split(self, places: list[int], run: Run) -> list[int]:
        """The place whose firing a run is, of those that share its name."""
        found = meant([self.schedules[place] for place in places], run)
        return [place for place in places if self.schedules[place] is found]

    def _keep(self, place: int, run: Run) -> None:
        kept = self.runs.setdefault(place, [])
        if self._files > 1:
            if place not in self._seen:
                self._seen[place] = set(map(_key, kept))
            if _key(run) in self._seen[place]:
                return
            self._seen[place].add(_key(run))
        kept.append(run)

    def _meant(self, name: str, folder: str, named: bool) -> list[int]:
        """The schedules of that name: beside the file if it was only found there, else the nearest ones."""
        # A record may say "namespace/name" of what the manifest, which leaves its namespace open, calls by name.
        known = self._names.get(name) or self._names.get(name.rpartition("/")[2], [])
        if not named:
            return [place for place in known if posixpath.dirname(self.schedules[place].span.path) == folder]
        nearest = max((self._shared(place, folder) for place in known), default=0)
        return [place for place in known if self._shared(place, folder) == nearest]

    def _shared(self, place: int, folder: str) -> int:
        """How many leading folders a manifest and a file of runs share."""
        own = posixpath.dirname(self.schedules[place].span.path).split("/")
        other = folder.split("/")
        pairs = zip(own, other, strict=False)
        return next((number for number, (one, two) in enumerate(pairs) if one != two), min(len(own), len(other)))


def _key(run: Run) -> tuple[object, ...]:
    """What two records of one run have in common."""
    return run.started_at, run.finished_at, run.scheduled_for, run.ending
