"""Reads one Python file on its own: its facts, the comments for anchorlint, and whether it is a test module."""

from __future__ import annotations

import marshal
from typing import Any

import msgspec

from anchorlint.engine.comments import Comment, comments
from anchorlint.engine.sources import Unreadable, decode
from anchorlint.engine.test_modules import is_test_module


class Leaf(msgspec.Struct, frozen=True):
    """What one file says by itself; without `facts`, `failed` is (why, line, column)."""

    facts: Any
    failed: tuple[str, int, int] | None
    comments: tuple[Comment, ...]
    is_test: bool

    def pack(self) -> bytes:
        """The leaf as bytes for the cache."""
        facts = self.facts.pack() if self.facts is not None else None
        return marshal.dumps((facts, self.failed, [msgspec.structs.astuple(c) for c in self.comments], self.is_test))


def unpack(data: bytes) -> Leaf:
    """The leaf that `pack` made bytes of; ValueError, EOFError or TypeError if they are not whole."""
    from anchorlint.python.facts import Facts

    facts, failed, spoken, is_test = marshal.loads(data)
    return Leaf(
        Facts.unpack(facts) if facts is not None else None,
        failed,
        tuple(Comment(*comment) for comment in spoken),
        is_test,
    )


def read_leaf(path: str, data: bytes) -> Leaf:
    """Read one file; text that is no Python makes a leaf without facts, other exceptions are ours."""
    from anchorlint.python.facts import read
    from anchorlint.python.parse import Unparsed

    try:
        text = decode(path, data)
        return Leaf(read(path, text), None, comments(path, text, "python"), is_test_module(path, text))
    except Unreadable as error:
        failed = (error.message, error.line, 1)
    except Unparsed as error:
        failed = (error.message, error.line, error.column)
    except RecursionError:
        failed = ("nested too deeply to be read", 1, 1)
    return Leaf(None, failed, (), False)
