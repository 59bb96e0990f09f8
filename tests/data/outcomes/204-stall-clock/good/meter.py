"""Watches the counter of a device."""

import time
from dataclasses import dataclass


@dataclass
class Reading:
    pulses: int | None = None
    serial: str | None = None


class Meter:
    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._last: Reading | None = None
        self._since = time.monotonic()

    def is_stalled(self, reading: Reading) -> bool:
        if self._last is None or reading != self._last:
            self._last = reading
            self._since = time.monotonic()
        return time.monotonic() - self._since > self._limit_s
