import dataclasses
import time

SPAN = 6 * 3600


@dataclasses.dataclass(frozen=True)
class Piece:
    key: str
    cut_at: float
    phase: str = "fresh"
    goes: int = 0


def advance(piece, press):
    if piece.cut_at + SPAN < time.time():
        return dataclasses.replace(piece, phase="too old")
    press.print(piece.key)
    return dataclasses.replace(piece, phase="printed")


def round_(shelf, press):
    for piece in shelf.select(phase=("fresh", "waiting")):
        if piece.goes < 12:
            shelf.store(advance(piece, press))
