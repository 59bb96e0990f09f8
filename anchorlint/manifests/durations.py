"""Durations as people write them, in seconds: `15m`, `1h30m`, `2 hours`, `PT45M`."""

from __future__ import annotations

import re

_UNITS_S = {"s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600,
            "d": 86400, "day": 86400, "w": 604800, "week": 604800}  # fmt: skip
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*")
_ISO = re.compile(r"p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?)?")


def seconds(text: str) -> float | None:
    """The length of a duration above zero in seconds, None for any other text (a number without a unit, too)."""
    said = text.strip().lower()
    found = _iso(said) if said.startswith("p") else _parts(said)
    return found if found else None


def _parts(said: str) -> float | None:
    total, place = 0.0, 0
    while place < len(said):
        part = _PART.match(said, place)
        unit = part[2] if part else ""
        size = _UNITS_S.get(unit) or _UNITS_S.get(unit.removesuffix("s"))
        if part is None or size is None:
            return None
        total += float(part[1]) * size
        place = part.end()
    return total


def _iso(said: str) -> float | None:
    found = _ISO.fullmatch(said)
    if not found or said.endswith(("p", "t")):
        return None
    sizes = (604800, 86400, 3600, 60, 1)
    return sum(float(count) * size for count, size in zip(found.groups(), sizes, strict=True) if count)
