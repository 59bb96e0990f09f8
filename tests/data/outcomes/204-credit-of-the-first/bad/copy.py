"""Counts failures of a copy that goes on where it stopped."""


class GaveUp(Exception):
    pass


class Copy:
    def __init__(self, source, allowed: int) -> None:
        self._source = source
        self._allowed = allowed
        self._failures = 0
        self._mark: int | None = None

    def _moved(self, mark: int) -> bool:
        before, self._mark = self._mark, mark
        if before is None:
            return False
        return mark > before  # expect: RTY204

    def failed(self, error: Exception, mark: int) -> None:
        if self._moved(mark):
            self._failures = 0
        else:
            self._failures += 1
        if self._failures > self._allowed:
            raise GaveUp(str(error)) from error
