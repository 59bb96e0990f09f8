"""Recorded runs: each kind of file is known by its shape, whatever it is called.

How to add an export: one module here with `def matches(head: Head) -> bool` (only looks) and
`def read(text: str, path: str) -> Records`, and its name in `_READERS`, the most particular shape first.
"""

from __future__ import annotations

import importlib
from typing import Any

import msgspec

from anchorlint.domain.finding import Problem
from anchorlint.domain.schedule import Run

_READERS = ("native", "github", "kubernetes", "airflow", "journal", "pg_cron", "prefect", "dagster", "flower")


class Records(msgspec.Struct, frozen=True):
    """The runs of one file in the order of the file, and what in it could not be read."""

    runs: tuple[Run, ...] = ()
    problems: tuple[Problem, ...] = ()


class Head(msgspec.Struct, frozen=True):
    """What tells the shapes apart: the cells of a CSV header, or the first JSON value of the file.

    `first` is the first element of a list, the first line's value of JSON lines, or the object itself.
    """

    columns: tuple[str, ...] = ()
    first: Any = None
    listed: bool = False

    def has(self, *keys: str) -> bool:
        """Whether the first record (or the header) has all these keys."""
        return set(keys) <= (set(self.first) if isinstance(self.first, dict) else set(self.columns))


def read_runs(text: str, path: str) -> Records:
    """The recorded runs of a file; a file of no known shape or without records is one problem."""
    from anchorlint.manifests.history.shape import NoShape, head

    if not text.strip():
        return Records(problems=(Problem("the file of recorded runs is empty", path, 1, 1),))
    try:
        found = head(text)
    except NoShape as error:
        return Records(problems=(Problem(error.message, path, error.line, error.column),))
    for name in _READERS:
        module = importlib.import_module(f"anchorlint.manifests.history.{name}")
        if module.matches(found):
            return module.read(text, path)  # type: ignore[no-any-return]
    wanted = "schedule_id, scheduled_for, started_at, finished_at, status"
    return Records(
        problems=(Problem(f"no recorded runs in a known form; the native columns are {wanted}", path, 1, 1),)
    )
