"""Modules: which file of the project an import means."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cached_property

from anchorlint.python.facts import Facts
from anchorlint.python.refs import Ref

LEAST_NAMES = 2  #: names that a module imported under another path must define to be known by them


class Modules:
    """The files of one project by their names."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        self.modules = sorted(facts, key=lambda f: f.path)
        self._packages = {f.path.rpartition("/")[0] for f in self.modules if f.path.endswith("__init__.py")}
        self.dotted = [self._dotted(f.path) for f in self.modules]
        self._by_name: dict[str, int] = {}
        self._by_last: dict[str, list[int]] = {}
        for number, name in enumerate(self.dotted):
            self._by_name.setdefault(name, number)
            self._by_last.setdefault(name.rpartition(".")[2], []).append(number)
        self._names: dict[tuple[int, str], Ref] = {}
        self._resolving = 0  #: names that are being resolved, each for the one before
        self._imported: dict[tuple[int, str, str, int], Ref] = {}
        self._imports: dict[tuple[str, int], int | None] = {}
        self._taken: dict[int, dict[str, set[str]]] = {}
        self._likenesses: dict[tuple[str, str], Ref | None] = {}
        self._orders: dict[Ref, tuple[Ref, ...]] = {}
        self._methods: dict[Ref, dict[str, Ref]] = {}

    def _dotted(self, path: str) -> str:
        folder, _, file = path.rpartition("/")
        parts = [] if file == "__init__.py" else [file.removesuffix(".pyi").removesuffix(".py")]
        while folder in self._packages:
            folder, _, last = folder.rpartition("/")
            parts.insert(0, last)
        return ".".join(parts)

    # modules

    def module(self, dotted: str, importer: int) -> int | None:
        """The number of the project's module that an absolute import means, None for one from outside."""
        key = (dotted, importer)
        if key not in self._imports:
            self._imports[key] = self._module(dotted, importer)
        return self._imports[key]

    def _module(self, dotted: str, importer: int) -> int | None:
        top = dotted.partition(".")[0]
        if top in sys.stdlib_module_names:
            return None
        same_root = self._beside(dotted, importer)
        if same_root is not None:
            return same_root
        found = self._by_name.get(dotted)
        if found is None:
            found = self._by_suffix(dotted)
        return found if found is not None else self._neighbour(dotted, importer)

    def _neighbour(self, dotted: str, importer: int) -> int | None:
        """The one neighbour that defines all of several names imported from a module that is not there by that name."""
        names = self._imported_names(importer).get(dotted, set())
        if len(names) < LEAST_NAMES:
            return None
        folder = self.modules[importer].path.rpartition("/")[0]
        found = [n for n in self._folders.get(folder, ()) if n != importer and self._defines(n, names)]
        return found[0] if len(found) == 1 else None

    def _imported_names(self, importer: int) -> dict[str, set[str]]:
        """Each module that a file imports from by an absolute name, with the names that it takes."""
        found = self._taken.get(importer)
        if found is None:
            found = self._taken[importer] = {}
            for term in self.modules[importer].terms:
                if term[0] == "import" and term[2] and not term[3]:
                    found.setdefault(term[1], set()).add(term[2])
        return found

    @cached_property
    def _folders(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, facts in enumerate(self.modules):
            found.setdefault(facts.path.rpartition("/")[0], []).append(number)
        return found

    def _defines(self, module: int, names: set[str]) -> bool:
        facts = self.modules[module]
        return all(n in facts.globals and facts.terms[facts.globals[n]][0] != "import" for n in names)

    def _beside(self, dotted: str, importer: int) -> int | None:
        folder = self.modules[importer].path.rpartition("/")[0]
        tail = dotted.replace(".", "/")
        for last in (f"{tail}.py", f"{tail}/__init__.py"):
            number = self._by_path.get(f"{folder}/{last}" if folder else last)
            if number is not None and folder not in self._packages:
                return number
        return None

    @cached_property
    def _by_path(self) -> dict[str, int]:
        return {f.path: number for number, f in enumerate(self.modules)}

    def _by_suffix(self, dotted: str) -> int | None:
        tail = dotted.replace(".", "/")
        for number in self._by_last.get(dotted.rpartition(".")[2], ()):
            path = f"/{self.modules[number].path}"
            if path.endswith((f"/{tail}.py", f"/{tail}/__init__.py")) and "." in dotted:
                return number
        return None

    def _relative(self, importer: int, name: str, level: int) -> int | None:
        parts = self.modules[importer].path.split("/")[:-1]
        parts = parts[: len(parts) - (level - 1)] if level > 1 else parts
        tail = "/".join([*parts, *(name.split(".") if name else [])])
        for path in (f"{tail}.py", f"{tail}/__init__.py" if tail else "__init__.py"):
            if path in self._by_path:
                return self._by_path[path]
        return None
