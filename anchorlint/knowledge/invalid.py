"""What is wrong with a table of models, and where it stands in the file."""

from __future__ import annotations

import re

from anchorlint.documents.node import Kind, Node
from anchorlint.domain.span import Span

_PLACE = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<where>[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")


class InvalidModel(ValueError):
    """A table of models that does not fit; `keys` leads to what is wrong, `place` is file and line where they are
    known.
    """

    def __init__(self, message: str, keys: tuple[str | int, ...] = (), place: str = "") -> None:
        super().__init__(": ".join(part for part in (place, _spoken(keys), message) if part))
        self.message = message
        self.keys = keys
        self.place = place


def invalid(error: Exception) -> InvalidModel:
    """The error of msgspec as one of ours: `[[store]] 2, reads: expected array, got str`."""
    found = _PLACE.fullmatch(str(error))
    what, where = (found["what"], found["where"] or "") if found else (str(error), "")
    keys: tuple[str | int, ...] = tuple(int(index) if index else key for key, index in _STEP.findall(where))
    if unknown := _UNKNOWN.fullmatch(what):
        return InvalidModel("no such key in this table", (*keys, unknown[1]))
    return InvalidModel(what[:1].lower() + what[1:].replace("`", ""), keys)


def placed(document: Node, keys: tuple[str | int, ...]) -> Span:
    """The place of the key that `keys` leads to, or of the last step that exists."""
    node, span = document, document.span
    for key in keys:
        if isinstance(key, int) and node.kind is Kind.SEQUENCE and key < len(node.items):
            node = node.items[key]
            span = node.span
        elif isinstance(key, str) and (entry := node.entry(key)):
            node, span = entry.node, entry.key_span
        else:
            break
    return span


def _spoken(keys: tuple[str | int, ...]) -> str:
    """`retry.decorator 2, wait.cap` for the keys of the second decorator's wait."""
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f" {key + 1}, "
        else:
            text += f".{key}" if text and not text.endswith(" ") else key
    return text.removesuffix(", ")
