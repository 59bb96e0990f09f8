"""Which paths .gitignore files and exclude patterns leave out."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any

DEFAULT_EXCLUDES = frozenset(
    {
        "__pycache__", "__pypackages__", "_build", "buck-out", "dist", "node_modules", "site-packages", "venv",
    }
)  # fmt: skip
HIDDEN_THAT_COUNT = frozenset({".github", ".gitlab"})


class Patterns:
    """Patterns as in .gitignore, taken relative to one folder."""

    def __init__(self, folder: str, lines: tuple[str, ...]) -> None:
        self._folder = os.path.abspath(folder)
        self._lines = lines
        self._spec: Any = None

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True if the patterns leave `path` out, False if they take it back in, None if they say nothing."""
        if not self._lines:
            return None
        absolute = os.path.abspath(path)
        if not absolute.startswith(self._folder.rstrip(os.sep) + os.sep):
            return None
        relative = os.path.relpath(absolute, self._folder).replace(os.sep, "/")
        include: bool | None = self._compiled().check_file(relative + "/" if is_folder else relative).include
        return include

    def _compiled(self) -> Any:
        if self._spec is None:
            from pathspec import GitIgnoreSpec

            # Like git, pass over lines that are no patterns; those of the configuration were told before.
            self._spec = GitIgnoreSpec.from_lines(line for line in self._lines if is_pattern(line))
        return self._spec


@lru_cache(maxsize=1024)
def is_pattern(line: str) -> bool:
    """Whether a line can be understood as a pattern of .gitignore."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


class GitIgnores:
    """The .gitignore files of a tree, each read when a folder below it is first asked about.

    Files above `top` are not looked at, for a folder that was named although git ignores it.
    """

    def __init__(self, top: str | None = None) -> None:
        self._top = os.path.abspath(top) if top else None
        self._above = lru_cache(maxsize=None)(lambda folder: self._chain(os.path.abspath(folder)))
        self._chain = lru_cache(maxsize=None)(self._read_chain)

    def ignores(self, path: str, is_folder: bool) -> bool:
        """Whether git would ignore `path`; the deepest .gitignore that says something decides."""
        folder, slash, _ = path.rpartition("/")
        for patterns in self._above(folder or slash or "."):
            verdict = patterns.verdict(path, is_folder)
            if verdict is not None:
                return verdict
        return False

    def _read_chain(self, folder: str) -> tuple[Patterns, ...]:
        own = _read(folder)
        here = (own,) if own else ()
        parent = os.path.dirname(folder)
        if folder in (parent, self._top) or os.path.exists(os.path.join(folder, ".git")):
            return here
        return (*here, *self._chain(parent))


def _read(folder: str) -> Patterns | None:
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            return Patterns(folder, tuple(file.read().splitlines()))
    except OSError:
        return None


def left_out_by_name(name: str, is_folder: bool) -> bool:
    """Whether a folder is one that never holds a project's own sources; hidden files are looked at."""
    if not is_folder:
        return False
    return name in DEFAULT_EXCLUDES or (name.startswith(".") and name not in HIDDEN_THAT_COUNT | {".", ".."})
