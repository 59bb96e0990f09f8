"""Reads the files of a run into what the checks ask: leaves of Python files, a program, a timetable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.span import Span
from anchorlint.engine.cache import Cache
from anchorlint.engine.comments import Comment, comments
from anchorlint.engine.leaf import Leaf, read_leaf, unpack
from anchorlint.engine.own_models import Knowledge
from anchorlint.engine.request import Progress
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets

MOST_CHARACTERS = 120


class Leaves(msgspec.Struct, frozen=True):
    """The Python files that were read, by path, and what stopped the others."""

    by_path: dict[str, Leaf]
    unparsed: tuple[Finding, ...]
    problems: tuple[Problem, ...]


class Schedules(msgspec.Struct, frozen=True):
    """The timetable of all manifests, None without any, with the comments and failures of their files."""

    timetable: Any
    comments: dict[str, tuple[Comment, ...]]
    unparsed: tuple[Finding, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was recognised and not checked, and which schedules have no recorded runs."""
        if self.timetable is None:
            return ()
        skipped = (f"{one.path}:{one.line}: {one.why}" for one in self.timetable.skipped)
        lonely = self.timetable.without_runs
        return (*skipped, *(f"{s.span.path}:{s.span.start.line}: no recorded runs of {s.name}" for s in lonely))


def read_leaves(targets: Targets, sources: Sources, cache: Cache, progress: Progress | None) -> Leaves:
    """Read every Python file of a run, from the cache where its content is known."""
    paths = targets.of_kind("python")
    by_path, unparsed, problems = {}, [], []
    for number, path in enumerate(paths):
        if progress:
            progress("reading", number, len(paths))
        try:
            leaf = _leaf(path, sources, cache)
        except Unreadable as error:
            leaf = Leaf(None, (error.message, error.line, 1), (), False)
        except Exception as error:
            problems.append(Problem(f"internal error while reading: {type(error).__name__}: {error}", path))
            continue
        if leaf.failed:
            unparsed.append(unparsed_file(path, *leaf.failed))
        by_path[path] = leaf
    return Leaves(by_path, tuple(unparsed), tuple(problems))


def _leaf(path: str, sources: Sources, cache: Cache) -> Leaf:
    data = sources.data(path)
    key = cache.key(path, data)
    stored = cache.find(path, key)
    if stored is not None:
        try:
            return unpack(stored)
        except (ValueError, EOFError, TypeError):
            pass  # cut short or foreign: read anew below
    leaf = read_leaf(path, data)
    if cache.in_use and not sources.given(path):
        cache.keep(path, key, leaf.pack())
    return leaf


def link(
    leaves: Leaves, targets: Targets, periods_s: Mapping[str, float], knowledge: Knowledge, include_tests: bool
) -> Any:
    """The program of every file that could be read, None if there is none; `knowledge` is the user's own."""
    facts = [leaf.facts for leaf in leaves.by_path.values() if leaf.facts is not None]
    if not facts:
        return None
    from anchorlint.knowledge.models import models
    from anchorlint.knowledge.words import words
    from anchorlint.python.program import Program

    reported = {path for path in targets.reported if targets.kinds[path] == "python"}
    known = models(knowledge.tables) if knowledge.tables else None
    vocabulary = words(knowledge.words) if knowledge.words else None
    return Program(
        facts,
        reported=reported,
        known=known,
        vocabulary=vocabulary,
        periods_s=periods_s,
        include_tests=include_tests,
    )


def read_schedules(
    targets: Targets, runs: Iterable[tuple[str, str, bool]], sources: Sources, as_of: datetime, window: int
) -> Schedules:
    """The timetable of every manifest; `runs` are (path, text, named), of which the last `window` count."""
    texts, spoken, unparsed = [], {}, []
    for path in targets.of_kind("manifest"):
        try:
            text = sources.text(path)
        except Unreadable as error:
            unparsed.append(unparsed_file(path, error.message, error.line, 1))
            continue
        texts.append((path, text))
        spoken[path] = comments(path, text, "manifest")
    if not texts:
        return Schedules(None, {}, tuple(unparsed))
    from anchorlint.manifests import read_manifests

    return Schedules(read_manifests(texts, runs, as_of, window), spoken, tuple(unparsed))


def unparsed_file(path: str, why: str, line: int, column: int) -> Finding:
    """The finding that says that a file was not checked; `why` is in the words of whoever tried to read it."""
    said = " ".join(why.split()).rstrip(".")
    message = f"not checked: {said[:1].lower()}{said[1:]}"
    if len(message) > MOST_CHARACTERS:
        message = message[: MOST_CHARACTERS - 1] + "…"
    return Finding(code="ANL003", message=message, span=Span.of(path, line, column, line, column + 1))
