"""What names suggest: weighted vocabularies, read from rules/words.toml and a user's own, used where values say
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

import msgspec

from anchorlint.documents.toml import values
from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.families import parts
from anchorlint.knowledge.invalid import InvalidModel, invalid
from anchorlint.knowledge.tables import Names, Unit

UNITS: Names = ("ns", "us", "ms", "s", "min", "h", "d")


class Vocabulary:
    """Words with weights. `deadline` counts anywhere in a name, `*_at` at its end, `next_*` at its start, `=now` alone.

    A word may have several parts (`not_before`). Capitals and underscores make no difference, word boundaries do.
    """

    __slots__ = ("_firsts", "_known", "_longest", "_weights", "words")

    def __init__(self, words: Mapping[str, float]) -> None:
        self.words: Mapping[str, float] = words
        self._known: dict[str, float] = {}
        self._weights: dict[tuple[str, Names], float] = {}
        for word, weight in words.items():
            kind = "=" if word[0] == "=" else "end" if word[0] == "*" else "start" if word[-1] == "*" else "any"
            self._weights[kind, parts(word)] = weight
        self._longest = max((len(key) for _, key in self._weights), default=0)
        self._firsts = frozenset(key[0] for _, key in self._weights)

    def weight(self, name: str) -> float:
        """The weight that counts most of all that apply to an identifier or text; 0 where none does."""
        known = self._known.get(name)
        if known is None:
            spelled = parts(name)
            if self._firsts.isdisjoint(spelled):
                known = 0.0  # most names hold no word at all, not even the first part of one
            else:
                known = max((self._weights[found] for found in self._found(spelled)), key=abs, default=0.0)
            self._known[name] = known
        return known

    def __contains__(self, name: object) -> bool:
        known = self._known.get(name)  # type: ignore[call-overload]
        if known is None:
            known = self.weight(name) if isinstance(name, str) else 0.0
        return bool(known > 0)

    def _found(self, spelled: Names) -> Iterable[tuple[str, Names]]:
        many = len(spelled)
        for start in range(many):
            if spelled[start] not in self._firsts:
                continue
            for end in range(start + 1, min(many, start + self._longest) + 1):
                piece = spelled[start:end]
                fits = (("any", True), ("start", start == 0), ("end", end == many), ("=", end - start == many))
                yield from ((kind, piece) for kind, true in fits if true and (kind, piece) in self._weights)


class Words:
    """Every vocabulary by its name, and the units that a name's last word declares."""

    def __init__(self, vocabularies: Mapping[str, Mapping[str, float]], units: Mapping[str, str]) -> None:
        self.vocabularies = {name: Vocabulary(words) for name, words in vocabularies.items()}
        self.units = units

    def __getitem__(self, vocabulary: str) -> Vocabulary:
        return self.vocabularies[vocabulary]

    def weight(self, vocabulary: str, name: str) -> float:
        """How strongly a name belongs to a vocabulary; negative where it speaks against it, 0 where it says nothing."""
        return self.vocabularies[vocabulary].weight(name)

    def unit(self, name: str) -> Unit | None:
        """The unit that a name declares by its end: `timeout_ms`, `retentionDays`; a rate (`per_minute`) has none."""
        spelled = parts(name)
        if len(spelled) < 2 or spelled[-2] in ("per", "of", "in") or len(spelled[-1]) == 1 and "_" not in name:
            return None
        unit = self.units.get(spelled[-1])
        return cast(Unit, unit) if unit else None


def words(user: Mapping[str, Any] | None = None) -> Words:
    """The vocabularies of rules/words.toml, changed by the user's: a weight of 0 takes a word out.

    Raises InvalidModel where a vocabulary does not exist, a weight is no number or a unit is unknown.
    """
    if not user:
        return _own_words()
    own = _own()
    for key in user:
        if key not in own:
            raise InvalidModel(f"no such vocabulary; there are {', '.join(sorted(own))}", (key,))
    return _made({name: {**own[name], **_checked(name, user.get(name, {}))} for name in own})


@cache
def _own_words() -> Words:
    return _made(_own())


@cache
def _own() -> dict[str, dict[str, Any]]:
    read = values((rules_directory() / "words.toml").read_text(encoding="utf-8"))
    return {name: _checked(name, table) for name, table in read.items()}


def _checked(name: str, table: Any) -> dict[str, Any]:
    shape: Any = dict[str, str] if name == "unit" else dict[str, float]
    try:
        checked: dict[str, Any] = msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        wrong = invalid(error)
        raise InvalidModel(wrong.message, (name, *wrong.keys)) from None
    for word, value in checked.items():
        if not parts(word):
            raise InvalidModel("a word needs a letter", (name, word))
        if name == "unit" and value not in ("", *UNITS):
            raise InvalidModel(f"a unit is one of {', '.join(UNITS)}, or empty to take the word out", (name, word))
    return checked


def _made(tables: Mapping[str, Mapping[str, Any]]) -> Words:
    weighted = {name: {word: w for word, w in table.items() if w} for name, table in tables.items() if name != "unit"}
    return Words(weighted, tables["unit"])
