"""What the tables of models are made of: arguments of calls and lives."""

from __future__ import annotations

from typing import Literal

import msgspec

Unit = Literal["us", "ns", "ms", "s", "min", "h", "d", "n"]  # "n" counts, it is no time
Names = tuple[str, ...]

SECONDS: dict[str, float] = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every struct of the models shares: a key that it does not know is an error."""


class Table(Part, frozen=True, kw_only=True):
    """What every table may say: where the fact was read."""

    source: str = ""


class Argument(Part, frozen=True, kw_only=True):
    """Where a call carries a value: by position (counted without self), by keyword, or as `key` of a mapping there.

    `unit` is that of a plain number ("n" counts); a timedelta has its own. `default` holds in that unit when the
    argument is absent; `inf` says that there is then no limit. `endless` lists the values, as Python writes them, that
    mean "no limit". `attr` is read from the value. An `absolute` time is an instant, not a span.
    """

    at: int | None = None
    kw: str | Names = ()
    key: str | None = None
    attr: str | None = None
    unit: Unit = "s"
    default: float | None = None
    endless: Names = ()
    absolute: bool = False

    @property
    def keywords(self) -> Names:
        """Every keyword under which the argument may be given."""
        return (self.kw,) if isinstance(self.kw, str) else self.kw

    @property
    def default_s(self) -> float | None:
        """The default in seconds (as it is for a count), None where there is none."""
        return None if self.default is None else self.default * SECONDS.get(self.unit, 1.0)


class Life(Part, frozen=True, kw_only=True):
    """How long something is kept or valid, in seconds; `given` is the argument that says so.

    `settings` are the names of configuration keys that set it, in `unit`. `setter` is the call that changes it.
    `text` says it in words where there is no number, such as "some minutes".
    """

    default_s: float | None = None
    min_s: float | None = None
    max_s: float | None = None
    given: Argument | None = None
    settings: Names = ()
    unit: Unit = "s"
    setters: Names = ()
    text: str = ""
