"""The recorded runs of schedules as a table for people and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from anchorlint.domain.duration import spoken
from anchorlint.domain.schedule import Schedule
from anchorlint.manifests.figures import Figures, Spread, figures
from anchorlint.manifests.history.origins import advice, export_command
from anchorlint.manifests.record import FEWEST
from anchorlint.manifests.timetable import Timetable
from anchorlint.report.visible import visible

_HEADER = ("schedule", "runs", "p50", "p95", "max", "cut", "late p50", "late p95", "late max", "where")
_LEFT = {0, len(_HEADER) - 1}  # columns of words, which start at the left


class Row(msgspec.Struct, frozen=True):
    """One schedule; lengths and lateness are those of the last `window` runs that have one, null without any."""

    schedule_id: str
    path: str
    line: int
    format: str
    enabled: bool
    runs: int
    cut: int
    length: Spread | None
    lateness: Spread | None
    export: str | None


class Document(msgspec.Struct, frozen=True):
    """What `runs show --output-format json` prints; `window` is how many of the last runs count."""

    version: Literal[1]
    window: int
    schedules: tuple[Row, ...]


def as_json(timetable: Timetable, paths: Collection[str]) -> str:
    """The numbers of every schedule in these files, in seconds."""
    rows = tuple(_row(schedule, figures(timetable, schedule)) for schedule in _asked(timetable, paths))
    encoded = msgspec.json.encode(Document(1, timetable.window, rows))
    return msgspec.json.format(encoded, indent=1).decode() + "\n"


def as_text(timetable: Timetable, paths: Collection[str]) -> str:
    """A table of the schedules that have runs, then what to do about each of the others."""
    return "".join(f"{visible(line)}\n" for line in _lines(timetable, _asked(timetable, paths)))


def _asked(timetable: Timetable, paths: Collection[str]) -> list[Schedule]:
    return [schedule for schedule in timetable.schedules if schedule.span.path in paths]


def _row(schedule: Schedule, found: Figures) -> Row:
    start = schedule.span.start
    return Row(
        schedule.id,
        schedule.span.path,
        start.line,
        schedule.format,
        schedule.enabled,
        found.recorded,
        found.cut,
        found.lengths,
        found.lateness,
        export_command(schedule),
    )


def _lines(timetable: Timetable, schedules: Sequence[Schedule]) -> Iterator[str]:
    known = [(schedule, figures(timetable, schedule)) for schedule in schedules if timetable.runs(schedule)]
    if known:
        yield from _table([_HEADER, *(_cells(schedule, found) for schedule, found in known)])
        yield ""
        yield f"lengths are those of the last {timetable.window} runs that have one; a cut run took at least as long"
        few = [schedule.name for schedule, found in known if not found.lengths or found.lengths.count < FEWEST]
        if few:
            yield f"too few runs to report anything ({FEWEST} with a length are needed): {', '.join(few)}"
    without = [schedule for schedule in schedules if schedule.enabled and not timetable.runs(schedule)]
    if known and without:
        yield ""
    for one in without:
        yield f"{_place(one)}: no recorded runs of {one.name}: {advice(one)}"
    if not known and not without:
        yield "every schedule there is disabled, and none has recorded runs"


def _cells(schedule: Schedule, found: Figures) -> tuple[str, ...]:
    name = schedule.name if schedule.enabled else f"{schedule.name} (disabled)"
    lengths, late = _said(found.lengths), _said(found.lateness)
    return (name, str(found.recorded), *lengths, str(found.cut), *late, _place(schedule))


def _said(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return "-", "-", "-"
    return spoken(spread.p50_s), spoken(spread.p95_s), spoken(spread.max_s)


def _place(schedule: Schedule) -> str:
    return f"{schedule.span.path}:{schedule.span.start.line}"


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    for row in rows:
        cells = (
            cell.ljust(width) if column in _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
