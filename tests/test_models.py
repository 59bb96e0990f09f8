"""The pages of rules/models/ are true: what they show as bad is reported, what they show as good is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.cards import cards
from anchorlint.knowledge.fences import Project, sections
from harness import analysed, found, lay

# Found once the engine follows what these hang on.
NOT_YET = {
    "retry-Good-tenacity-in-a-block": "the condition of a Retrying block",
}
PAGES = sorted((rules_directory() / "models").glob("*.md"))


def projects(title: str) -> list[object]:
    return [
        _case(f"{page.stem}-{title}-{project.heading}".replace(" ", "-"), project)
        for page in PAGES
        for project in sections(page.read_text(encoding="utf-8"))[title].projects
    ]


def _case(name: str, project: Project) -> object:
    marks = (pytest.mark.xfail(reason=NOT_YET[name], strict=True),) if name in NOT_YET else ()
    return pytest.param(project, id=name, marks=marks)


@pytest.mark.parametrize("project", projects("Bad"))
def test_bad_is_reported_where_it_is_marked(project: Project, tmp_path: Path) -> None:
    marks = lay(project, tmp_path)
    assert marks, "nothing is marked"
    missing = {code for _, _, code in marks} - cards().keys()
    if missing:
        pytest.skip(f"no rule {', '.join(sorted(missing))} yet")
    report = analysed(tmp_path)
    assert found(report) == marks
    assert not report.problems


@pytest.mark.parametrize("project", projects("Good"))
def test_good_is_silent(project: Project, tmp_path: Path) -> None:
    assert not lay(project, tmp_path), "a mark where nothing is to be reported"
    report = analysed(tmp_path)
    assert found(report) == []
    assert not report.problems
