"""Which files a run reports on, and which more it reads so that modules and schedules can be linked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import Kind, Walk, folder_of, kind_of, project_root, tidy
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
    texts = set(map(tidy, request.texts))
    for path in map(tidy, request.paths):
        search.add(path, is_text=path in texts)
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
            self._add_text(path)
        elif os.path.isdir(path):
            self._walk(path, asked=True)
        elif os.path.exists(path):
            self._add_file(path)
        else:
            self.problems.append(Problem("no such file or folder", path))

    def link(self, reported: Iterable[str]) -> None:
        roots = {folder: self._root(folder) for folder in set(map(folder_of, reported))}
        for root in sorted({root for root in roots.values() if root}):
            self._walk_once(root)
        # Without a root: modules and manifests beside a file and the rest of its package, never a whole home folder.
        homeless = sorted(folder for folder, root in roots.items() if root is None)
        for package in sorted({found for folder in homeless if (found := _package(folder))}):
            self._walk_once(package)
        for folder in homeless:
            if not self._is_walked(folder):
                for file in _sources_in(folder):
                    self._keep(file)

    def _walk_once(self, folder: str) -> None:
        if not self._is_walked(folder):
            self._walk(folder, asked=False)

    def _is_walked(self, folder: str) -> bool:
        return any(_within(folder, walked) for walked in self._walked)

    def _root(self, folder: str) -> str | None:
        found = project_root(folder, self._configurations.is_configured)
        return tidy(found) if found else None

    def _walk(self, folder: str, asked: bool) -> None:
        self._walked.add(folder)
        start = os.path.abspath(folder) if folder.startswith("..") else folder
        walk = Walk(self._configurations.excludes, self._configurations.respects_git, start)
        if self._is_forced_out(folder, True):
            return
        for file in walk.files(start):
            self._keep(tidy(file) if start is not folder else file)
        if asked:
            self.problems += walk.problems
        else:  # nobody asked for what is only read to link
            self.remarks += (f"{problem.path}: {problem.message}" for problem in walk.problems)
        self.remarks += walk.remarks

    def _keep(self, path: str) -> None:
        if path not in self.kinds and (kind := kind_of(path)):
            self.kinds[path] = kind

    def _add_text(self, path: str) -> None:
        if not self._is_forced_out(path, False):
            self.kinds[path] = kind_of(path) or "python"

    def _add_file(self, path: str) -> None:
        if self._is_forced_out(path, False):
            return
        kind = kind_of(path) or ("python" if _is_python_script(path) else None)
        if kind:
            self.kinds[path] = kind
        else:
            self.remarks.append(f"{path}: neither Python nor a schedule manifest, not checked")

    def _is_forced_out(self, path: str, is_folder: bool) -> bool:
        out = self._configurations.forces_exclude(path) and self._is_left_out(path, is_folder)
        if out:
            self.remarks.append(f"{path}: excluded")
        return out

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


def _package(folder: str) -> str | None:
    """The outermost package that a folder belongs to, None if it is no package."""
    found = None
    while os.path.exists(f"{folder}/__init__.py"):
        found = folder
        folder = tidy(os.path.dirname(os.path.abspath(folder)))
    return found


def _sources_in(folder: str) -> Iterator[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if kind_of(f"{folder}/{name}"):
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
