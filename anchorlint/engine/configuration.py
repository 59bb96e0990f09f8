"""Finds the configuration that holds for each file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.engine.discover import folder_of, tidy
from anchorlint.engine.ignored import Patterns
from anchorlint.engine.own_models import Knowledge, joined
from anchorlint.engine.request import Request
from anchorlint.engine.select import expand, selected_codes
from anchorlint.engine.settings import Settings, overridden
from anchorlint.engine.tables import Table, read_file, read_text
from anchorlint.knowledge.cards import Card

NAMES = ("anchorlint.toml", "pyproject.toml")


class Configured(msgspec.Struct, frozen=True, eq=False):
    """Settings and the folder that their patterns and paths are relative to; `table` is what was read, if anything."""

    settings: Settings
    folder: str
    codes: frozenset[str]
    table: Table | None = None


class Configurations:
    """The settings of each folder: the nearest configuration above it with what the command line says on top.

    What is wrong in one does not stop the others.
    """

    def __init__(self, request: Request, cards: Mapping[str, Card]) -> None:
        self._request = request
        self._cards = cards
        self._own = lru_cache(maxsize=None)(self._read_own)
        self._near = lru_cache(maxsize=None)(self._read_near)
        self._made = lru_cache(maxsize=None)(self._make)
        self._patterns = lru_cache(maxsize=None)(Patterns)
        self.of = lru_cache(maxsize=None)(lambda folder: self._made(self._near(os.path.abspath(folder))))
        self._inline = [read_text(text, cards) for text in request.config if "=" in text]
        files = (read_file(path, cards) for path in request.config if "=" not in path)
        self._named = [table for table in files if table]

    def of_file(self, path: str) -> Configured:
        """The settings in force for one file."""
        return self.of(folder_of(path))

    def problems(self, paths: Iterable[str]) -> tuple[Problem, ...]:
        """What is wrong in the configurations of these files and folders, and in those that were given."""
        folders = (path if os.path.isdir(path) else folder_of(path) for path in (".", *paths))
        near = (configured.table for configured in dict.fromkeys(map(self.of, folders)) if configured.table)
        tables = dict.fromkeys((*self._named, *self._inline, *near))
        return tuple(problem for table in tables for problem in table.problems)

    def is_configured(self, folder: str) -> bool:
        """Whether `folder` holds a configuration of its own."""
        return self._own(folder) is not None

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether the patterns in force leave `path` out."""
        configured = self.of_file(path)
        lines = (*(configured.settings.exclude or ()), *configured.settings.extend_exclude)
        return bool(lines) and bool(self._patterns(configured.folder, lines).verdict(path, is_folder))

    def respects_git(self, path: str) -> bool:
        """Whether .gitignore files count for `path`."""
        return self.of_file(path).settings.respect_gitignore

    def forces_exclude(self, path: str) -> bool:
        """Whether even a path that was named is left out by the patterns."""
        return self.of_file(path).settings.force_exclude

    def codes_for(self, path: str) -> frozenset[str]:
        """The codes of the rules whose findings are wanted in one file."""
        configured = self.of_file(path)
        ignored: set[str] = set()
        for pattern, selectors in configured.settings.per_file_ignores.items():
            if self._patterns(configured.folder, (pattern,)).verdict(path, False):
                ignored.update(*(expand(selector, self._cards) for selector in selectors))
        return configured.codes - {code for code in ignored if self._cards[code].on != "engine"}

    def baseline_path(self) -> str | None:
        """The baseline of the run: as it was said, or relative to the configuration that names it."""
        configured = self.of(".")
        if not configured.settings.baseline:
            return None
        said = self._request.said.baseline is not None or configured.table is None
        return tidy(
            configured.settings.baseline if said else os.path.join(configured.folder, configured.settings.baseline)
        )

    def knowledge(self, paths: Iterable[str]) -> Knowledge:
        """What the configurations of these files say about libraries and words, for a program that is one."""
        tables = [configured.table for configured in dict.fromkeys(map(self.of_file, paths)) if configured.table]
        return joined(table.knowledge for table in (*tables, *self._inline))

    def _read_near(self, folder: str) -> Table | None:
        if self._named or self._request.isolated:
            return self._named[0] if self._named else None
        own = self._own(folder)
        parent = os.path.dirname(folder)
        if own is not None or parent == folder:
            return own
        return self._near(parent)

    def _read_own(self, folder: str) -> Table | None:
        for path in (os.path.join(folder, name) for name in NAMES):
            if os.path.isfile(path) and (table := read_file(path, self._cards)):
                return table
        return None

    def _make(self, table: Table | None) -> Configured:
        values = dict(table.values) if table else {}
        for inline in self._inline:
            values.update(inline.values)
        said = self._request.said
        settings = overridden(Settings(**values), said)
        # Patterns that were said on the command line are meant from where it was typed.
        folder = os.getcwd() if table is None or said.exclude is not None else table.folder
        return Configured(settings, folder, selected_codes(settings, self._cards), table)
