"""What an expression means once it is read: times of day, dates, or a period, free of the text it came from."""

from __future__ import annotations

import msgspec


class Invalid(ValueError):
    """An expression that its engine refuses; `offset` is where in the expression, in code points from 0."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def whole(digits: str) -> int:
    """The number that ASCII digits write; any beyond a billion is one, since Python reads no thousands of digits."""
    short = digits.lstrip("0")
    return int(short or "0") if len(short) < 10 else 10**9


class Days(msgspec.Struct, frozen=True):
    """Which dates of a month match.

    `dates` are days of the month, `from_last` counts back from its last day (0 = the last), `near` are days moved to
    the nearest working day (0 = the last working day). Weekdays count from Monday = 0; `nth` pairs one with its number
    in the month (-1 = the last). `both` says whether the two kinds have to match together or either suffices.
    """

    dates: tuple[int, ...] = tuple(range(1, 32))
    from_last: tuple[int, ...] = ()
    near: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = tuple(range(7))
    nth: tuple[tuple[int, int], ...] = ()
    both: bool = True

    @property
    def any_date(self) -> bool:
        """Whether the day of the month excludes nothing."""
        return len(self.dates) == 31

    @property
    def any_weekday(self) -> bool:
        """Whether the weekday excludes nothing."""
        return len(self.weekdays) == 7


class Field(msgspec.Struct, frozen=True):
    """One field as written: its name, text and offset in the expression, and the values it names."""

    name: str
    text: str
    offset: int
    values: tuple[int, ...]
    special: tuple[tuple[str, int, int], ...] = ()
    star: bool = False
    loose: bool = False


class Pattern(msgspec.Struct, frozen=True):
    """A schedule of one dialect, ready to be expanded.

    `every_s` is set for a period without a clock, `at` (a local `YYYY-MM-DDTHH:MM:SS`) for a single instant;
    otherwise `times` are the seconds of a day, ascending. `floating` says that the period is known and the phase is
    not, so that instants are only examples. `real_time` says that the engine counts real minutes through a clock
    change instead of asking for one wall time. `zone` is a zone that the expression itself names.
    """

    dialect: str
    expression: str
    times: tuple[int, ...] = (0,)
    days: Days = Days()
    months: tuple[int, ...] = tuple(range(1, 13))
    years: tuple[int, ...] = ()
    every_s: float | None = None
    at: str | None = None
    never: bool = False
    floating: bool = False
    real_time: bool = False
    fixed_hours: bool = True
    zone: str | None = None
    fields: tuple[Field, ...] = ()
    weeks: tuple[int, ...] = ()

    def field(self, name: str) -> Field | None:
        """The field of that name as written, if the expression has one."""
        return next((field for field in self.fields if field.name == name), None)
