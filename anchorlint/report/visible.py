"""Makes text from a file safe to show on a terminal."""

from __future__ import annotations

import unicodedata

TAB = 4
UNSEEN = ("Cc", "Cf", "Cs")


def visible(text: str) -> str:
    """Tabs widened, and control characters shown as a mark: they would speak to the terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " " * TAB
    return "\ufffd" if unicodedata.category(character) in UNSEEN else character
