"""anchorlint's own form of recorded runs: CSV, JSON lines or a JSON list with five columns, and two that are rare."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.endings import ending

COLUMNS = ("schedule_id", "scheduled_for", "started_at", "finished_at", "status")
# What only some exports know of a run; a file without them says nothing against it.
RARE_COLUMNS = ("perhaps_waited", "by_clock")
_READ = (*COLUMNS, *RARE_COLUMNS)
_TOLD = 5  # problems of one file that are listed; the rest is counted


_Cells = tuple[Any, ...]  # the values of all these columns


class _Bad(Exception):
    """A record that cannot be read."""


def matches(head: Head) -> bool:
    """Whether the first record names a schedule and its instants as ours do."""
    return head.has("schedule_id", "started_at") or head.has("schedule_id", "status")


def read(text: str, path: str) -> Records:
    """The runs of a native file; a record that cannot be read is a problem with its line and the others count."""
    first = text.lstrip("\ufeff \t\r\n")[:1]
    if first == "[":
        return _collected(_listed(text), path)
    return _collected(_lines(text) if first == "{" else _rows(text), path)


def _collected(records: Iterable[tuple[int, _Cells | None]], path: str) -> Records:
    runs: list[Run] = []
    problems: list[Problem] = []
    count = 0
    for line, cells in records:
        try:
            if cells is None:
                raise _Bad("this recorded run is cut or broken")
            runs.append(_run(*cells))
        except _Bad as error:
            count += 1
            if count <= _TOLD:
                problems.append(Problem(str(error), path, line, 1))
    if count > _TOLD:
        problems.append(Problem(f"{count - _TOLD} more recorded runs cannot be read", path))
    if not runs and not problems:
        problems.append(Problem("the file holds no recorded run", path, 1, 1))
    return Records(tuple(runs), tuple(problems))


def _rows(text: str) -> Iterator[tuple[int, _Cells | None]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    columns = [cell.strip() for cell in next(reader)]
    width = len(columns)
    # A column that is missing is read from an empty cell behind the last one.
    pick = itemgetter(*(columns.index(name) if name in columns else width for name in _READ))
    try:
        for row in reader:
            if row:
                yield reader.line_num, pick([*row, ""]) if len(row) == width else None
    except csv.Error:
        yield reader.line_num, None


def _cells(record: Any) -> _Cells | None:
    return tuple(map(record.get, _READ)) if isinstance(record, dict) else None


def _lines(text: str) -> Iterator[tuple[int, _Cells | None]]:
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            yield number, _cells(record)


def _listed(text: str) -> Iterator[tuple[int, _Cells | None]]:
    decoder = json.JSONDecoder()
    place, line, counted = text.index("[") + 1, 1, 0
    while True:
        while text[place : place + 1] in (" ", "\t", "\r", "\n", ","):
            place += 1
        line += text.count("\n", counted, place)
        counted = place
        if text[place : place + 1] in ("]", ""):
            if place >= len(text):
                yield line, None
            return
        try:
            record, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            yield line, None
            return
        yield line, _cells(record)


def _run(name: Any, planned: Any, started: Any, finished: Any, status: Any, waited: Any, clock: Any) -> Run:
    if not isinstance(name, str) or not name:
        raise _Bad("a recorded run without schedule_id")
    how = ending(status) if isinstance(status, str) else None
    if how is None:
        raise _Bad(f'status "{status}" is none of completed, failed, cancelled, replaced, timed_out, skipped')
    begun = _instant(started, "started_at") if started else None
    ended = _instant(finished, "finished_at") if finished else None
    if begun is None or ended is None:
        how = Ending.NONE
    elif ended < begun and how is not Ending.NONE:
        raise _Bad("finished_at is before started_at")
    due = begun if planned == started else _instant(planned, "scheduled_for") if planned else None
    return Run(
        schedule=name,
        ending=how,
        started_at=begun,
        finished_at=ended,
        scheduled_for=due,
        perhaps_waited=waited is True or waited == "true",
        by_clock=clock is not False and clock != "false",
    )


def _instant(value: Any, key: str) -> datetime:
    """An RFC 3339 text (UTC where it names no offset) or epoch seconds as an aware instant."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise _Bad(f'{key} "{value}" is no instant such as 2026-11-30T16:10:00Z')
