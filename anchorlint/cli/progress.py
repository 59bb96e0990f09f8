"""Shows how far a run has come, on a terminal and only when it takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE_S = 1.0


class Bar:
    """A progress bar on standard error; without a terminal there it never shows."""

    def __init__(self, quiet: bool = False) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._started_s = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def told(self, stage: str, done: int, total: int) -> None:
        """Take note that `done` of `total` steps of a stage are behind."""
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._started_s < PATIENCE_S:
                return
            self._show(total)
        self._bar.update(self._task, description=stage, completed=done, total=total)

    def _show(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=total)
        self._bar.start()
