"""Which files a run reports on, and which more it reads so that modules and schedules can be linked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import PYTHON, Kind, Walk, kind_of, project_root, tidy
from anchorlint.engine.ignored import GitIgnores, left_out_by_name
from anchorlint.engine.request import Request


class Targets(msgspec.Struct, frozen=True):
    """`kinds` has every file that is read; `reported` are the paths among them whose findings are wanted."""

    reported: tuple[str, ...]
    kinds: dict[str, Kind]
    problems: tuple[Problem, ...]
    remarks: tuple[str, ...]

    def of_kind(self, kind: Kind) -> list[str]:
        """The paths of one kind, in order."""
        return [path for path, each in self.kinds.items() if each == kind]


def find_targets(request: Request, configurations: Configurations) -> Targets:
    """The files of a request; what cannot be found or read becomes a problem, never silence."""
    search = _Search(configurations)
    for path in request.paths:
        search.add(tidy(path), is_text=path in request.texts)
    reported = tuple(sorted(search.kinds))
    search.link(reported)
    kinds = {path: search.kinds[path] for path in sorted(search.kinds)}
    return Targets(reported, kinds, tuple(dict.fromkeys(search.problems)), tuple(dict.fromkeys(search.remarks)))


class _Search:
    def __init__(self, configurations: Configurations) -> None:
        self._configurations = configurations
        self._walked: set[str] = set()
        self.kinds: dict[str, Kind] = {}
        self.problems: list[Problem] = []
        self.remarks: list[str] = []

    def add(self, path: str, is_text: bool) -> None:
        if is_text:
            self.kinds[path] = kind_of(path) or "python"
        elif os.path.isdir(path):
            self._walk(path)
        elif os.path.exists(path):
            self._add_file(path)
        else:
            self.problems.append(Problem("no such file or folder", path))

    def link(self, reported: Iterable[str]) -> None:
        roots = {folder: self._root(folder) for folder in {os.path.dirname(path) or "." for path in reported}}
        for root in sorted({root for root in roots.values() if root}):
            if not any(_within(root, walked) for walked in self._walked):
                self._walk(root)
        for folder in sorted(folder for folder, root in roots.items() if root is None):
            for file in _neighbours(folder):
                self._keep(file)

    def _root(self, folder: str) -> str | None:
        found = project_root(folder, self._configurations.is_configured)
        return tidy(found) if found else None

    def _walk(self, folder: str) -> None:
        self._walked.add(folder)
        start = os.path.abspath(folder) if folder.startswith("..") else folder
        walk = Walk(self._configurations.excludes, self._configurations.respects_git, start)
        if self._configurations.forces_exclude(folder) and self._is_left_out(folder, True):
            self.remarks.append(f"{folder}: excluded")
            return
        for file in walk.files(start):
            self._keep(tidy(file) if start is not folder else file)
        self.problems += walk.problems
        self.remarks += walk.remarks

    def _keep(self, path: str) -> None:
        if path not in self.kinds and (kind := kind_of(path)):
            self.kinds[path] = kind

    def _add_file(self, path: str) -> None:
        if self._configurations.forces_exclude(path) and self._is_left_out(path, False):
            self.remarks.append(f"{path}: excluded")
            return
        kind = kind_of(path) or ("python" if _is_python_script(path) else None)
        if kind:
            self.kinds[path] = kind
        else:
            self.remarks.append(f"{path}: neither Python nor a schedule manifest, not checked")

    def _is_left_out(self, path: str, is_folder: bool) -> bool:
        ignores = GitIgnores()
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            upper, folder = "/".join(parts[:end]), is_folder or end < len(parts)
            if left_out_by_name(parts[end - 1], folder) or self._configurations.excludes(upper, folder):
                return True
        return self._configurations.respects_git(path) and ignores.ignores(path, is_folder)


def _within(path: str, folder: str) -> bool:
    top = os.path.abspath(folder)
    return os.path.commonpath([os.path.abspath(path), top]) == top


def _neighbours(folder: str) -> Iterator[str]:
    """Without a project root: the modules beside a file and the rest of its package, never a whole home folder."""
    top = folder
    while os.path.exists(f"{top}/__init__.py"):
        top = os.path.normpath(f"{top}/..")
    if top != folder:
        package = folder if top == "." else folder[len(top) + 1 :]
        first = package.split("/")[0]
        yield from Walk(lambda *_: False, lambda _: False, top).files(first if top == "." else f"{top}/{first}")
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if name.endswith(PYTHON):
            yield tidy(f"{folder}/{name}")


def _is_python_script(path: str) -> bool:
    if os.path.splitext(path)[1] or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            first = file.readline(200)
    except OSError:
        return True
    return first.startswith(b"#!") and b"python" in first
