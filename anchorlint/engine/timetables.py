"""Reads the timetable of a request, as a run does, without checking anything."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from anchorlint.engine.cache import Cache, cache_folder
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.discover import tidy
from anchorlint.engine.history import recorded_runs
from anchorlint.engine.leaves import read_leaves
from anchorlint.engine.manifest_reading import Schedules, read_schedules
from anchorlint.engine.python_schedules import written_schedules
from anchorlint.engine.request import Request
from anchorlint.engine.sources import Sources
from anchorlint.engine.targets import find_targets
from anchorlint.knowledge.cards import cards


def schedules_of(request: Request) -> tuple[Schedules, frozenset[str]]:
    """Every schedule that is found for a request, with what could not be read, and the paths that it asks about."""
    configurations = Configurations(request, cards())
    sources = Sources({tidy(path): text for path, text in request.texts.items()})
    targets = find_targets(request, configurations)
    cache = Cache(cache_folder(request))
    leaves = read_leaves(request, targets, sources, cache)
    tests = frozenset(path for path, leaf in leaves.by_path.items() if leaf.head.is_test)
    written = written_schedules(leaves, sources, tests, cache)
    cache.close()
    history = recorded_runs(request, targets, configurations, sources, written.paths)
    window = configurations.of(".").settings.runs_window
    as_of = request.as_of or datetime.now(UTC)
    found = read_schedules(targets, history.files, sources, as_of, window, written)
    stated = configurations.problems((*request.paths, *targets.reported))
    problems = (*stated, *targets.problems, *history.problems, *found.problems)
    return msgspec.structs.replace(found, problems=problems), frozenset(targets.reported)
