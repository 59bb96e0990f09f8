"""The calls of a program by the last name of what is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anchorlint.python.index import Index
from anchorlint.python.refs import Call


class CallsByName:
    """Each last name of a callee with the calls of it, which are gathered when a name is first asked for."""

    def __init__(self, indexes: Sequence[Index]) -> None:
        self._indexes = indexes
        self._modules: dict[str, list[int]] = {}
        for module, index in enumerate(indexes):
            for name in index.calls:
                self._modules.setdefault(name, []).append(module)
        self._modules.pop("", None)
        self._gathered: dict[str, tuple[Call, ...]] = {}

    def get(self, name: str, default: tuple[Call, ...] = ()) -> tuple[Call, ...]:
        """The calls of this name, in the order of modules and of their places."""
        found = self._gathered.get(name)
        if found is not None:
            return found
        modules = self._modules.get(name)
        if modules is None:
            return default
        calls = [Call(module, *found) for module in modules for found in self._indexes[module].calls[name]]
        return self._gathered.setdefault(name, tuple(calls))

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)
