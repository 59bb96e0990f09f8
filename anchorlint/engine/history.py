"""Finds the files of recorded runs, and says which of those that were named are lost."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.span import Span
from anchorlint.engine.configuration import Configurations, Configured
from anchorlint.engine.discover import tidy
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets

BESIDE_A_MANIFEST = ("runs.csv", "runs.jsonl", "runs.json")


class History(msgspec.Struct, frozen=True):
    """The recorded runs of one run: `files` are (path, text, named); `patterns` are configured and where."""

    files: tuple[tuple[str, str, bool], ...]
    patterns: tuple[tuple[str, Span, tuple[str, ...]], ...]
    problems: tuple[Problem, ...]


def recorded_runs(
    request: Request, targets: Targets, configurations: Configurations, sources: Sources, written: Iterable[str] = ()
) -> History:
    """The files that were named, those that the configuration's patterns match, and those beside a manifest.

    `written` are Python files with schedules, which count as manifests.
    """
    manifests = [*targets.of_kind("manifest"), *written]
    patterns = tuple(_configured([configurations.of("."), *map(configurations.of_file, manifests)]))
    named = {tidy(path): True for path in request.runs}
    for pattern, _, paths in patterns:
        for path in paths:
            named[path] = named.get(path, False) or not glob.has_magic(pattern)
    for folder in dict.fromkeys(os.path.dirname(path) for path in manifests):
        for path in (tidy(os.path.join(folder, name)) for name in BESIDE_A_MANIFEST):
            if path not in named and os.path.isfile(path):
                named[path] = False
    files, problems = [], []
    for path, was_named in named.items():
        try:
            files.append((path, _text(path, sources), was_named))
        except Unreadable as error:
            problems.append(Problem(error.message, path))
    return History(tuple(files), patterns, tuple(problems))


def _text(path: str, sources: Sources) -> str:
    """The text of recorded runs, those of a database in the native form; raises Unreadable."""
    if sources.given(path) or not path.endswith((".db", ".sqlite", ".sqlite3")):
        return sources.text(path)
    from anchorlint.manifests.history.databases import exported, is_database
    from anchorlint.manifests.history.tables import NoRuns

    if not is_database(path):
        return sources.text(path)
    try:
        return exported(path)
    except NoRuns as error:
        raise Unreadable(str(error)) from None


def _configured(found: Iterable[Configured]) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    for configured in dict.fromkeys(found):
        for number, pattern in enumerate(configured.settings.runs):
            place = configured.table.place("runs", number) if configured.table else Span.of("--config", 1, 1, 1, 2)
            matches = sorted(glob.glob(os.path.join(glob.escape(configured.folder), pattern), recursive=True))
            yield pattern, place, tuple(tidy(path) for path in matches if os.path.isfile(path))


def lost_targets(history: History, timetable: Any) -> Iterator[Finding]:
    """A finding for each pattern that leads to no runs of ours, and for each named file that matches no schedule."""
    lost = {path for path, _, _ in history.files} if timetable is None else set(timetable.unmatched_runs)
    for pattern, place, paths in history.patterns:
        if not paths:
            yield _lost(f"no file matches {pattern}, so no recorded runs are read", place)
        elif glob.has_magic(pattern) and lost.issuperset(paths):
            yield _lost(f"no file that matches {pattern} records a run of a known schedule", place)
    for path, text, named in history.files:
        if named and path in lost:
            what = "records a run of a known schedule" if text.strip() else "is recorded: the file is empty"
            yield _lost(f"nothing here {what}", Span.of(path, 1, 1, 1, 2))


def _lost(message: str, place: Span) -> Finding:
    return Finding(code="ANL004", message=message, span=place)
