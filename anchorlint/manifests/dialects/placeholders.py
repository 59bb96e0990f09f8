"""Tells a value that a template or a deployment fills in later from one that is meant as it stands."""

from __future__ import annotations

import re

from anchorlint.documents import Kind, Node
from anchorlint.manifests.dialects import Skipped

_FILLED_IN = re.compile(
    r"\{\{|\{%|<%|\$\{|\$\(|\$[A-Za-z_]|@@?[A-Z_]{2,}@|\b__[A-Za-z_]+__\b|%[A-Z_]{3,}%|<[A-Za-z_ -]+>"
)
_MEANT = {None, "!Sub", "!Join"}


def filled_in(text: str) -> bool:
    """Whether a text holds the mark of a template: `{{ }}`, `${ }`, `<% %>`, `@NAME@` and their like."""
    return _FILLED_IN.search(text) is not None


def skipped(node: Node) -> Skipped | None:
    """Why a value cannot be checked: it stands for another one; None if it is meant as it stands."""
    if node.kind in (Kind.TEXT, Kind.NUMBER) and node.tag in _MEANT and not filled_in(node.raw):
        return None
    return Skipped(node.span.path, node.span.start.line, "a schedule that is filled in later, not checked")
