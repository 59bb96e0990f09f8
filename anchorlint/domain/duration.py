"""How a number of seconds is said: `7d`, `22m26s`, `1d12h`, `250ms`."""

from __future__ import annotations

_PARTS = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


def spoken(seconds: float) -> str:
    """The duration in at most two neighbouring units, exact where two units suffice and rounded to them otherwise."""
    if seconds < 0:
        return "-" + spoken(-seconds)
    if seconds < 1:
        return f"{round(seconds * 1000, 3):g}ms" if seconds else "0s"
    for place, (size, letter) in enumerate(_PARTS):
        if seconds >= size:
            return _two_units(seconds, place, size, letter)
    return f"{seconds:g}s"


def _two_units(seconds: float, place: int, size: int, letter: str) -> str:
    if letter == "s":
        return f"{round(seconds, 3):g}s"
    smaller, small_letter = _PARTS[place + 1]
    whole, rest = divmod(round(seconds / smaller), size // smaller)
    return f"{whole}{letter}{rest}{small_letter}" if rest else f"{whole}{letter}"
