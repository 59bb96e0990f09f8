class NoneLeft(Exception):
    pass


class Allowance:
    """The retries that one sender may use."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.left = number

    def use(self, error: Exception) -> None:
        self.left -= 1
        if self.left <= 0:
            raise NoneLeft(str(error)) from error

    def restore(self) -> None:
        """Begin anew; see the sender."""
        self.left = self.number
