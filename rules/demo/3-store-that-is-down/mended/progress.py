"""What is known to have reached the mirror, remembered while it answers."""


class Progress:
    def __init__(self) -> None:
        self._height: int | None = None
        self._moved = False

    def reached(self, height: int) -> None:
        """Note a height that the mirror has confirmed; the first one is a baseline, not a move."""
        self._moved = self._moved or (self._height is not None and height > self._height)
        self._height = height

    def moved_since_asked(self) -> bool:
        moved, self._moved = self._moved, False
        return moved
