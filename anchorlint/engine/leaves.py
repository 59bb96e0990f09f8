"""Reads every Python file of a run, from the cache or in as many processes as are worth it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from anchorlint.domain.finding import Finding, Problem
from anchorlint.engine.cache import Cache
from anchorlint.engine.leaf import Head, Leaf, Packed, read_leaf
from anchorlint.engine.manifest_reading import unparsed_file
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.engine.targets import Targets
from anchorlint.engine.workers import Workers, default_jobs

if TYPE_CHECKING:
    from anchorlint.python.facts import Facts


class Leaves:
    """The Python files that were read, by path in order, and what stopped the others."""

    def __init__(self, sources: Sources, cache: Cache, workers: Workers) -> None:
        self._sources = sources
        self._cache = cache
        self._workers = workers
        self._keys: dict[str, bytes] = {}
        self.by_path: dict[str, Leaf] = {}
        self.problems: list[Problem] = []

    @property
    def unparsed(self) -> Iterator[Finding]:
        """The findings about files that could not be read."""
        for path, leaf in self.by_path.items():
            if leaf.head.failed:
                yield unparsed_file(path, *leaf.head.failed)

    def facts(self) -> Iterator[Facts]:
        """The facts of every file that could be read, from the cache where they were not read just now."""
        for path in self.by_path:
            facts = self.facts_of(path)
            if facts is not None:
                yield facts

    def facts_of(self, path: str) -> Facts | None:
        """The facts of one file, None if it could not be read; unpacked once."""
        leaf = self.by_path.get(path)
        if leaf is None or leaf.head.failed is not None:
            return None
        if leaf.facts is None:
            leaf = self.by_path[path] = Leaf(leaf.head, leaf.key, self._unpacked(path, leaf))
        facts: Facts | None = leaf.facts
        return facts

    def add(self, path: str) -> None:
        """Read one file, or leave it to the workers until `finish`."""
        try:
            data = self._sources.data(path)
        except Unreadable as error:
            self.by_path[path] = Leaf(Head((error.message, error.line, 1)))
            return
        key = self._keys[path] = self._cache.file_key(path, data)
        if known := self._known(path, key):
            self.by_path[path] = known
        elif not self._workers.alone:
            self._workers.add(path, data)
        else:
            self._read_here(path, key, data)

    def finish(self, paths: list[str]) -> None:
        """Take in what the workers have read."""
        for batch, packed in self._workers.results():
            for (path, _), one in zip(batch, packed, strict=True):
                self._take(path, one)
        self.by_path = {path: self.by_path[path] for path in paths if path in self.by_path}
        self.problems.sort()

    def close(self) -> None:
        """End what was started to read files."""
        self._workers.close()

    def _known(self, path: str, key: bytes) -> Leaf | None:
        stored = self._cache.head(path, key)
        if stored is None:
            return None
        try:
            return Leaf(msgspec.msgpack.decode(stored, type=Head), key)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None  # cut short or foreign

    def _read_here(self, path: str, key: bytes, data: bytes) -> None:
        try:
            head, facts = read_leaf(path, data)
        except Exception as error:
            self._blame(path, f"{type(error).__name__}: {error}")
            return
        self.by_path[path] = Leaf(head, key, facts)
        if self._cache.in_use:
            self._keep(path, msgspec.msgpack.encode(head), facts.pack() if facts is not None else None)

    def _take(self, path: str, one: Packed) -> None:
        head, facts, fault = one
        if fault is not None:
            self._blame(path, fault)
            return
        self.by_path[path] = Leaf(msgspec.msgpack.decode(head, type=Head), self._keys[path], packed=facts)
        self._keep(path, head, facts)

    def _keep(self, path: str, head: bytes, facts: bytes | None) -> None:
        if self._cache.in_use and not self._sources.given(path):
            self._cache.keep(path, self._keys[path], head, facts)

    def _blame(self, path: str, fault: str) -> None:
        self.problems.append(Problem(f"internal error while reading: {fault}", path))

    def _unpacked(self, path: str, leaf: Leaf) -> Facts | None:
        from anchorlint.python.facts import Facts

        packed = leaf.packed if leaf.packed is not None else self._cache.facts(path, leaf.key)
        try:
            return Facts.unpack(packed or b"")
        except (ValueError, EOFError, TypeError):
            return self._read_again(path)

    def _read_again(self, path: str) -> Facts | None:
        try:
            facts: Facts | None = read_leaf(path, self._sources.data(path))[1]
        except Unreadable:  # gone since its head was looked up
            return None
        return facts


def read_leaves(request: Request, targets: Targets, sources: Sources, cache: Cache) -> Leaves:
    """Read every Python file of a run, from the cache where its content is known."""
    leaves = Leaves(sources, cache, Workers(request.jobs or default_jobs(), request.executor))
    paths = targets.of_kind("python")
    try:
        for number, path in enumerate(paths):
            if request.progress:
                request.progress("reading", number, len(paths))
            leaves.add(path)
        leaves.finish(paths)
    finally:
        leaves.close()
    return leaves
