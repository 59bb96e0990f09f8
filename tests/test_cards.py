"""The cards are true: Bad reports its marks, Good and Not reported are silent, Says is what is rendered."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchorlint.domain.finding import Finding
from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.cards import Card, cards
from anchorlint.knowledge.fences import Project
from anchorlint.report import full
from harness import analysed, found, lay, misplaced
from house.test_messages import complaints

SILENT = ("Good", "Not reported")


def projects(titles: tuple[str, ...]) -> list[object]:
    return [
        pytest.param(card, project, id=f"{card.code}-{title}-{project.heading or number}".replace(" ", "-"))
        for card in cards().values()
        for title in titles
        if title in card.sections
        for number, project in enumerate(card.sections[title].projects, 1)
    ]


@pytest.mark.parametrize(("card", "project"), projects(("Bad",)))
def test_bad_is_reported_where_it_is_marked(card: Card, project: Project, tmp_path: Path) -> None:
    marks = lay(project, tmp_path)
    report = analysed(tmp_path)
    assert found(report) == marks
    assert card.code in {code for _, _, code in marks}
    assert not report.problems
    assert not misplaced(report)
    for finding in report.findings:
        _speaks_well(finding)


@pytest.mark.parametrize(("card", "project"), projects(SILENT))
def test_good_is_silent(card: Card, project: Project, tmp_path: Path) -> None:
    assert not lay(project, tmp_path), "a mark where nothing is to be reported"
    report = analysed(tmp_path)
    assert found(report) == []
    assert not report.problems


@pytest.mark.parametrize("card", cards().values(), ids=lambda card: card.code)
def test_says_is_what_is_rendered(card: Card, tmp_path: Path, bless: bool) -> None:
    lay(card.sections["Bad"].projects[0], tmp_path)
    report = analysed(tmp_path)
    rendered = full.render(report).rstrip("\n") + "\n"
    (block,) = card.sections["Says"].projects[0].fences
    if bless and block.text != rendered:
        _rewrite(card, block.text, rendered)
    else:
        assert block.text == rendered, "run `pytest --bless` if this is what it is meant to say"


def _rewrite(card: Card, before: str, after: str) -> None:
    file = rules_directory() / f"{card.code}-{card.name}.md"
    start = card.text.index("```text\n", card.text.index("\n## Says\n")) + len("```text\n")
    assert card.text.startswith(before, start)
    file.write_text(card.text[:start] + after + card.text[start + len(before) :], encoding="utf-8")


def _speaks_well(finding: Finding) -> None:
    for message in (finding.message, *(note.message for note in finding.notes)):
        assert not complaints(message), f"{finding.code}: {message!r} {complaints(message)}"
