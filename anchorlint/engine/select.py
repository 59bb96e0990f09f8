"""Which rules run: codes, prefixes, names and ALL to a set of codes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from anchorlint.engine.settings import Settings
from anchorlint.knowledge.cards import Card

PREFIX = re.compile(r"[A-Z]{3}\d{0,2}")
EXACT = 7
LOOK_ALIKE = str.maketrans("OIL", "011")


class UnknownRule(ValueError):
    """A selector that fits no rule; `suggestion` is the nearest one that does."""

    def __init__(self, selector: str, suggestion: str | None) -> None:
        hint = f"; did you mean {suggestion}?" if suggestion else "; `anchorlint rule --all` lists every rule"
        super().__init__(f"unknown rule {selector!r}{hint}")
        self.selector = selector
        self.suggestion = suggestion


def selected_codes(settings: Settings, cards: Mapping[str, Card]) -> frozenset[str]:
    """The codes of the rules that `settings` turn on; raises UnknownRule.

    The more specific selector wins (code or name, then longer prefix, then ALL); at a tie `ignore` does. Rules in
    preview need `preview`, their own code or name, or ALL. The linter's own rules are always on.
    """
    chosen: dict[str, int] = {}
    for selector in (*(settings.select or ()), *settings.extend_select):
        for code in expand(selector, cards):
            if cards[code].status == "stable" or settings.preview or _reaches_preview(selector, code, cards):
                chosen[code] = max(chosen.get(code, -1), _weight(selector))
    if settings.select is None:
        for card in cards.values():
            if card.status == "stable" or settings.preview:
                chosen.setdefault(card.code, -1)
    ignored: dict[str, int] = {}
    for selector in settings.ignore:
        for code in expand(selector, cards):
            ignored[code] = max(ignored.get(code, -1), _weight(selector))
    kept = {code for code, weight in chosen.items() if weight > ignored.get(code, -2)}
    return frozenset(kept | {card.code for card in cards.values() if card.on == "engine"})


def expand(selector: str, cards: Mapping[str, Card]) -> frozenset[str]:
    """The codes that one selector names, of stable and preview rules alike; raises UnknownRule."""
    if selector == "ALL":
        return frozenset(cards)
    if PREFIX.fullmatch(selector) and (found := {code for code in cards if code.startswith(selector)}):
        return frozenset(found)
    return frozenset({rule_code(selector, cards)})


def rule_code(word: str, cards: Mapping[str, Card]) -> str:
    """The code of the rule that `word` names by code or name; raises UnknownRule."""
    if word in cards:
        return word
    for card in cards.values():
        if card.name == word:
            return card.code
    raise UnknownRule(word, _nearest(word, cards.values()))


def _nearest(word: str, cards: Iterable[Card]) -> str | None:
    known = {known: known for card in cards for known in (card.code, card.name)}
    misread = word[:3].upper() + word[3:].upper().translate(LOOK_ALIKE)
    if misread in known:
        return misread
    folded = word.lower().replace("_", "-")
    near = difflib.get_close_matches(word.upper(), known, 1, 0.8) or difflib.get_close_matches(folded, known, 1, 0.7)
    return near[0] if near else None


def _reaches_preview(selector: str, code: str, cards: Mapping[str, Card]) -> bool:
    return selector == "ALL" or selector == code or selector == cards[code].name


def _weight(selector: str) -> int:
    if selector == "ALL":
        return 0
    return len(selector) if PREFIX.fullmatch(selector) else EXACT
