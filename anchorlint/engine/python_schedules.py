"""Finds the schedules that are written in Python, unless the very same files were looked at before."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.engine.cache import Cache
from anchorlint.engine.sources import Sources
from anchorlint.python.schedules import Found, Hint, asked_for, closure, read_schedules

if TYPE_CHECKING:
    from anchorlint.engine.leaves import Leaves
    from anchorlint.manifests.dialects import Reading


class Written(msgspec.Struct, frozen=True):
    """The schedules in Python files, and what went wrong on our side."""

    found: Found = Found()
    problems: tuple[Problem, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that hold the schedules, each once."""
        return tuple(dict.fromkeys(schedule.span.path for schedule in self.found.schedules))


def written_schedules(leaves: Leaves, sources: Sources, silent: Collection[str], cache: Cache) -> Written:
    """The schedules of every file whose bytes can hold one, but of no `silent` one; remembered for equal files."""
    hints = {path: Hint(leaf.head.hint) for path, leaf in leaves.by_path.items() if path not in silent}
    asked = asked_for(hints)
    if not asked:
        return Written()
    everything = sorted(leaves.by_path)
    key = cache.key(b"schedules", *(path.encode("utf-8", "surrogateescape") for path in asked), *_keys(leaves))
    if (known := _remembered(key, cache)) is not None:
        return Written(known)
    try:
        found = read_schedules(closure(leaves.facts_of, asked, everything), asked, sources.text)
    except Exception as error:  # a fault of ours, which is not to hide what is found elsewhere
        why = f"internal error while reading schedules in Python: {type(error).__name__}: {error}"
        return Written(problems=(Problem(why),))
    if not leaves.problems:
        _keep(key, found, cache)
    return Written(found)


def as_reading(found: Found) -> Reading:
    """The same as what a reader of manifests gives."""
    from anchorlint.manifests.dialects import Reading, Skipped

    skipped = tuple(Skipped(*each) for each in found.skipped)
    return Reading(found.schedules, found.flaws, skipped, names=found.names)


def _keys(leaves: Leaves) -> list[bytes]:
    return [leaf.key for leaf in leaves.by_path.values()]


def _remembered(key: bytes, cache: Cache) -> Found | None:
    stored = cache.findings(key)
    if stored is None:
        return None
    try:
        return msgspec.msgpack.decode(stored, type=Found)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None  # cut short or foreign


def _keep(key: bytes, found: Found, cache: Cache) -> None:
    try:
        cache.keep_findings(key, msgspec.msgpack.encode(found))
    except UnicodeEncodeError:  # a path that is no text
        return
