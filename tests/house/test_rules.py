"""Cards and checks are one to one: adding a rule means adding two files of one stem."""

from __future__ import annotations

import ast

import pytest

from anchorlint.knowledge.cards import Card, cards
from house.source import PACKAGE, ROOT, modules

every_card = pytest.mark.parametrize("card", cards().values(), ids=lambda card: card.code)
SECTIONS = ("Why", "Bad", "Says", "Good", "Not reported")


def test_there_are_rules() -> None:
    assert len(cards()) == len(list((ROOT / "rules").glob("*.md"))) > 10


def test_every_check_has_a_card_and_every_card_a_check() -> None:
    modules_of_checks = {file.stem for file in (PACKAGE / "checks").glob("*.py")} - {"__init__"}
    assert modules_of_checks == {card.stem for card in cards().values() if card.on != "engine"}


@every_card
def test_the_linters_own_findings_have_one_emitter(card: Card) -> None:
    makers = [f"{module.path}:{line}" for module in modules() for line, code in _made(module.tree) if code == card.code]
    if card.on == "engine":
        assert len(makers) == 1 and makers[0].startswith("anchorlint/engine/"), makers
    else:
        assert {maker.partition(":")[0] for maker in makers} == {f"anchorlint/checks/{card.stem}.py"}


@every_card
def test_a_card_has_its_sections_in_order(card: Card) -> None:
    titles = [title for title in card.sections if title in SECTIONS]
    assert titles == list(SECTIONS), card.code
    assert set(card.sections) <= {*SECTIONS, "Options"}


def _made(tree: ast.Module) -> list[tuple[int, str]]:
    """Line and code of every `Finding(code=...)`, the code given as a string or as a constant of the module."""
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
            for keyword in node.keywords:
                if keyword.arg == "code":
                    value = keyword.value
                    code = value.value if isinstance(value, ast.Constant) else constants.get(ast.unparse(value), "?")
                    found.append((node.lineno, str(code)))
    return found
