"""What a timeline is made of: rows and bars, collisions, links, deadlines and clock changes; pure data."""

from __future__ import annotations

import msgspec


class Bar(msgspec.Struct, frozen=True):
    """One run: its row, its start in epoch seconds, its usual length in seconds (0 if no runs are known)."""

    row: int
    at_s: float
    length_s: float
    critical: bool = False

    @property
    def end_s(self) -> float:
        """When it usually has ended, in epoch seconds."""
        return self.at_s + self.length_s


class Row(msgspec.Struct, frozen=True):
    """One schedule: its name, its lane, what is said beside it, and whether it fires too often for single bars."""

    name: str
    lane: int
    aside: str
    band: bool = False


class Collision(msgspec.Struct, frozen=True):
    """A firing at `at_s` of a row into the run of another one (or its own) of the same workflow."""

    row: int
    into: int
    at_s: float


class Link(msgspec.Struct, frozen=True):
    """From the end of a prerequisite to the start of its dependent, each a row and an instant in epoch seconds."""

    before: int
    end_s: float
    after: int
    start_s: float
    critical: bool


class Limit(msgspec.Struct, frozen=True):
    """A deadline of a row: its instant, and whether the usual start comes after it."""

    row: int
    at_s: float
    late: bool


class Timeline(msgspec.Struct, frozen=True):
    """Everything that is drawn from `start_s` to `end_s` (epoch seconds) on the clock of `zone`.

    `changes` are the clock changes within (an instant and words). `notes` are sentences below the picture.
    """

    start_s: int
    end_s: int
    zone: str
    lanes: tuple[str, ...]
    rows: tuple[Row, ...]
    bars: tuple[Bar, ...]
    collisions: tuple[Collision, ...]
    links: tuple[Link, ...]
    limits: tuple[Limit, ...]
    changes: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]
