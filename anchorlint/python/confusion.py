"""A confusion: two exits of one function that say the same of an outage and of what is gone for ever."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.value import Value

Place = tuple[int, ...]


class Exit(NamedTuple):
    """One answer of a function: under which condition, where, and whether it is a part of a larger expression."""

    condition: Value
    value: Value
    event: Event
    part: bool


class Side(NamedTuple):
    """Why an exit is taken: the store cannot be reached, or what is asked for is past or gone, as `text` says."""

    exit: Exit
    place: Place
    text: str = ""


class Confusion(NamedTuple):
    """Two causes that leave a function as one value."""

    function: Ref
    outage: Side
    gone: Side
    rank: int
