"""How long a message may be, and which of several ways to say it fits."""

from __future__ import annotations

LONGEST = 120  #: characters of one message


def fitting(*variants: str) -> str:
    """The first variant that is short enough, else the last one cut."""
    for variant in variants:
        if len(variant) <= LONGEST:
            return variant
    return f"{variants[-1][: LONGEST - 1]}…"
