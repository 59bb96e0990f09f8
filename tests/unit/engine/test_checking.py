"""Checks are imported when their rule is selected; one that breaks does not hide the others."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator

import pytest

from anchorlint.domain.finding import Finding, Severity
from anchorlint.domain.span import Span
from anchorlint.engine.checking import run_checks
from anchorlint.knowledge.cards import Card

HERE = Span.of("a.py", 1, 1, 1, 2)


def card(code: str, on: str = "python") -> Card:
    return Card(code, "some-rule", "", Severity.WARNING, "stable", "0.1", on, "")


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[object], Iterator[Finding]]], Card]:
    def put(code: str, check: Callable[[object], Iterator[Finding]]) -> Card:
        made = card(code)
        module = types.ModuleType(made.stem)
        module.check = check  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"anchorlint.checks.{made.stem}", module)
        return made

    return put


def good(_: object) -> Iterator[Finding]:
    yield Finding(code="XXX101", message="m", span=HERE)


def severe(_: object) -> Iterator[Finding]:
    yield Finding(code="XXX102", message="m", span=HERE, severity=Severity.NOTE)
    yield Finding(code="XXX102", message="m", span=HERE, severity=Severity.NOTE)


def broken(_: object) -> Iterator[Finding]:
    yield Finding(code="XXX103", message="m", span=HERE)
    raise KeyError("lost\nand more")


def stranger(_: object) -> Iterator[Finding]:
    yield Finding(code="XXX101", message="m", span=HERE)


def test_findings_are_stamped_and_doubles_dropped(install: Callable[..., Card]) -> None:
    checked = run_checks([install("XXX101", good), install("XXX102", severe)], object())
    assert [(f.code, f.name, f.severity) for f in checked.findings] == [
        ("XXX101", "some-rule", Severity.WARNING),
        ("XXX102", "some-rule", Severity.NOTE),
    ]


def test_what_broke_is_told_and_the_others_go_on(install: Callable[..., Card]) -> None:
    checked = run_checks([install("XXX103", broken), install("XXX101", good)], object())
    assert "XXX101" in {finding.code for finding in checked.findings}
    (problem,) = checked.problems
    assert problem.message == "internal error in XXX103: KeyError: 'lost\\nand more'; the other rules ran"
    assert checked.broken == {"XXX103"}
    assert "Traceback" in checked.remarks[0]


def test_a_check_speaks_for_its_own_rule_only(install: Callable[..., Card]) -> None:
    assert run_checks([install("XXX104", stranger)], object()).broken == {"XXX104"}


def test_a_rule_without_a_check_is_an_error() -> None:
    assert run_checks([card("XXX109")], object()).broken == {"XXX109"}
