"""What readers of Python found: schedules, faults of entries, what was passed over, and ids that exist besides."""

from __future__ import annotations

import msgspec

from anchorlint.domain.schedule import Flaw, Schedule


class Found(msgspec.Struct, frozen=True):
    """The schedules of some modules; `skipped` are (path, line, why), `names` pairs of a scope and an id."""

    schedules: tuple[Schedule, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    skipped: tuple[tuple[str, int, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Found) -> Found:
        """Both together."""
        return Found(
            self.schedules + other.schedules,
            self.flaws + other.flaws,
            self.skipped + other.skipped,
            self.names + other.names,
        )
