class Patience:
    """How many failures one transfer may have."""

    def __init__(self, most: int) -> None:
        self._left = most

    @property
    def over(self) -> bool:
        return self._left <= 0

    def wear(self) -> None:
        self._left -= 1
