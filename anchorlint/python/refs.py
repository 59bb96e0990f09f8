"""References: what a name of the source stands for, and where a call stands."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.facts import Event


class Ref(NamedTuple):
    """What a name stands for: kind is fn, cls, mod (numbers in `module`), val (a term of `module`) or ext."""

    kind: str
    module: int = -1
    number: int = -1
    dotted: str = ""


class Call(NamedTuple):
    """A call in the source: the module, the function it stands in and its event."""

    module: int
    function: int
    event: Event
