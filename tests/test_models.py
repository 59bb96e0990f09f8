"""The pages of rules/models/ are true: what they show as bad is reported, what they show as good is not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from anchorlint.documents.toml import values
from anchorlint.domain.report import Report
from anchorlint.knowledge import rules_directory
from anchorlint.knowledge.cards import cards
from anchorlint.knowledge.fences import Project, sections
from anchorlint.knowledge.models import Models, models, own
from anchorlint.python import program
from harness import Mark, analysed, found, lay

PAGES = sorted(page for page in (rules_directory() / "models").glob("*.md") if page.stem != "README")


def projects(title: str) -> list[object]:
    return [
        pytest.param(project, id=f"{page.stem}-{title}-{project.heading}".replace(" ", "-"))
        for page in PAGES
        for project in sections(page.read_text(encoding="utf-8"))[title].projects
    ]


@pytest.mark.parametrize("project", projects("Bad"))
def test_bad_is_reported_where_it_is_marked(project: Project, tmp_path: Path) -> None:
    marks = lay(project, tmp_path)
    assert marks, "nothing is marked"
    _skip_without_rule(marks)
    report = analysed(tmp_path)
    assert found(report) == marks
    assert not report.problems


def _skip_without_rule(marks: list[Mark]) -> None:
    missing = {code for _, _, code in marks} - cards().keys()
    if missing:
        pytest.skip(f"no rule {', '.join(sorted(missing))} yet")


@pytest.mark.parametrize("project", projects("Good"))
def test_good_is_silent(project: Project, tmp_path: Path) -> None:
    assert not lay(project, tmp_path), "a mark where nothing is to be reported"
    report = analysed(tmp_path)
    assert found(report) == []
    assert not report.problems


def test_the_store_of_the_readme_is_one() -> None:
    fences = sections("## All\n" + (rules_directory() / "models" / "README.md").read_text(encoding="utf-8"))["All"]
    (block,) = (fence for project in fences.projects for fence in project.fences)
    known = models(values(block.text)["tool"]["anchorlint"])
    read = known.store_read("hall.holds.find")
    assert read is not None and read[0].life is not None and read[0].life.default_s == 900


# For each kind of table a page that shows nothing without it.
NEEDED = {
    "clocks": "time: time",
    "predicates": "time: oslo",
    "identities": "messaging: Pub/Sub",
    "durations": "time: pendulum",
    "shifts": "time: arrow",
    "gates": "signing: itsdangerous",
    "types": "messaging: RabbitMQ",
    "effects": "http: an outage is not an absence",
    "exceptions": "signing: Django",
    "decorators": "retry: tenacity",
    "calls": "celery: retry by hand",
    "raises": "queues: arq",
    "loops": "workflows: Temporal",
    "polls": "workflows: Airflow polls a function",
    "policies": "workflows: Dagster",
    "whens": "retry: tenacity by result",
    "acks": "messaging: Service Bus",
}


@pytest.mark.parametrize("kind", NEEDED)
def test_a_kind_of_table_is_needed(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = lay(_page(NEEDED[kind]), tmp_path)
    _skip_without_rule(marks)
    report = analysed(tmp_path)
    assert found(report) == marks
    monkeypatch.setattr(program, "models", lambda: Models(tuple(_without(kind, tables) for tables in own())))
    assert told(analysed(tmp_path)) != told(report)


def told(report: Report) -> list[tuple[str, int, str]]:
    """What a report says and where; a lost number is in the message."""
    return [(finding.span.path, finding.span.start.line, finding.message) for finding in report.findings]


def _page(name: str) -> Project:
    stem, heading = name.split(": ")
    bad = sections((rules_directory() / "models" / f"{stem}.md").read_text(encoding="utf-8"))["Bad"]
    return next(project for project in bad.projects if project.heading == heading)


def _without(kind: str, tables: msgspec.Struct) -> msgspec.Struct:
    replace = msgspec.structs.replace
    if kind in tables.retries.__struct_fields__:
        return replace(tables, retries=replace(tables.retries, **{kind: ()}))
    return replace(tables, **{kind: ()})
