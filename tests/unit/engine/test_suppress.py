"""Ignore comments hold findings back; comments that do nothing or make no sense are findings."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from anchorlint.domain.finding import Finding, Severity
from anchorlint.domain.span import Span
from anchorlint.engine.comments import Comment
from anchorlint.engine.suppress import Sifted, sift
from anchorlint.knowledge.cards import Card

KNOWN = {
    code: Card(code, name, "", Severity.ERROR, "stable", "0.1", on, "")
    for code, name, on in (
        ("ANC101", "late-retry", "python"),
        ("RTY201", "budget-name", "python"),
        ("ANL001", "unused-ignore", "engine"),
    )
}


def finding(code: str, first: int, last: int | None = None) -> Finding:
    return Finding(code=code, message="", span=Span.of("a.py", first, 1, last or first, 9))


def sifted(said: str, *findings: Finding, lines: tuple[int, int] = (3, 3), judged: Iterable[str] = KNOWN) -> Sifted:
    comment = Comment(said, 3, 20, *lines)
    return sift(findings, {"a.py": [comment]}, {"a.py": frozenset(judged)}, KNOWN)


@pytest.mark.parametrize(
    "said", ["ignore[ANC101] why", "ignore[late-retry]", "ignore[ RTY201 , ANC101 ]", "ignore[ANC101]why"]
)
def test_codes_and_names_hold_back(said: str) -> None:
    result = sifted(said, finding("ANC101", 3), finding("RTY201", 3))
    assert "ANC101" in {found.code for found, _ in result.suppressed}


def test_the_reason_is_kept() -> None:
    ((_, reason),) = sifted("ignore[ANC101] checked upstream", finding("ANC101", 3)).suppressed
    assert reason == "checked upstream"


@pytest.mark.parametrize(("first", "last", "held"), [(3, 3, 1), (1, 3, 1), (3, 9, 1), (1, 2, 0), (4, 4, 0)])
def test_any_line_of_the_finding_counts(first: int, last: int, held: int) -> None:
    assert len(sifted("ignore[ANC101]", finding("ANC101", first, last)).suppressed) == held


def test_the_whole_file() -> None:
    result = sifted("file-ignore[ANC101]", finding("ANC101", 1), finding("ANC101", 90), finding("RTY201", 3))
    assert len(result.suppressed) == 2
    assert [found.code for found in result.kept] == ["RTY201"]


def test_another_file_is_not_meant() -> None:
    other = Finding(code="ANC101", message="", span=Span.of("b.py", 3, 1, 3, 2))
    assert sifted("file-ignore[ANC101]", other).kept == (other,)


def test_each_code_that_is_not_reported_is_unused_at_its_own_place() -> None:
    result = sifted("ignore[ANC101, RTY201]", finding("ANC101", 3))
    (unused,) = result.about
    assert (unused.code, unused.span) == ("ANL001", Span.of("a.py", 3, 20 + 15, 3, 20 + 21))


def test_what_was_not_checked_is_not_unused() -> None:
    assert sifted("ignore[RTY201]", judged=["ANC101"]).about == ()


@pytest.mark.parametrize(
    "said",
    [
        "ignore",
        "ignore[]",
        "ignore[ANC101",
        "ignore ANC101",
        "off",
        "",
        "ignore[NOPE]",
        "ignore[ANC]",
        "Ignore[ANC101]",
    ],
)
def test_what_is_not_understood_ignores_nothing(said: str) -> None:
    result = sifted(said, finding("ANC101", 3))
    assert not result.suppressed
    assert [found.code for found in result.about] == ["ANL002"]


def test_one_unknown_name_does_not_spoil_the_others() -> None:
    result = sifted("ignore[late-rety, RTY201]", finding("RTY201", 3))
    assert len(result.suppressed) == 1
    (wrong,) = result.about
    assert wrong.code == "ANL002" and "late-retry" in str(wrong.help)


def test_the_linters_own_rules_cannot_be_ignored() -> None:
    (found,) = sifted("ignore[ANL001]").about
    assert found.code == "ANL002"
