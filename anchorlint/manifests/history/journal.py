"""`journalctl -u X.service -o json`: what systemd itself says of a unit's starts and ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from anchorlint.domain.schedule import Ending, Run
from anchorlint.manifests.history import Head, Records
from anchorlint.manifests.history.exports import converted

_STARTING = "7d4958e842da4a758f6c1cdc7b36dcc5"
_STARTED = "39f53479d3a045ac8e11786248231fbf"  # for a oneshot unit this is the end
_FAILED = "be02cf6855d2428ba40df7e9d022f03d"
_FAILURE_RESULT = "d9b373ed55a64feb8242e02dbe79a49c"
_SUCCESS = "7ad2d189f7e94e70a38c781354912448"
_TELLING = {_STARTING, _STARTED, _FAILED, _FAILURE_RESULT, _SUCCESS}
_SECOND_US = 1_000_000


def matches(head: Head) -> bool:
    """Whether the lines are journal entries."""
    return head.has("__REALTIME_TIMESTAMP")


def read(text: str, path: str) -> Records:
    """The runs of each unit; one invocation is one run."""
    return converted(_invocations(text), _run, path)


def _invocations(text: str) -> Iterator[list[dict[str, Any]]]:
    """The telling entries of each invocation of a unit, in the order of their time."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in text.splitlines():
        try:
            entry = json.loads(line) if line.strip() else {}
        except ValueError:
            continue
        unit = entry.get("UNIT") if isinstance(entry, dict) else None
        if unit and entry.get("MESSAGE_ID") in _TELLING and entry.get("INVOCATION_ID"):
            found.setdefault((unit, entry["INVOCATION_ID"]), []).append(entry)
    for entries in found.values():
        yield sorted(entries, key=_time_us)


def _time_us(entry: dict[str, Any]) -> int:
    return int(entry["__REALTIME_TIMESTAMP"])


def _run(entries: list[dict[str, Any]]) -> Run:
    started_us = _time_us(entries[0])
    last = next((entry for entry in reversed(entries) if _ends(entry, started_us)), None)
    how = Ending.NONE
    if last is not None and entries[0]["MESSAGE_ID"] in (_STARTING, _STARTED) and last is not entries[0]:
        results = {entry.get("UNIT_RESULT") for entry in entries}
        failed = any(entry["MESSAGE_ID"] in (_FAILED, _FAILURE_RESULT) for entry in entries)
        how = Ending.CUT if "timeout" in results else Ending.FAILED if failed else Ending.COMPLETED
    return Run(
        schedule=entries[0]["UNIT"],
        ending=how,
        started_at=datetime.fromtimestamp(started_us / _SECOND_US, UTC),
        finished_at=datetime.fromtimestamp(_time_us(last) / _SECOND_US, UTC) if last else None,
    )


def _ends(entry: dict[str, Any], started_us: int) -> bool:
    """Whether an entry is an end; "started" is one only for a unit that works before it counts as started."""
    if entry["MESSAGE_ID"] == _STARTING:
        return False
    if entry["MESSAGE_ID"] != _STARTED:
        return True
    return str(entry.get("MESSAGE", "")).startswith("Finished") or _time_us(entry) - started_us >= _SECOND_US
