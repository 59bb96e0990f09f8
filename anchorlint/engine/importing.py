"""Reads exports of recorded runs, whatever tool printed them, and says in which files there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Run
from anchorlint.engine.sources import Sources, Unreadable
from anchorlint.manifests.history import Records


class Imported(msgspec.Struct, frozen=True):
    """The runs of all files, each once, in the order of their starts; `lost` are the places that gave none."""

    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]
    lost: tuple[str, ...]


def imported(
    paths: Iterable[str],
    texts: Mapping[str, str | bytes],
    databases: Iterable[str] = (),
    since: datetime | None = None,
) -> Imported:
    """The recorded runs of these files and of the PostgreSQL databases at these URLs.

    `texts` are those that are no files, by their path. Runs that began before `since` are left out.
    """
    from anchorlint.manifests.history.writing import merged

    sources = Sources(texts)
    found = [_of_file(path, sources) for path in dict.fromkeys(paths)]
    found += [_of_database(url, since) for url in dict.fromkeys(databases)]
    problems: list[Problem] = []
    kept, lost = [], []
    for place, records in found:
        runs, trouble = _possible(records, place)
        problems += trouble
        kept.append([run for run in runs if since is None or _is_since(run, since)])
        if not kept[-1]:
            lost.append(place)
    return Imported(merged(kept), tuple(problems), tuple(lost))


def _is_since(run: Run, since: datetime) -> bool:
    began = run.started_at or run.scheduled_for
    return began is not None and began >= since


def _possible(records: Records, place: str) -> tuple[list[Run], tuple[Problem, ...]]:
    possible = [run for run in records.runs if (run.duration_s or 0) >= 0]
    backwards = len(records.runs) - len(possible)
    if not backwards:
        return possible, records.problems
    why = f"{backwards} of {len(records.runs)} runs end before they start and are left out"
    return possible, (*records.problems, Problem(why, place))


def _of_file(path: str, sources: Sources) -> tuple[str, Records]:
    from anchorlint.manifests.history import databases, read_runs
    from anchorlint.manifests.history.tables import NoRuns

    try:
        if databases.is_database(path) and not sources.given(path):
            return path, databases.read(path)
        return path, read_runs(sources.text(path), path)
    except Unreadable as error:
        return path, Records(problems=(Problem(error.message, path, error.line),))
    except NoRuns as error:
        return path, Records(problems=(Problem(str(error), path),))


def _of_database(url: str, since: datetime | None) -> tuple[str, Records]:
    from anchorlint.manifests.history import postgresql
    from anchorlint.manifests.history.tables import NoRuns

    shown = "--from"
    try:
        place = postgresql.address(url)
        shown = place.shown
        return shown, postgresql.read(place, since)
    except NoRuns as error:
        return shown, Records(problems=(Problem(str(error), shown),))
