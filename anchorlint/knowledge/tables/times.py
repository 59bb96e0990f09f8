"""Tables about time values: clocks, comparisons with now, durations, shifts, checks of age."""

from __future__ import annotations

from typing import Literal

from anchorlint.knowledge.tables.parts import Argument, Names, Table, Unit

ClockName = Literal["wall", "mono", "perf", "cpu", "loop", "db"]
Kind = Literal["num", "dt", "td", "date", "text", "any"]


class Clock(Table, frozen=True, kw_only=True):
    """Calls that read a clock; `per_second` is how much the reading grows in a second."""

    calls: Names
    clock: ClockName = "wall"
    per_second: float = 1.0
    kind: Kind = "num"
    grain_s: float = 0.0
    sql: Names = ()


class Predicate(Table, frozen=True, kw_only=True):
    """A library's own comparison of now with an instant: true when `now OP instant + sign * slack`."""

    calls: Names
    op: Literal["<", "<=", ">", ">="]
    instant: Argument | Literal["self"] = "self"
    slack: Argument | None = None
    sign: Literal[1, -1] = 1
    attribute: bool = False
    clock: ClockName = "wall"


class Identity(Table, frozen=True, kw_only=True):
    """Calls (or attributes) whose result is the same instant or duration as what they get.

    `per_second` is the scale of the result, `from_per_second` that of what comes in.
    """

    calls: Names
    value: Argument | Literal["self"] = "self"
    kind: Kind = "any"
    attribute: bool = False
    per_second: float | None = None
    from_per_second: float | None = None
    grain_s: float = 0.0


class Duration(Table, frozen=True, kw_only=True):
    """Calls that make a span of time: the size of each keyword in seconds, and the order of positions."""

    calls: Names
    sizes: dict[str, float]
    positions: Names = ()
    kind: Kind = "td"
    inexact: Names = ()


class Shift(Table, frozen=True, kw_only=True):
    """Methods that move an instant by their keywords; a keyword that is not in `sizes` moves nothing."""

    calls: Names
    sizes: dict[str, float]
    positions: Names = ()
    sign: Literal[1, -1] = 1
    inexact: Names = ()


class Cyclic(Table, frozen=True, kw_only=True):
    """Attributes and methods that cut an instant or span down to a part that comes round again."""

    calls: Names
    attribute: bool = True
    unit: Unit | None = None


class Gate(Table, frozen=True, kw_only=True):
    """A call that refuses by age: open while `now <= item + slack`, where the item's instant is inside `value`.

    `instant` names that instant (`signed_at`, `exp`). With `slack_required` the call is a gate only where slack is
    given. When closed it raises `raises` or returns `returns`; `other` are refusals that have nothing to do with age.
    One of the options `unless` turns it off.
    """

    calls: Names
    value: Argument
    instant: str
    slack: Argument | None = None
    sign: Literal[1, -1] = 1
    slack_required: bool = False
    raises: Names = ()
    returns: str = ""
    other: Names = ()
    unless: Names = ()
