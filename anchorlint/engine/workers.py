"""Hands files to other processes once there are enough of them to be worth it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from anchorlint.engine.leaf import Packed, read_packed

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.process import BaseProcess

WORTH_BYTES = 4_000_000
BATCH_BYTES = 250_000

File = tuple[str, bytes]
Results = Iterator[tuple[list[File], list[Packed]]]


class Workers:
    """Collects files and yields what they say, in batches; below `WORTH_BYTES` everything is read in this process.

    `executor` is used if given and left running; otherwise `jobs` processes are started when there is enough to do.
    A pool that breaks costs time only: its files are read here.
    """

    def __init__(self, jobs: int, executor: Executor | None = None) -> None:
        self._jobs = jobs
        self._given = executor
        self._pool: Executor | None = executor
        self._batch: list[File] = []
        self._waiting: list[list[File]] = []
        self._futures: list[tuple[list[File], Future[list[Packed]]]] = []
        self._bytes = 0
        self._before: list[BaseProcess] = []

    @property
    def alone(self) -> bool:
        """Whether every file is read in this process anyhow."""
        return self._jobs == 1 and self._given is None

    def add(self, path: str, data: bytes) -> None:
        """Take one more file."""
        self._batch.append((path, data))
        self._bytes += len(data)
        if sum(len(data) for _, data in self._batch) >= BATCH_BYTES:
            self._hand_over()
        if self._pool is None and self._bytes >= WORTH_BYTES:
            self._start()
        if self._pool is not None:
            self._submit(self._pool)

    def results(self) -> Results:
        """Everything that the files say; ends the processes that were started."""
        self._hand_over()
        if self._pool is not None:
            self._submit(self._pool)
        try:
            for batch, future in self._futures:
                yield batch, _result(batch, future)
            for batch in self._waiting:
                yield batch, read_packed(batch)
        finally:
            self.close()

    def close(self) -> None:
        """End the processes that were started; what they have not finished is dropped."""
        if self._pool is None or self._pool is self._given:
            return
        unfinished = [future for _, future in self._futures if not future.done()]
        self._pool.shutdown(wait=False, cancel_futures=True)
        if unfinished:
            # Python waits for its workers when it ends: they would hold up an interrupt until they were done.
            for worker in self._started():
                worker.terminate()

    def _started(self) -> list[BaseProcess]:
        from multiprocessing import active_children

        return [child for child in active_children() if child not in self._before]

    def _start(self) -> None:
        from multiprocessing import active_children

        self._before = active_children()
        self._pool = _pool(self._jobs)

    def _hand_over(self) -> None:
        if self._batch:
            self._waiting.append(self._batch)
            self._batch = []

    def _submit(self, pool: Executor) -> None:
        waiting, self._waiting = self._waiting, []
        for batch in waiting:
            try:
                self._futures.append((batch, pool.submit(read_packed, batch)))
            except RuntimeError:  # broken, or shut down by whoever gave it
                self._waiting.append(batch)


def default_jobs() -> int:
    """As many processes as this one may use processors."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _result(batch: list[File], future: Future[list[Packed]]) -> list[Packed]:
    from concurrent.futures import CancelledError
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except (BrokenProcessPool, CancelledError, OSError):
        return read_packed(batch)


def _pool(jobs: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
