"""Walks folders to the files that a run reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Literal

from anchorlint.domain.finding import Problem
from anchorlint.engine.ignored import GitIgnores, left_out_by_name

Kind = Literal["python", "manifest"]
PYTHON = (".py", ".pyi", ".pyw")


class Walk:
    """One walk; `problems` are the folders that could not be read, `remarks` what was passed over and why."""

    def __init__(self, excluded: Callable[[str, bool], bool], git: Callable[[str], bool], top: str) -> None:
        self._excluded = excluded
        self._git = git
        named_though_ignored = git(top) and GitIgnores().ignores(top, True)
        self._ignores = GitIgnores(top if named_though_ignored else None)
        self.problems: list[Problem] = []
        self.remarks: list[str] = []

    def files(self, folder: str) -> Iterator[str]:
        """The files below `folder` in order of name; links to folders are not followed, so loops cannot occur."""
        # A stack and no recursion: folders can be nested deeper than Python calls.
        stack = [iter(self._entries(folder))]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
            elif found[1]:
                stack.append(iter(self._entries(found[0])))
            else:
                yield found[0]

    def _entries(self, folder: str) -> list[tuple[str, bool]]:
        """What is in one folder and not left out: (path, whether it is a folder)."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self.problems.append(Problem(f"cannot read the folder: {reason}", tidy(folder)))
            return []
        kept = []
        for entry in entries:
            path = entry.name if folder == "." else f"{folder.rstrip('/')}/{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if self.leaves_out(path, entry.name, is_folder):
                continue
            if is_folder and os.path.exists(f"{path}/pyvenv.cfg"):
                self.remarks.append(f"{tidy(path)}: a virtual environment, not read")
            elif is_folder or _is_file(entry):
                kept.append((path, is_folder))
        return kept

    def leaves_out(self, path: str, name: str, is_folder: bool) -> bool:
        """Whether the defaults, the exclude patterns or a .gitignore leave `path` out."""
        if left_out_by_name(name, is_folder) or self._excluded(path, is_folder):
            return True
        return self._git(path) and self._ignores.ignores(path, is_folder)


def _is_file(entry: os.DirEntry[str]) -> bool:
    # A dangling link, a socket or a pipe has no text; opening a pipe would wait for ever.
    try:
        return entry.is_file()
    except OSError:
        return False


def kind_of(path: str) -> Kind | None:
    """How a file is read, by its name: as Python, as a schedule manifest, or not at all."""
    if path.endswith(PYTHON):
        return "python"
    from anchorlint.manifests import recognise

    return "manifest" if recognise(path) else None


def tidy(path: str) -> str:
    """`path` as it is reported: relative to the working directory, with `/`."""
    if os.path.isabs(path):
        here = os.getcwd() + os.sep
        path = path[len(here) :] if path.startswith(here) else os.path.relpath(path)
    return os.path.normpath(path).replace(os.sep, "/")


def folder_of(path: str) -> str:
    """The folder of a path with `/`, `.` for a bare name; asked far too often for os.path.dirname."""
    folder, slash, _ = path.rpartition("/")
    return folder or slash or "."


def project_root(path: str, is_configured: Callable[[str], bool]) -> str | None:
    """The nearest folder at or above `path` that holds `.git` or a configuration, None if there is none."""
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or ".")
    while True:
        if os.path.exists(os.path.join(folder, ".git")) or is_configured(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
