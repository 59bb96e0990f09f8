"""A confusion: two exits of one function that say the same of an outage and of what is gone for ever."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.value import Value

Place = tuple[int, ...]
_EMPTIES = frozenset((f"builtins.{name}",) for name in ("list", "dict", "set", "tuple"))


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


def is_constant(value: Value) -> bool:
    """Whether an answer is the same every time, truths aside."""
    kind = value.kind
    if kind in ("str", "none"):
        return True
    if kind == "lin":
        return value.args[1].number is not None
    if kind == "attr":
        return bool(value.args[0].kind == "cls")
    if kind == "seq":
        return all(_is_fixed(v) for v in value.args[1])
    if kind == "map":
        return all(_is_fixed(v) for _, v in value.args[0])
    if kind == "obj":
        return all(_is_fixed(v) for _, v in value.args[1])
    if kind != "result":
        return False
    made = value.args[0].kind == "cls" or value.args[0].args[:1] in _EMPTIES
    return made and all(is_constant(v) for v in value.args[1])


def _is_fixed(value: Value) -> bool:
    return value.kind in ("true", "false") or is_constant(value)


def says_something(value: Value) -> bool:
    """Whether a value is more than None, an empty collection or a bare number."""
    if value.kind in ("none", "lin"):
        return False
    if value.kind == "str":
        return bool(value.args[0])
    if value.kind == "seq" and value.args[0] != "thrown":
        return any(v.kind in ("str", "attr", "obj", "map", "seq") for v in value.args[1])
    return value.kind != "map" or bool(value.args[0])
