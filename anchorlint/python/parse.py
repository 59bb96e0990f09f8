"""Text to `ast`; syntax newer than the running Python is first brought to an older form of the same lines by libcst."""

from __future__ import annotations

import ast
import warnings


class Unparsed(Exception):
    """A text that is no Python: `message`, `line` and `column` (from 1) say where and why."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class TooDeep(Unparsed):
    """A text whose nesting is beyond what Python itself reads; libcst, which is native code, would crash on it."""


def parse(path: str, text: str) -> ast.Module:
    """The tree of a module; raises `Unparsed`."""
    try:
        return _ast(path, text)
    except TooDeep:
        raise
    except Unparsed as failed:
        from anchorlint.python.bridge import older_form

        older = older_form(text)
        if older is None or older == text:
            raise
        try:
            return _ast(path, older)
        except Unparsed:
            raise failed from None


def _ast(path: str, text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, path)
    except SyntaxError as error:
        kind = TooDeep if error.msg.startswith("too many") else Unparsed
        raise kind(error.msg, error.lineno or 1, max(error.offset or 1, 1)) from None
    except (RecursionError, MemoryError):
        raise TooDeep("source code nests too deeply", 1, 1) from None
    except ValueError as error:
        raise Unparsed(str(error), 1, 1) from None
