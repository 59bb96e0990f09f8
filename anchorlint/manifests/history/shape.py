"""Looks at the beginning of a file of recorded runs to tell its shape."""

from __future__ import annotations

import csv
import json
import re

from anchorlint.manifests.history import Head
from anchorlint.manifests.history.exports import json_start


class NoShape(Exception):
    """A text that is neither CSV with a header, nor JSON, nor JSON lines; line and column count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def head(text: str) -> Head:
    """What the file begins with; raises NoShape for JSON that is cut or broken in its first record."""
    line = re.split(r"[\r\n]", text.lstrip("\ufeff \t\r\n"), maxsplit=1)[0]
    if line[:1] not in ("[", "{"):
        columns = tuple(cell.strip() for cell in next(csv.reader([line]), []))
        # A header has several cells; a single one may be a log line that a tool prints before its JSON.
        if len(columns) > 2 or json_start(text) is None:
            return Head(columns=columns)
    start = json_start(text)
    return _json(text, text.index(line[0]) if start is None else start)


def _json(text: str, start: int) -> Head:
    listed = text[start] == "["
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
