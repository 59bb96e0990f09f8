"""Notes how far each worker got and ends those that stand still."""


class Guard:
    def __init__(self, store, limit: int) -> None:
        self._store = store
        self._limit = limit
        self._heights: dict[str, int] = {}
        self._still: dict[str, int] = {}

    def unchanged(self, worker: str) -> bool:
        height = self._store.heights().get(worker)
        same = self._heights.get(worker) == height  # expect: RTY204
        self._heights[worker] = height
        return same

    def round(self, workers, stop) -> None:
        for worker in workers:
            if self.unchanged(worker):
                self._still[worker] += 1
            else:
                self._still[worker] = 0
            if self._still[worker] > self._limit:
                stop(worker)
