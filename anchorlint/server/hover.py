"""The page of a rule, shown where one of its findings or its code stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types

from anchorlint.knowledge.cards import cards

RULE = re.compile(r"\b[A-Z]{3}\d{3}\b|\b[a-z0-9]+(?:-[a-z0-9]+)+\b")


def hover(position: types.Position, line: str, column: int, found: Iterable[types.Diagnostic]) -> types.Hover | None:
    """The card of the rule named at `column` of `line`, else those of the findings around `position`."""
    codes = _named(line, column) or sorted({str(d.code) for d in found if d.code and _around(d.range, position)})
    pages = [cards()[code].text for code in codes if code in cards()]
    if not pages:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(pages)))


def _named(line: str, column: int) -> list[str]:
    """The code of the rule whose code or name stands at the column, if one does."""
    words = [match[0] for match in RULE.finditer(line) if match.start() <= column < match.end()]
    return [card.code for card in cards().values() if {card.code, card.name} & set(words)]


def _around(found: types.Range, position: types.Position) -> bool:
    return found.start <= position <= found.end
