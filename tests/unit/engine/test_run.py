"""What a run promises as a whole, whichever way it is asked."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from itertools import permutations
from pathlib import Path

import pytest

from anchorlint.domain.report import Report
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.settings import Said
from anchorlint.knowledge.cards import cards
from anchorlint.report import json
from harness import AS_OF, name_of, unmarked

Project = Callable[[Mapping[str, str]], Path]

MANIFEST = '[[schedules]]\nid = "{0}"\nworkflow = "{0}"\nafter_schedule_ids = ["{0}"]\ndependency_deadline = "9:00"\n'


def retried(folder: str = "") -> dict[str, str]:
    """The files of a program in which ANC101 is found."""
    (bad, *_) = cards()["ANC101"].sections["Bad"].projects
    return {folder + name_of(fence): unmarked("", fence.text)[0] for fence in bad.fences}


def checked(*paths: str, **more: object) -> Report:
    return run(Request(paths=paths or (".",), as_of=AS_OF, use_cache=False, jobs=1, **more))


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def test_the_order_of_arguments_does_not_matter(project: Project) -> None:
    project({"b/schedules.toml": MANIFEST.format("b"), "a/schedules.toml": MANIFEST.format("a"), **retried("c/")})
    said = {json.render(checked(*order)) for order in permutations(["a", "b/schedules.toml", "c"])}
    assert len(said) == 1
    assert said == {json.render(checked("."))}


def test_findings_are_sorted_by_place(project: Project) -> None:
    project({"b/schedules.toml": MANIFEST.format("b") * 2, "a.py": "def f(:\n", "z.py": "x = 1  # anchorlint: a\n"})
    places = [(f.span.path, f.span.start, f.code) for f in checked().findings]
    assert places == sorted(places) and len(places) >= 4


def test_what_was_not_named_is_read_and_not_reported(project: Project) -> None:
    files = retried()
    project({".git/HEAD": "", **files, "other/schedules.toml": MANIFEST.format("x"), "other/bad.py": "def f(:\n"})
    report = checked(*files)
    assert set(codes(report)) == {"ANC101"}
    assert not report.errors


def test_python_rules_are_silent_in_tests_unless_asked(project: Project) -> None:
    folder = project({name: f"import pytest\n{text}" for name, text in retried().items()})
    assert codes(checked()) == []
    (folder / "anchorlint.toml").write_text("include-tests = true\n")
    assert "ANC101" in codes(checked())


def test_a_comment_in_a_test_module_is_not_unused(project: Project) -> None:
    bad = {name: "import pytest\n" + text for name, text in retried().items()}
    folder = project(bad)
    (folder / "anchorlint.toml").write_text("include-tests = true\n")
    (found, *_) = checked().findings
    lines = bad[found.span.path].split("\n")
    lines[found.span.start.line - 1] += "  # anchorlint: ignore[ANC101] known"
    (folder / found.span.path).write_text("\n".join(lines))
    (folder / "anchorlint.toml").unlink()
    assert codes(checked()) == []


def test_a_comment_for_a_rule_that_needs_runs_is_not_unused_without_them(project: Project) -> None:
    text = '[[schedules]]\nid = "a"\nworkflow = "a"\ncron = "0 5 * * *" # anchorlint: ignore[SCH402] known\n'
    folder = project({"schedules.toml": text})
    assert codes(checked()) == []
    row = "2026-11-01T05:00:00Z"
    (folder / "runs.csv").write_text(
        f"schedule_id,scheduled_for,started_at,finished_at,status\na,{row},{row},{row},completed\n"
    )
    assert codes(checked()) == ["ANL001"]


def test_texts_stand_in_for_files(project: Project) -> None:
    project({"a.py": "x = 1\n", "b.py": "def f(:\n"})
    texts = {"a.py": "def f(:\n", "new/c.py": "def f(:\n"}
    report = checked("a.py", "new/c.py", "./b.py", texts={**texts, "./b.py": "y = 1\n"})
    assert [(f.span.path, f.code) for f in report.findings] == [("a.py", "ANL003"), ("new/c.py", "ANL003")]


def test_texts_that_were_given_are_not_kept(project: Project) -> None:
    project({"a.py": "x = 1\n"})
    request = Request(paths=("a.py",), texts={"a.py": "def f(:\n"}, jobs=1)
    assert codes(run(request)) == ["ANL003"]
    assert codes(run(Request(paths=("a.py",), jobs=1))) == []


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_collection_is_as_it_was(was_on: bool, project: Project) -> None:
    project({"a.py": "x = 1\n"})
    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        checked()
        assert gc.isenabled() == was_on
        with pytest.raises(ValueError, match="unknown rule"):
            checked(said=Said(select=("NOPE",)))
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_an_entrypoint_is_read_although_only_python_was_named(project: Project) -> None:
    project({".git/HEAD": "", "a.py": "x = 1\n", "ops/schedules.toml": MANIFEST.format("a")})
    report = checked("a.py")
    assert (report.summary.schedules, report.summary.files, codes(report)) == (1, 1, [])
