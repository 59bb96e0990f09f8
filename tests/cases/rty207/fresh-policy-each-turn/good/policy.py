class Over(Exception):
    pass


class Policy:
    def __init__(self, most: int) -> None:
        self.most, self.failures = most, 0

    def note(self, error: Exception) -> None:
        self.failures += 1
        if self.failures > self.most:
            raise Over(str(error)) from error
