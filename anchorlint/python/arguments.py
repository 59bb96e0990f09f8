"""Where a model says that a call carries a value."""

from __future__ import annotations

from anchorlint.knowledge.tables import Argument
from anchorlint.python.value import Value


def argument(where: Argument, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...]) -> Value | None:
    """The value that a model's argument names: by position or by keyword."""
    for name, value in kwargs:
        if name in where.keywords:
            return value
    if where.at is not None and where.at < len(args):
        return args[where.at]
    return None
