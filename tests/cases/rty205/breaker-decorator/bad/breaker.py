import functools


class Open(Exception):
    pass


class Breaker:
    def __init__(self, most: int = 5) -> None:
        self.most = most
        self.failed = 0
        self.last = ""

    def __call__(self, function):
        @functools.wraps(function)
        def guarded(*args):
            return self.call(function, *args)

        return guarded

    def call(self, function, *args):
        if self.failed >= self.most:
            raise Open(self.last)
        try:
            result = function(*args)
        except OSError as error:
            self.failed += 1  # expect: RTY205
            self.last = repr(error)
            raise
        return result
