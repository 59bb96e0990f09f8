"""Looks at the beginning of a file of recorded runs to tell its shape."""

from __future__ import annotations

import csv
import json

from anchorlint.manifests.history import Head


class NoShape(Exception):
    """A text that is neither CSV with a header, nor JSON, nor JSON lines; line and column count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def head(text: str) -> Head:
    """What the file begins with; raises NoShape for JSON that is cut or broken in its first record."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped[:1] in ("[", "{"):
        return _json(text, stripped[0] == "[")
    line = stripped.split("\n", 1)[0].rstrip("\r")
    return Head(columns=tuple(cell.strip() for cell in next(csv.reader([line]), [])))


def _json(text: str, listed: bool) -> Head:
    start = text.index("[" if listed else "{")
    place = start + 1 if listed else start
    while listed and text[place : place + 1] in (" ", "\t", "\r", "\n"):
        place += 1
    if listed and text[place : place + 1] == "]":
        return Head(listed=True)
    try:
        first, _ = json.JSONDecoder().raw_decode(text, place)
    except ValueError as error:
        at = getattr(error, "pos", place)
        line = text.count("\n", 0, at) + 1
        raise NoShape("the recorded runs are no JSON", line, at - text.rfind("\n", 0, at)) from None
    except RecursionError:
        raise NoShape("the recorded runs are nested too deeply", 1, 1) from None
    return Head(first=first, listed=listed)
