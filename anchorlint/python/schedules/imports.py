"""Which modules of a project a file imports, through any number of others."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from anchorlint.python.facts import Facts

MOST_MODULES = 2000  #: what is further away hardly holds a constant that a schedule uses


def closure(facts_of: Callable[[str], Facts | None], paths: Iterable[str], everything: Iterable[str]) -> list[Facts]:
    """The facts of `paths`, of what they import and of the packages around these, as far as `everything` has them."""
    names = _Names(everything)
    pending = deque(paths)
    found: dict[str, Facts | None] = {}
    while pending and len(found) < MOST_MODULES:
        path = pending.popleft()
        if path in found:
            continue
        facts = found[path] = facts_of(path)
        pending += names.packages(path)
        if facts is not None:
            pending += [other for other in names.imported(facts) if other not in found]
    return [facts for facts in found.values() if facts is not None]


class _Names:
    """The modules of a project by the last step of their dotted names."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = set(paths)
        self._by_last: dict[str, list[str]] = {}
        for path in self._paths:
            self._by_last.setdefault(_module(path).rpartition("/")[2], []).append(path)
        self._meant: dict[str, tuple[str, ...]] = {}

    def packages(self, path: str) -> Iterator[str]:
        """The packages around a module."""
        folder = posixpath.dirname(path)
        while (package := posixpath.join(folder, "__init__.py")) in self._paths and folder:
            yield package
            folder = posixpath.dirname(folder)

    def imported(self, facts: Facts) -> Iterator[str]:
        """Every file that an import of a module can mean, the names that it takes from packages included."""
        wanted: dict[tuple[str, int], None] = {}
        for term in facts.terms:
            if term[0] == "import":
                wanted[term[1], term[3]] = None
                wanted[f"{term[1]}.{term[2]}" if term[1] else term[2], term[3]] = None
        wanted.update(dict.fromkeys(facts.stars))
        for dotted, level in wanted:
            tail = dotted.strip(".").replace(".", "/")
            if level:
                yield from self._beside(facts.path, tail, level)
            elif tail:
                if tail not in self._meant:
                    self._meant[tail] = tuple(self._ending(tail))
                yield from self._meant[tail]

    def _beside(self, path: str, tail: str, level: int) -> Iterator[str]:
        folder = posixpath.dirname(path)
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        base = posixpath.join(folder, tail) if tail else folder
        for found in (f"{base}.py", posixpath.join(base, "__init__.py")):
            if found in self._paths:
                yield found

    def _ending(self, tail: str) -> Iterator[str]:
        for path in sorted(self._by_last.get(tail.rpartition("/")[2], ())):
            if f"/{_module(path)}".endswith(f"/{tail}"):
                yield path


def _module(path: str) -> str:
    """The path of a module without its ending, that of a package for its `__init__.py`."""
    return path.removesuffix(".py").removesuffix(".pyi").removesuffix("/__init__")
