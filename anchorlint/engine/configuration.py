"""Finds the configuration that holds for each file."""

from __future__ import annotations

import os
from functools import lru_cache

import msgspec

from anchorlint.engine.ignored import Patterns
from anchorlint.engine.request import Request
from anchorlint.engine.settings import Settings, overridden


class Configured(msgspec.Struct, frozen=True):
    """Settings and the folder that their patterns are relative to; `path` is None where nothing was configured."""

    settings: Settings
    folder: str
    path: str | None = None


class Configurations:
    """The settings of each folder: the nearest configuration above it with what the command line says on top."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.of = lru_cache(maxsize=None)(self._of)
        self._patterns = lru_cache(maxsize=None)(Patterns)

    def _of(self, folder: str) -> Configured:
        return Configured(overridden(Settings(), self._request.said), ".")

    def of_file(self, path: str) -> Configured:
        """The settings in force for one file."""
        return self.of(os.path.dirname(path) or ".")

    def is_configured(self, folder: str) -> bool:
        """Whether `folder` holds a configuration of its own."""
        return False

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
