"""Text into trees with positions: TOML, YAML and JSON."""

from __future__ import annotations

from anchorlint.documents.node import Entry, Kind, Malformed, Node

__all__ = ["Entry", "Kind", "Malformed", "Node"]
