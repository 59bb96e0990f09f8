"""Tables about what leaves the process: ends, alerts, effects, units of parameters, persistence."""

from __future__ import annotations

from typing import Literal

from anchorlint.knowledge.tables.parts import Argument, Names, Table, Unit


class Sink(Table, frozen=True, kw_only=True):
    """A call that ends an item for good (`terminal`), speaks to people (`alert`) or shows a number (`gauge`).

    `states` are final states of a service.
    """

    kind: Literal["terminal", "alert", "gauge"]
    calls: Names = ()
    text: Argument | None = None
    states: Names = ()
    of: Names = ()
    receiver: Names = ()


class Effect(Table, frozen=True, kw_only=True):
    """A call that reaches outside the process: what it does there and what it raises when it fails.

    `outage` is raised when the other side cannot be reached, `refused` when it answered and will answer the same again.
    """

    calls: Names
    does: Literal["read", "write", "create", "delete", "send", "seek", "claim", "release"]
    raises: Names = ()
    timeout: Argument | None = None
    idempotent: bool = False
    idempotency: Argument | None = None
    fence: Argument | None = None
    receiver: Names = ()


class Units(Table, frozen=True, kw_only=True):
    """The unit of what a call takes or returns, or of an entry of a mapping (`keys`) that it takes."""

    calls: Names
    args: tuple[Argument, ...] = ()
    returns: Unit | None = None
    keys: dict[str, Unit] = {}
    attribute: bool = False
    absolute_from_s: float | None = None
    most_s: float | None = None
    receiver: Names = ()


class Persist(Table, frozen=True, kw_only=True):
    """A call whose arguments leave the process and may be read after a restart or on another host."""

    calls: Names
    values: tuple[Argument, ...] = ()
    where: Literal["disk", "network", "store"] = "store"
    receiver: Names = ()
