class Spent(Exception):
    pass


class Budget:
    def __init__(self, most: int) -> None:
        self.most, self.used = most, 0

    def fault(self, error: Exception) -> None:
        self.used += 1
        if self.used > self.most:
            raise Spent(str(error)) from error

    def refill(self) -> None:
        self.used = 0
