"""Reads the files of a run into what the checks ask: leaves of Python files, and a timetable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.domain.span import Span
from anchorlint.engine.cache import Cache
from anchorlint.engine.comments import Comment, comments
from anchorlint.engine.leaf import Head, Leaf, read_leaf
from anchorlint.engine.request import Progress
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets

if TYPE_CHECKING:
    from anchorlint.python.facts import Facts

MOST_CHARACTERS = 120


class Leaves:
    """The Python files that were read, by path, and what stopped the others."""

    def __init__(self, sources: Sources, cache: Cache) -> None:
        self._sources = sources
        self._cache = cache
        self.by_path: dict[str, Leaf] = {}
        self.unparsed: list[Finding] = []
        self.problems: list[Problem] = []

    def facts(self) -> Iterator[Facts]:
        """The facts of every file that could be read, from the cache where they were not read just now."""
        for path, leaf in self.by_path.items():
            if leaf.head.failed is None:
                facts = leaf.facts if leaf.facts is not None else self._stored(path, leaf.key)
                if facts is not None:
                    yield facts

    def add(self, path: str) -> None:
        """Read one file; what goes wrong is a finding about the file, or a problem if it is our fault."""
        try:
            leaf = self._leaf(path, self._sources.data(path))
        except Unreadable as error:
            leaf = Leaf(Head((error.message, error.line, 1)))
        except Exception as error:
            self.problems.append(Problem(f"internal error while reading: {type(error).__name__}: {error}", path))
            return
        if leaf.head.failed:
            self.unparsed.append(unparsed_file(path, *leaf.head.failed))
        self.by_path[path] = leaf

    def _leaf(self, path: str, data: bytes) -> Leaf:
        key = self._cache.file_key(path, data)
        stored = self._cache.head(path, key)
        if stored is not None:
            try:
                return Leaf(msgspec.msgpack.decode(stored, type=Head), key)
            except (msgspec.DecodeError, UnicodeDecodeError):
                pass  # cut short or foreign: read anew below
        head, facts = read_leaf(path, data)
        if self._cache.in_use and not self._sources.given(path):
            packed = facts.pack() if facts is not None else None
            self._cache.keep(path, key, msgspec.msgpack.encode(head), packed)
        return Leaf(head, key, facts)

    def _stored(self, path: str, key: bytes) -> Facts | None:
        from anchorlint.python.facts import Facts

        try:
            return Facts.unpack(self._cache.facts(path, key) or b"")
        except (ValueError, EOFError, TypeError):
            # The file may have changed since its head was looked up: then it is read as it is now.
            facts: Facts | None = read_leaf(path, self._sources.data(path))[1]
            return facts


class Schedules(msgspec.Struct, frozen=True):
    """The timetable of all manifests, None without any, with the comments and failures of their files."""

    timetable: Any
    comments: dict[str, tuple[Comment, ...]]
    unparsed: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()

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
    leaves = Leaves(sources, cache)
    paths = targets.of_kind("python")
    for number, path in enumerate(paths):
        if progress:
            progress("reading", number, len(paths))
        leaves.add(path)
    return leaves


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

    timetable = read_manifests(texts, runs, as_of, window)
    problems = []
    for problem in timetable.problems:
        if problem.path in spoken:
            unparsed.append(unparsed_file(problem.path, problem.message, problem.line or 1, problem.column or 1))
        else:
            problems.append(problem)
    return Schedules(timetable, spoken, tuple(unparsed), tuple(problems))


def unparsed_file(path: str, why: str, line: int, column: int) -> Finding:
    """The finding that says that a file was not checked; `why` is in the words of whoever tried to read it."""
    said = " ".join(why.split()).rstrip(".")
    message = f"not checked: {said[:1].lower()}{said[1:]}"
    if len(message) > MOST_CHARACTERS:
        message = message[: MOST_CHARACTERS - 1] + "…"
    return Finding(code="ANL003", message=message, span=Span.of(path, line, column, line, column + 1))
