"""A project starts with what it has: known findings are left out, new ones are not, mended ones have to go."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import Result

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

ONE = '[[schedules]]\nid = "one"\nworkflow = "one"\nafter_schedule_ids = ["one"]\ndependency_deadline = "9:00"\n'
TWO = ONE.replace("one", "two")
CONFIGURED = {"anchorlint.toml": 'baseline = "known.json"\n', ".git/HEAD": ""}


def codes(result: Result) -> list[str]:
    return [line.split()[1] for line in result.stdout.splitlines()]


@pytest.fixture
def check(anchorlint: Anchorlint) -> Anchorlint:
    return lambda *arguments: anchorlint("check", "--output-format", "concise", "--no-cache", *arguments)


def test_known_findings_are_left_out_and_new_ones_are_not(
    project: Project, anchorlint: Anchorlint, check: Anchorlint
) -> None:
    folder = project({"schedules.toml": ONE})
    result = anchorlint("baseline")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 finding written to anchorlint-baseline.json\n"
    assert check().exit_code == 1
    known = check("--baseline", "anchorlint-baseline.json")
    assert (known.exit_code, codes(known)) == (0, [])
    assert "1 in the baseline" in known.stderr
    (folder / "schedules.toml").write_text("# moved\n\n" + ONE + TWO)
    new = check("--baseline", "anchorlint-baseline.json")
    assert new.stdout.startswith("schedules.toml:11:23: SCH404 two waits")
    assert len(codes(new)) == 1


def test_mended_findings_have_to_go(project: Project, anchorlint: Anchorlint, check: Anchorlint) -> None:
    folder = project({"schedules.toml": ONE + TWO, **CONFIGURED})
    anchorlint("baseline")
    assert codes(check()) == []
    (folder / "schedules.toml").write_text(TWO)
    mended = check()
    assert mended.stdout.startswith("known.json:4:3: ANL005 SCH404 in schedules.toml is in the baseline but is not")
    assert mended.exit_code == 1
    anchorlint("baseline")
    assert codes(check()) == []
    assert len(json.loads((folder / "known.json").read_text())["findings"]) == 1


def test_what_was_not_looked_at_is_not_judged(project: Project, anchorlint: Anchorlint, check: Anchorlint) -> None:
    folder = project({"a/schedules.toml": ONE, "b/schedules.toml": TWO, **CONFIGURED})
    anchorlint("baseline")
    (folder / "a/schedules.toml").write_text("")
    assert codes(check("b")) == []
    assert codes(check("--ignore", "SCH404")) == []
    (folder / "a/schedules.toml").write_text("[[")
    assert codes(check()) == ["ANL003"]
    (folder / "a/schedules.toml").unlink()
    assert codes(check("b")) == ["ANL005"]


def test_a_part_can_be_written_anew(project: Project, anchorlint: Anchorlint, check: Anchorlint) -> None:
    folder = project({"a/schedules.toml": ONE, "b/schedules.toml": TWO, **CONFIGURED})
    anchorlint("baseline")
    (folder / "a/schedules.toml").write_text("")
    anchorlint("baseline", "a")
    assert codes(check()) == []


def test_it_does_not_matter_where_the_command_is_run(
    project: Project, anchorlint: Anchorlint, check: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project({"a/schedules.toml": ONE, **CONFIGURED})
    anchorlint("baseline")
    monkeypatch.chdir(folder / "a")
    assert codes(check()) == []


def test_it_is_written_alike_each_time(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"b/schedules.toml": ONE + ONE, "a/schedules.toml": TWO})
    anchorlint("baseline", "-o", "x.json")
    anchorlint("baseline", "b", "a", "-o", "y.json")
    anchorlint("baseline", "-o", "y.json")
    assert (folder / "x.json").read_text() == (folder / "y.json").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "malformed baseline"),
        ("[]", "no baseline: write one"),
        ('{"findings": [{"code": 1}]}', "no baseline: write one"),
        (None, "cannot read the file: no such file"),
    ],
)
def test_one_that_cannot_be_read(text: str | None, words: str, project: Project, check: Anchorlint) -> None:
    project({"schedules.toml": ONE, **({"known.json": text} if text is not None else {})})
    result = check("--baseline", "known.json")
    assert (result.exit_code, codes(result)) == (2, ["SCH404"])
    assert words in result.stderr


def test_what_was_not_checked_cannot_be_written_down(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"a.py": "def f(:\n"})
    result = anchorlint("baseline")
    assert result.exit_code == 2
    assert "a.py:1:7: not checked" in result.stderr
    assert not (folder / "anchorlint-baseline.json").exists()
