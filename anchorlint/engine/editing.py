"""Changes texts by the edits of fixes, and writes files so that they are always whole."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable

from anchorlint.domain.finding import Edit
from anchorlint.domain.span import Position
from anchorlint.engine.sources import Unreadable, encoding_of

LINE_END = re.compile(r"\r\n|\r|\n")


class NotWritten(Exception):
    """A file that stays as it was; the text says why."""


def edited(text: str, edits: Iterable[Edit]) -> tuple[str, list[Edit]]:
    """`text` with the edits made, and those that were not because they touch one that was; equal edits count once."""
    starts = [0, *(found.end() for found in LINE_END.finditer(text))]
    places = {(_offset(e.span.start, starts, text), _offset(e.span.end, starts, text), e.text): e for e in edits}
    parts: list[str] = []
    left: list[Edit] = []
    at = 0
    for (start, end, new), edit in sorted(places.items(), key=lambda place: place[0]):
        if start < at or end < start:
            left.append(edit)
            continue
        parts += [text[at:start], new]
        at = end
    return "".join((*parts, text[at:])), left


def _offset(position: Position, starts: list[int], text: str) -> int:
    if position.line > len(starts):
        return len(text)
    return min(starts[position.line - 1] + position.column - 1, len(text))


def write_text(path: str, before: bytes, text: str) -> None:
    """Replace the content of a file by `text` in the encoding of `before`; raises NotWritten.

    The new content is written beside the file and then takes its place, so that nobody ever sees half of it.
    """
    try:
        encoding, mark = encoding_of(path, before)
        data = mark + text.encode(encoding)
        if os.path.islink(path):
            path = os.path.realpath(path)
        with open(path, "rb") as file:
            if file.read() != before:
                raise NotWritten("the file has changed meanwhile")
        _replace(path, data)
    except (OSError, UnicodeEncodeError, Unreadable) as error:
        raise NotWritten(getattr(error, "strerror", None) or str(error)) from None


def _replace(path: str, data: bytes) -> None:
    handle, beside = tempfile.mkstemp(prefix=".anchorlint-", dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(beside, os.stat(path).st_mode & 0o7777)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
