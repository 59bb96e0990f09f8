"""An ask: what is asked of something that forgets, and the call of a program where that starts."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.value import Value


class Ask(NamedTuple):
    """What one value was asked of: its store, the ways in which it says no, its key, and how long it remembers.

    `codes` are statuses and error codes of a miss; `raises` the classes of one. `life` says in words how long what is
    asked for is kept; without it only a code that means gone by itself is proof.
    """

    value: Value
    name: str
    misses: tuple[str, ...]
    codes: frozenset[str]
    raises: tuple[str, ...]
    outages: tuple[str, ...]
    key: Value | None
    life: str
    http: bool = False


class Start(NamedTuple):
    """Where something is asked: a term of a function, and its place."""

    module: int
    function: int
    term: int
    place: tuple[int, int, int, int]
