"""What anchorlint says: one sentence, lower case, no full stop, at most 120 characters, never advice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from anchorlint.knowledge.cards import Card, cards
from house.source import Module, modules

LONGEST = 120
ADVICE = re.compile(r"\b(should|consider|please|must|ought|recommend\w*)\b", re.IGNORECASE)
HEADLINE = re.compile(r"^(?:error|warning|note)\[[A-Z]{3}\d{3}\][ :]+(?P<message>.*)$", re.MULTILINE)
SPEAKS = {"Finding": "message", "Note": "message"}


def complaints(message: str) -> list[str]:
    """What is wrong with the text of a message; `{}` stands for a value."""
    wrong = []
    first = message[:1]
    if first.isupper() and not re.match(r"[A-Z0-9_]{2,}\b|[A-Z]\w*[A-Z_.]", message):
        wrong.append("starts with a capital")
    if message.rstrip().endswith((".", "!")):
        wrong.append("ends with a full stop")
    if "\n" in message or re.search(r"[a-z)]\. [A-Z]", message):
        wrong.append("is more than one sentence")
    if ADVICE.search(message):
        wrong.append("gives advice")
    if len(message) > LONGEST:
        wrong.append(f"has {len(message)} characters")
    return wrong


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.path)
def test_messages_in_the_source(module: Module) -> None:
    for line, message in _spoken(module.tree):
        assert not complaints(message), f"{module.path}:{line}: {message!r} {complaints(message)}"


@pytest.mark.parametrize("card", cards().values(), ids=lambda card: card.code)
def test_messages_in_the_cards(card: Card) -> None:
    messages = [match["message"] for match in HEADLINE.finditer(card.sections["Says"].text)]
    assert messages, f"{card.code}: 'Says' shows no finding"
    for message in messages:
        assert not complaints(message), f"{card.code}: {message!r} {complaints(message)}"


@pytest.mark.parametrize(
    "message",
    ["The job fails", "it fails.", "it fails. Then it stops", "you should mend it", "x" * 121, "one\ntwo"],
)
def test_bad_messages_are_told(message: str) -> None:
    assert complaints(message)


def _spoken(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts that stand as messages in findings and notes, with `{}` for each value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKS:
            values = [k.value for k in node.keywords if k.arg == "message"]
            values += node.args[:1] if node.func.id == "Note" else node.args[1:2]
            yield from ((node.lineno, text) for value in values for text in _texts(value))


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in value.values)
    elif isinstance(value, ast.IfExp):
        yield from _texts(value.body)
        yield from _texts(value.orelse)
