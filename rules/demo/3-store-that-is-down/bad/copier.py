"""Copies the journal into the mirror, riding out its outages."""

import logging
import time
from collections.abc import Iterator
from typing import Protocol

import redis

from mirror import Mirror

log = logging.getLogger("copier")
ALLOWED_FAILURES = 8


class Journal(Protocol):
    def pages(self, after: int) -> Iterator[tuple[int, list[dict]]]: ...


class CopierStopped(Exception):
    pass


class Copier:
    def __init__(self, journal: Journal, mirror: Mirror) -> None:
        self._journal = journal
        self._mirror = mirror
        self._failures = 0
        self._highest = -1

    def run(self) -> None:
        while True:
            try:
                for height, page in self._journal.pages(after=self._mirror.height()):
                    self._mirror.write(page, height)
            except redis.ConnectionError as lost:
                self._failures += 1
                if self._has_moved():
                    self._failures = 1
                if self._failures >= ALLOWED_FAILURES:
                    raise CopierStopped(f"{self._failures} failures without progress") from lost
                log.warning("the mirror is away (%d of %d)", self._failures, ALLOWED_FAILURES)
                time.sleep(min(60, 2**self._failures))

    def _has_moved(self) -> bool:
        try:
            height = self._mirror.height()  # expect: RTY202
        except redis.ConnectionError:
            return False
        moved = height > self._highest
        self._highest = height
        return moved
