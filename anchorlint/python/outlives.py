"""A budget of tries that is longer than a life."""

from __future__ import annotations

from typing import NamedTuple

ALMOST = 1.1  #: as long as the life, or at most so much longer, is no fault
Place = tuple[int, int, int, int]


class Outlives(NamedTuple):
    """A budget of tries that is longer than a life, at a place of a module."""

    module: int
    place: Place
    message: str
    help: str
    taken: tuple[int, Place] | None = None
