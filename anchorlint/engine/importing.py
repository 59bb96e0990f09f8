"""Reads exports of recorded runs, whatever tool printed them, and says in which files there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Run
from anchorlint.engine.sources import Sources, Unreadable


class Imported(msgspec.Struct, frozen=True):
    """The runs of all files, each once, in the order of their starts; `lost` are the files that gave none."""

    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]
    lost: tuple[str, ...]


def imported(paths: Iterable[str], texts: Mapping[str, str | bytes]) -> Imported:
    """The recorded runs of these files; `texts` are those that are no files, by their path."""
    from anchorlint.manifests.history.writing import merged

    sources = Sources(texts)
    files: list[list[Run]] = []
    problems: list[Problem] = []
    lost = []
    for path in dict.fromkeys(paths):
        found, trouble = _read(path, sources)
        files.append(found)
        problems += trouble
        if not found:
            lost.append(path)
    return Imported(merged(files), tuple(problems), tuple(lost))


def _read(path: str, sources: Sources) -> tuple[list[Run], tuple[Problem, ...]]:
    from anchorlint.manifests.history import read_runs

    try:
        records = read_runs(_text(path, sources), path)
    except Unreadable as error:
        return [], (Problem(error.message, path, error.line),)
    possible = [run for run in records.runs if (run.duration_s or 0) >= 0]
    backwards = len(records.runs) - len(possible)
    if backwards:
        why = f"{backwards} of {len(records.runs)} runs end before they start and are left out"
        return possible, (*records.problems, Problem(why, path))
    return possible, records.problems


def _text(path: str, sources: Sources) -> str:
    """The text of an export, that of a database in the native form; raises Unreadable."""
    from anchorlint.manifests.history.databases import NoRuns, exported, is_database

    if sources.given(path) or not is_database(path):
        return sources.text(path)
    try:
        return exported(path)
    except NoRuns as error:
        raise Unreadable(str(error)) from None
