"""Links a project as a run does and says what is seen in one file of it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from anchorlint.engine.cache import Cache, cache_folder
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import kind_of, tidy
from anchorlint.engine.history import recorded_runs
from anchorlint.engine.leaves import read_leaves
from anchorlint.engine.linking import Linkage, link
from anchorlint.engine.manifest_reading import read_schedules
from anchorlint.engine.python_schedules import written_schedules
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources
from anchorlint.engine.targets import find_targets
from anchorlint.knowledge.cards import cards


class NotExplained(Exception):
    """A place of which nothing can be said; the text says why."""


def explanation(path: str, line: int | None) -> str:
    """What is seen in a Python file, or at one line (from 1) of it; raises NotExplained."""
    path = tidy(path)
    if not os.path.isfile(path):
        raise NotExplained(f"{path}: no such file")
    if kind_of(path) == "manifest":
        raise NotExplained(f"{path}: a schedule manifest; explain speaks of Python")
    request = Request(paths=(path,))
    configurations = Configurations(request, cards())
    sources = Sources({})
    targets = find_targets(request, configurations)
    if targets.kinds.get(path) != "python":
        raise NotExplained(f"{path}: no Python")
    cache = Cache(cache_folder(request))
    leaves = read_leaves(request, targets, sources, cache)
    if (leaf := leaves.by_path.get(path)) and leaf.head.failed:
        why, row, column = leaf.head.failed
        raise NotExplained(f"{path}:{row}:{column}: {why}")
    if line is not None and not 1 <= line <= len(sources.lines(path)):
        raise NotExplained(f"{path} has no line {line}")
    tests = frozenset(path for path, leaf in leaves.by_path.items() if leaf.head.is_test)
    written = written_schedules(leaves, sources, tests, cache)
    history = recorded_runs(request, targets, configurations, sources, written.paths)
    schedules = read_schedules(targets, history.files, sources, datetime.now(UTC), 30, written)
    linkage = Linkage([path], schedules.periods_s, configurations.knowledge([path]), include_tests=True)
    from anchorlint.python.explain import explain

    told = str(explain(link(leaves, linkage), path, line))
    cache.close()
    return told
