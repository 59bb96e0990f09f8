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
        self.position = 0

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

    def _count(self, error: TargetDown) -> None:
        self.failures += 1
        try:
            position = self.target.position()  # expect: RTY202
        except TargetDown:
            position = self.position
        if position != self.position:
            self.position, self.failures = position, 1
        if self.failures >= self.most:
            raise Stopped(f"{self.failures} failures in a row at {self.position}: {error}") from error
        self.pause()
