"""Where settings come from, which file they hold for, and what is said about mistakes in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from anchorlint.domain.finding import Confidence, Problem
from anchorlint.engine.configuration import Configurations
from anchorlint.engine.own_models import KEYS, WORDS
from anchorlint.engine.request import Request
from anchorlint.engine.settings import Said, Settings, overridden
from anchorlint.knowledge.cards import cards
from anchorlint.knowledge.tables import Tables

Project = Callable[[Mapping[str, str]], Path]


def configured(**request: object) -> Configurations:
    return Configurations(Request(**request), cards())


def problems(text: str, project: Project) -> list[Problem]:
    project({"anchorlint.toml": text})
    return list(configured().problems([]))


def test_what_is_wrong_elsewhere_is_not_told(project: Project) -> None:
    project({"a/anchorlint.toml": "nonsense = 1\n", "b/anchorlint.toml": "nonsense = 1\n"})
    found = configured()
    assert [problem.path for problem in found.problems(["a/x.py", "a"])] == ["a/anchorlint.toml"]


def test_everything_works_without_any(project: Project) -> None:
    project({})
    assert configured().of(".").settings == Settings()


def test_the_nearest_file_holds_and_nothing_is_merged(project: Project) -> None:
    project(
        {
            "pyproject.toml": '[tool.anchorlint]\nfail-on = "error"\npreview = true\n',
            "a/anchorlint.toml": 'fail-on = "note"\n',
            "a/b/pyproject.toml": "[project]\nname = 'anchorlint-user'\n",
        }
    )
    found = configured()
    assert found.of_file("x.py").settings.fail_on == "error"
    assert found.of_file("a/b/x.py").settings.fail_on == "note"
    assert not found.of_file("a/b/x.py").settings.preview


def test_its_own_file_comes_before_pyproject(project: Project) -> None:
    project({"pyproject.toml": "[tool.anchorlint]\npreview = true\n", "anchorlint.toml": ""})
    assert not configured().of(".").settings.preview


def test_isolated_reads_none(project: Project) -> None:
    project({"anchorlint.toml": "preview = true\nnonsense = 1\n"})
    found = configured(isolated=True)
    assert not found.of(".").settings.preview
    assert not found.problems(["."])


def test_a_file_that_was_named_holds_everywhere(project: Project) -> None:
    project({"anchorlint.toml": "preview = true\n", "ci/strict.toml": "[tool.anchorlint]\nfail-on = 'note'\n"})
    settings = configured(config=("ci/strict.toml",)).of_file("deep/x.py").settings
    assert (settings.fail_on, settings.preview) == ("note", False)


def test_single_settings_come_on_top(project: Project) -> None:
    project({"anchorlint.toml": "preview = true\nfail-on = 'error'\n"})
    settings = configured(config=("fail-on = 'note'", "min-confidence='low'")).of(".").settings
    assert (settings.preview, settings.fail_on, settings.min_confidence) == (True, "note", Confidence.LOW)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("\nselct = ['ALL']\n", 2, 1, "did you mean select?"),
        ("fail_on = 'note'\n", 1, 1, "did you mean fail-on?"),
        ("qqqqqq = 1\n", 1, 1, "known are"),
        ("preview = 'yes'\n", 1, 11, "expected `bool`"),
        ("fail-on = 'warn'\n", 1, 11, "error, warning, note, never"),
        ("min-confidence = 'sure'\n", 1, 18, "high, medium, low"),
        ("select = ['ANL001', 'ANL0O1']\n", 1, 21, "did you mean ANL001?"),
        ("[per-file-ignores]\n'a.py' = ['unused-ignor']\n", 2, 11, "did you mean unused-ignore?"),
        ("exclude = ['a/', '!']\n", 1, 18, "no pattern"),
        ("[per-file-ignores]\n'[z-a]' = []\n", 2, 1, "no pattern"),
        ("runs-window = 0\n", 1, 15, "1"),
        ("preview = \n", 1, 11, "malformed TOML"),
        ("[[clock]]\ncalls = ['x']\nkint = 'y'\n", 3, 1, "no such key"),
        ("[words]\nnowt = { a = 1 }\n", 2, 1, "no such vocabulary"),
    ],
)
def test_a_mistake_has_its_place_and_a_hint(text: str, line: int, column: int, words: str, project: Project) -> None:
    (problem,) = problems(text, project)
    assert (problem.path, problem.line, problem.column) == ("anchorlint.toml", line, column)
    assert words in problem.message


def test_every_mistake_is_told_and_the_rest_is_in_force(project: Project) -> None:
    assert len(problems("one = 1\ntwo = 2\npreview = true\nignore = ['NOPE']\n", project)) == 3
    assert configured().of(".").settings.preview


@pytest.mark.parametrize("config", ["missing.toml", "nonsense = ", "=", "x.toml"])
def test_a_config_option_that_cannot_be_read(config: str, project: Project) -> None:
    folder = project({})
    (folder / "x.toml").write_bytes(b"preview = true # \xff\n")
    assert len(configured(config=(config,)).problems([])) == 1


def test_a_pyproject_without_our_table_is_none_even_if_malformed(project: Project) -> None:
    project({"pyproject.toml": "[project\n"})
    found = configured()
    assert not found.is_configured(".")
    assert not found.problems(["."])


def test_ignored_per_file_by_pattern(project: Project) -> None:
    project({"anchorlint.toml": "[per-file-ignores]\n'jobs/*.py' = ['ANL']\n"})
    assert configured().codes_for("jobs/a.py") == configured().codes_for("a.py")  # the linter's own stay on


def test_what_is_said_comes_on_top() -> None:
    written = Settings(select=("ANC",), ignore=("ANC101",), extend_exclude=("a",), exclude=("b",))
    said = overridden(written, Said(ignore=("SCH",), extend_exclude=("c",), exclude=("d",), fail_on="note"))
    assert said.ignore == ("ANC101", "SCH")
    assert (said.extend_exclude, said.exclude, said.fail_on, said.select) == (("a", "c"), ("d",), "note", ("ANC",))


def test_a_selection_that_is_said_starts_anew() -> None:
    written = Settings(select=("ANC",), extend_select=("RTY",), ignore=("SCH",))
    said = overridden(written, Said(select=("SCH401",)))
    assert (said.select, said.extend_select, said.ignore) == (("SCH401",), (), ())


def test_every_setting_that_can_be_said_is_a_setting() -> None:
    names = {field.name for field in msgspec.structs.fields(Settings)}
    assert {field.name for field in msgspec.structs.fields(Said)} <= names


def test_the_tables_of_users_are_those_of_the_models() -> None:
    assert KEYS - {WORDS} == {field.encode_name for field in msgspec.structs.fields(Tables)}
