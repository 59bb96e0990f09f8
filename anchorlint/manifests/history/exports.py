"""What the readers of raw exports share: records out of JSON, instants, and a count of what could not be read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Run
from anchorlint.manifests.history import Records

_JSON_LINE = re.compile(r"^(?:\[\s*(?:\{|\]|$)|\{)", re.MULTILINE)
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError)


def json_start(text: str) -> int | None:
    """Where the JSON of an export begins; some tools print log lines before it."""
    found = _JSON_LINE.search(text.removeprefix("\ufeff"))
    return None if found is None else found.start() + text.startswith("\ufeff")


def document(text: str) -> Any:
    """The first JSON value of an export; raises ValueError."""
    return json.JSONDecoder().raw_decode(text, json_start(text) or 0)[0]


def listed(text: str, *keys: str) -> list[Any]:
    """The records of an export: the list itself, or the one below `keys`; none where the JSON is broken."""
    try:
        found = document(text)
    except (ValueError, RecursionError):
        return []
    for key in keys:
        found = found.get(key, found) if isinstance(found, dict) else found
    return found if isinstance(found, list) else []


def converted(records: Iterable[Any], convert: Callable[[Any], Run | None], path: str) -> Records:
    """The runs that `convert` makes of the records; None leaves one out, and one that cannot be read is counted."""
    runs: list[Run] = []
    broken = total = 0
    for record in records:
        total += 1
        try:
            run = convert(record)
        except _UNREADABLE:
            broken += 1
            continue
        if run is not None:
            runs.append(run)
    problems = []
    if broken:
        problems.append(Problem(f"{broken} of {total} records of this export cannot be read", path))
    elif not total:
        problems.append(Problem("the export holds no run, or is cut off", path, 1, 1))
    return Records(tuple(runs), tuple(problems))


def instant(value: Any) -> datetime | None:
    """Text (UTC where it names no offset) or epoch seconds as an aware instant, None when empty; raises ValueError."""
    if value is None or value == "":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    found = datetime.fromisoformat(str(value))
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
