"""Writes recorded runs of any origin in the native form, so that reading them again gives the same runs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history.native import COLUMNS, RARE_COLUMNS

_STATUS = {Ending.COMPLETED: "completed", Ending.FAILED: "failed", Ending.CUT: "cancelled"}
_Start = tuple[str, datetime | None]
_NEVER = datetime.min.replace(tzinfo=UTC)


def merged(files: Iterable[Iterable[Run]]) -> tuple[Run, ...]:
    """The runs of several files in the order of their starts; one that stands in two files counts once.

    A run that one file still shows going on gives way to the record of its end in another.
    """
    counted = [Counter(runs) for runs in files]
    ended = [{_start(run) for run in runs if run.duration_s is not None} for runs in counted]
    anywhere = set[_Start]().union(*ended)
    found: Counter[Run] = Counter()
    for runs, own in zip(counted, ended, strict=True):
        settled = anywhere - own
        found |= Counter(
            {run: n for run, n in runs.items() if run.duration_s is not None or _start(run) not in settled}
        )
    return tuple(sorted(found.elements(), key=_order))


def json_lines(runs: Iterable[Run]) -> str:
    """One JSON object a line; the rare columns stand only where they say something."""
    return "".join(f"{json.dumps(_row(run))}\n" for run in runs)


def comma_separated(runs: Sequence[Run]) -> str:
    """CSV with a header; the rare columns are there only if some run needs them."""
    rows = [_row(run) for run in runs]
    columns = (*COLUMNS, *(name for name in RARE_COLUMNS if any(name in row for row in rows)))
    text = io.StringIO(newline="")
    # Left to itself, the writer quotes no carriage return, at which a reader would end the row.
    if any("\r" in run.schedule for run in runs):
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    else:
        writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue()


def _row(run: Run) -> dict[str, Any]:
    stamps = (run.scheduled_for, run.started_at, run.finished_at)
    cells = (run.schedule, *(_instant(stamp) for stamp in stamps), _status(run))
    return {**dict(zip(COLUMNS, cells, strict=True)), **dict(_rare(run))}


def _rare(run: Run) -> Iterator[tuple[str, bool]]:
    if run.perhaps_waited:
        yield RARE_COLUMNS[0], True
    if not run.by_clock:
        yield RARE_COLUMNS[1], False


def _status(run: Run) -> str:
    running = run.started_at is not None and run.finished_at is None
    return _STATUS.get(run.ending) or ("running" if running else "skipped")


def _instant(stamp: datetime | None) -> str | None:
    return stamp.isoformat().replace("+00:00", "Z") if stamp is not None else None


def _cell(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else value or ""


def _start(run: Run) -> _Start:
    return run.schedule, run.started_at


def _order(run: Run) -> tuple[datetime, str]:
    return run.started_at or run.scheduled_for or _NEVER, run.schedule
