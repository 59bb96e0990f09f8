"""Applies batches to a target that also keeps the position; gives up after `most` failures in a row."""

from __future__ import annotations


class TargetDown(Exception):
    pass


class Stopped(Exception):
    pass


class Applier:
    def __init__(self, target, batches, pause, most: int = 8) -> None:
        self.target = target
        self.batches = batches
        self.pause = pause
        self.most = most
        self.failures = 0
        self.reached = 0
        self.reached_at_failure = 0

    def run(self) -> None:
        while True:
            try:
                self._apply_rest()
                return
            except TargetDown as error:
                self._count(error)

    def _apply_rest(self) -> None:
        for number in range(self.target.position(), len(self.batches)):
            self.target.apply(number, self.batches[number])
            self.reached = number + 1

    def _count(self, error: TargetDown) -> None:
        self.failures = 1 if self.reached > self.reached_at_failure else self.failures + 1
        self.reached_at_failure = self.reached
        if self.failures >= self.most:
            raise Stopped(f"{self.failures} failures in a row at {self.reached}: {error}") from error
        self.pause()
