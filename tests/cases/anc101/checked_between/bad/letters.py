import time
from dataclasses import dataclass

VALID_S = 15 * 60


class Refused(Exception):
    pass


@dataclass(frozen=True)
class Letter:
    to: str
    stamp: str
    stamped_at: float
    tries: int = 0


def inspect(letter: Letter) -> None:
    if time.time() - letter.stamped_at > VALID_S:  # expect: ANC101
        raise Refused(letter.to)
