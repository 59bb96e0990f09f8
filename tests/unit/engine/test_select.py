"""Codes, prefixes, names and ALL choose rules; the more specific selector wins."""

from __future__ import annotations

import pytest

from anchorlint.domain.finding import Severity
from anchorlint.engine.select import UnknownRule, expand, rule_code, selected_codes
from anchorlint.engine.settings import Settings
from anchorlint.knowledge.cards import Card

KNOWN = {
    code: Card(code, name, "", Severity.ERROR, status, "0.1", on, "")
    for code, name, status, on in (
        ("ANC101", "late-retry", "stable", "python"),
        ("ANC103", "narrow-clamp", "preview", "python"),
        ("RTY201", "budget-name", "stable", "python"),
        ("SCH401", "overlap", "stable", "schedules"),
        ("ANL001", "unused", "stable", "engine"),
    )
}
OWN = {"ANL001"}


def chosen(**settings: object) -> set[str]:
    return set(selected_codes(Settings(**settings), KNOWN)) - OWN


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        ({}, {"ANC101", "RTY201", "SCH401"}),
        ({"preview": True}, {"ANC101", "ANC103", "RTY201", "SCH401"}),
        ({"select": ("ALL",)}, {"ANC101", "ANC103", "RTY201", "SCH401"}),
        ({"select": ("ANC",)}, {"ANC101"}),
        ({"select": ("ANC",), "preview": True}, {"ANC101", "ANC103"}),
        ({"select": ("ANC103",)}, {"ANC103"}),
        ({"select": ("narrow-clamp",)}, {"ANC103"}),
        ({"extend_select": ("narrow-clamp",)}, {"ANC101", "ANC103", "RTY201", "SCH401"}),
        ({"ignore": ("ANC",)}, {"RTY201", "SCH401"}),
        ({"select": ("ANC101", "RTY"), "ignore": ("ANC",)}, {"ANC101", "RTY201"}),
        ({"select": ("ANC101",), "ignore": ("late-retry",)}, set()),
        ({"select": ("ALL",), "ignore": ("ALL",)}, set()),
        ({"select": ("ANC1",), "ignore": ("ANC",)}, {"ANC101"}),
    ],
)
def test_what_is_selected(settings: dict[str, object], codes: set[str]) -> None:
    assert chosen(**settings) == codes


def test_the_linters_own_rules_cannot_be_deselected() -> None:
    assert set(selected_codes(Settings(select=("SCH401",), ignore=("ANL001",)), KNOWN)) == {"SCH401", "ANL001"}


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("RTY210", "RTY201"),
        ("SCH4OI", "SCH401"),
        ("anc101", "ANC101"),
        ("late_retry", "late-retry"),
        ("budget-nam", "budget-name"),
    ],
)
def test_an_unknown_rule_is_told_its_neighbour(word: str, suggestion: str) -> None:
    with pytest.raises(UnknownRule) as raised:
        rule_code(word, KNOWN)
    assert raised.value.suggestion == suggestion
    assert suggestion in str(raised.value)


@pytest.mark.parametrize("selector", ["XYZ", "ANC9", "", "anc", "ANC1011"])
def test_a_selector_that_fits_nothing_is_an_error(selector: str) -> None:
    with pytest.raises(UnknownRule):
        expand(selector, KNOWN)
