"""Reads one Python file on its own: its facts, the comments for anchorlint, and whether it is a test module."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

import msgspec

from anchorlint.engine.comments import Comment, comments
from anchorlint.engine.sources import Unreadable, decode
from anchorlint.engine.test_modules import is_test_module

Packed = tuple[bytes, bytes | None, str | None]


class Head(msgspec.Struct, frozen=True, array_like=True):
    """What one file says apart from its facts; `failed` is (why, line, column) where there are none.

    `hint` says what its bytes can hold of schedules, as `python.schedules.Hint` counts it.
    """

    failed: tuple[str, int, int] | None = None
    comments: tuple[Comment, ...] = ()
    is_test: bool = False
    hint: int = 0


class Leaf(msgspec.Struct, frozen=True):
    """One file: its head, the key under which the cache knows it, and its facts if they were read just now."""

    head: Head
    key: bytes = b""
    facts: Any = None
    packed: bytes | None = None


def read_leaf(path: str, data: bytes) -> tuple[Head, Any]:
    """Read one file; text that is no Python makes a head that says so, other exceptions are ours."""
    from anchorlint.python.facts import read
    from anchorlint.python.parse import Unparsed
    from anchorlint.python.schedules import hint

    try:
        text = decode(path, data)
        facts = read(path, text)
        return Head(None, comments(path, text, "python"), is_test_module(path, text), int(hint(data))), facts
    except Unreadable as error:
        failed = (error.message, error.line, 1)
    except Unparsed as error:
        failed = (error.message, error.line, error.column)
    except RecursionError:
        failed = ("nested too deeply to be read", 1, 1)
    return Head(failed), None


def read_packed(files: Iterable[tuple[str, bytes]]) -> list[Packed]:
    """Read some files in a worker: for each its head and facts as bytes, or what went wrong on our side."""
    gc.disable()
    found: list[Packed] = []
    for path, data in files:
        try:
            head, facts = read_leaf(path, data)
            found.append((msgspec.msgpack.encode(head), facts.pack() if facts is not None else None, None))
        except Exception as error:
            found.append((b"", None, f"{type(error).__name__}: {error}"))
    gc.enable()
    return found
