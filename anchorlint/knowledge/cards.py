"""The page of each rule, read from rules/<CODE>-<name>.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from anchorlint.domain.finding import Severity
from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.fences import Section, sections

HEAD = re.compile(
    r"# (?P<code>[A-Z]{3}\d{3}) (?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)\n\n"
    r"(?P<summary>[^\n](?:[^\n]|\n(?!\n))*)\n\n```toml\n(?P<facts>.*?)```\n",
    re.DOTALL,
)
FACT = re.compile(r'(\w+)\s*=\s*"([^"\n]*)"\s*')


class Card(msgspec.Struct, frozen=True):
    """One rule as its page states it; `text` is the whole page."""

    code: str
    name: str
    summary: str
    severity: Severity
    status: Literal["stable", "preview"]
    since: str
    on: Literal["python", "schedules", "engine"]
    text: str

    @property
    def stem(self) -> str:
        """The name of the module that holds the rule's check."""
        return f"{self.code.lower()}_{self.name.replace('-', '_')}"

    @property
    def sections(self) -> dict[str, Section]:
        """The page's sections by heading, each with its example projects."""
        return sections(self.text)


def read_card(text: str, path: str) -> Card:
    """The card in `text`; ValueError names `path` and what is wrong with its head."""
    head = HEAD.match(text)
    if head is None:
        raise ValueError(f"{path}: a card starts with '# CODE name', a paragraph and a toml block")
    try:
        facts = dict(_facts(head["facts"]))
        return msgspec.convert(
            {**facts, "code": head["code"], "name": head["name"], "summary": " ".join(head["summary"].split()),
             "text": text},
            Card,
        )  # fmt: skip
    except (msgspec.ValidationError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _facts(block: str) -> Iterator[tuple[str, str]]:
    for line in filter(None, map(str.strip, block.splitlines())):
        fact = FACT.fullmatch(line)
        if fact is None:
            raise ValueError(f"cannot read {line!r}: one key and one quoted value a line")
        yield fact[1], fact[2]


@cache
def cards() -> dict[str, Card]:
    """Every card by code, in the order of codes."""
    found = {}
    for file in sorted(rules_directory().glob("[A-Z]*.md")):
        card = read_card(file.read_text(encoding="utf-8"), file.name)
        if file.stem != f"{card.code}-{card.name}":
            raise ValueError(f"{file.name}: the title says {card.code} {card.name}")
        found[card.code] = card
    return found
