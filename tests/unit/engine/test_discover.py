"""Which files are read and which are reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anchorlint.engine.configuration import Configurations
from anchorlint.engine.request import Request
from anchorlint.engine.settings import Said
from anchorlint.engine.targets import Targets, find_targets
from anchorlint.knowledge.cards import cards

Project = Callable[[Mapping[str, str]], Path]


def targets(*paths: str, texts: Mapping[str, str] | None = None, **said: object) -> Targets:
    request = Request(paths=paths or (".",), texts=texts or {}, said=Said(**said))
    return find_targets(request, Configurations(request, cards()))


def reported(*paths: str, **said: object) -> list[str]:
    return list(targets(*paths, **said).reported)


def files(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


def test_python_and_manifests_are_found_in_order(project: Project) -> None:
    project(files("b.py", "a/z.py", "a/stub.pyi", "schedules.toml", "notes.txt", "data.json"))
    assert reported() == ["a/stub.pyi", "a/z.py", "b.py", "schedules.toml"]
    assert targets().kinds["schedules.toml"] == "manifest"


def test_folders_that_hold_no_sources_of_the_project_are_left_out(project: Project) -> None:
    project(
        files(
            "a.py", ".hidden/b.py", ".venv/c.py", "node_modules/d.py", "lib/site-packages/e.py", "__pycache__/f.py",
            ".git/g.py", "env/pyvenv.cfg", "env/h.py", "dist/i.py",
        )
    )  # fmt: skip
    assert reported() == ["a.py"]
    assert any("virtual environment" in remark for remark in targets().remarks)


def test_hidden_files_and_the_folder_of_github_are_looked_at(project: Project) -> None:
    project(files(".github/scripts/a.py", ".noxfile.py"))
    assert reported() == [".github/scripts/a.py", ".noxfile.py"]


def test_what_git_ignores_is_left_out_unless_it_is_taken_back_in_or_named(project: Project) -> None:
    project(
        {
            ".gitignore": "made/\n*_pb.py\n!keep_pb.py\n",
            **files("a.py", "a_pb.py", "keep_pb.py", "made/b.py", "x/c_pb.py"),
        }
    )
    assert reported() == ["a.py", "keep_pb.py"]
    assert reported("made") == ["made/b.py"]
    assert reported("made/b.py", "a_pb.py") == ["a_pb.py", "made/b.py"]
    assert reported(respect_gitignore=False) == ["a.py", "a_pb.py", "keep_pb.py", "made/b.py", "x/c_pb.py"]


def test_the_deepest_gitignore_decides_and_those_above_the_repository_do_not(project: Project) -> None:
    project(
        {
            ".gitignore": "*.py\n",
            "repo/.git/HEAD": "",
            "repo/.gitignore": "gen_*.py\n",
            "repo/sub/.gitignore": "!gen_a.py\n",
            **files("repo/b.py", "repo/gen_b.py", "repo/sub/gen_a.py", "repo/sub/gen_c.py"),
        }
    )
    assert reported("repo") == ["repo/b.py", "repo/sub/gen_a.py"]


def test_lines_that_are_no_patterns_are_passed_over_as_by_git(project: Project) -> None:
    project({".gitignore": "!\n\\\n[z-a]\n\x00\n\n# b\nb.py\n", **files("a.py", "b.py")})
    assert reported() == ["a.py"]


def test_folders_may_be_nested_deeper_than_calls(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project({})
    for _ in range(600):
        folder = folder / "d"
        os.mkdir("d")
        os.chdir("d")
    Path("a.py").write_text("x = 1\n")
    os.chdir(folder.parents[599])
    (found,) = reported()
    assert found.endswith("/d/a.py")


def test_excludes_are_patterns_as_in_gitignore(project: Project) -> None:
    project(files("a.py", "old/b.py", "x/old/c.py", "x/d.py"))
    assert reported(exclude=("old",)) == ["a.py", "x/d.py"]
    assert reported(exclude=("/old",)) == ["a.py", "x/d.py", "x/old/c.py"]
    assert reported(extend_exclude=("*.py", "!a.py")) == ["a.py"]


def test_a_path_that_was_named_is_checked_although_excluded_unless_forced(project: Project) -> None:
    project(files("old/b.py", "node_modules/c.py"))
    assert reported("old/b.py", "node_modules/c.py", exclude=("old",)) == ["node_modules/c.py", "old/b.py"]
    found = targets("old/b.py", "old", "node_modules/c.py", exclude=("old",), force_exclude=True)
    assert found.reported == ()
    assert not found.problems
    assert "old/b.py: excluded" in found.remarks


def test_texts_of_excluded_files_are_left_out_when_forced(project: Project) -> None:
    project(files("old/b.py"))
    found = targets("old/b.py", texts={"old/b.py": "x = 1"}, exclude=("old",), force_exclude=True)
    assert found.reported == ()


def test_a_missing_path_is_a_problem(project: Project) -> None:
    project(files("a.py"))
    (problem,) = targets("a.py", "b.py").problems
    assert (problem.path, problem.message) == ("b.py", "no such file or folder")


def test_links_to_folders_are_not_followed_and_loops_end(project: Project) -> None:
    folder = project(files("a/b.py"))
    (folder / "a" / "loop").symlink_to(folder)
    (folder / "a" / "dangling.py").symlink_to(folder / "nowhere.py")
    (folder / "a" / "ring.py").symlink_to(folder / "a" / "ring.py")
    (folder / "a" / "linked.py").symlink_to(folder / "a" / "b.py")
    assert reported() == ["a/b.py", "a/linked.py"]
    assert reported("a/loop") == ["a/loop/a/b.py", "a/loop/a/linked.py"]


def test_a_folder_that_cannot_be_read_matters_if_it_was_asked_for(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(files(".git/HEAD", "a/a.py", "shut/b.py"))
    scandir = os.scandir

    def shut(path: str) -> object:
        if path == "shut":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr("anchorlint.engine.discover.os.scandir", shut)
    assert [problem.path for problem in targets().problems] == ["shut"]
    assert not targets("a").problems
    assert "shut: cannot read the folder: permission denied" in targets("a").remarks


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_opened(project: Project) -> None:
    folder = project(files("a.py"))
    os.mkfifo(folder / "b.py")
    assert reported() == ["a.py"]


def test_paths_may_overlap_and_be_absolute(project: Project) -> None:
    folder = project(files("a/b.py", "a/c.py"))
    assert reported("a", "a/b.py", "./a/", str(folder / "a"), ".") == ["a/b.py", "a/c.py"]


def test_the_project_is_read_and_only_what_was_named_is_reported(project: Project) -> None:
    project(files(".git/HEAD", "app/a.py", "app/b.py", "other/c.py", "schedules.yaml"))
    found = targets("app/a.py")
    assert found.reported == ("app/a.py",)
    assert list(found.kinds) == ["app/a.py", "app/b.py", "other/c.py", "schedules.yaml"]


def test_a_configuration_marks_a_project_as_git_does(project: Project) -> None:
    project({"pyproject.toml": "[tool.anchorlint]\n", "sub/pyproject.toml": "[project]\n", **files("sub/a.py", "b.py")})
    assert list(targets("sub/a.py").kinds) == ["b.py", "sub/a.py"]


def test_the_project_may_lie_above_the_working_directory(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(files(".git/HEAD", "app/a.py", "app/deep/b.py", "c.py"))
    monkeypatch.chdir(folder / "app")
    found = targets("deep")
    assert found.reported == ("deep/b.py",)
    assert sorted(found.kinds) == ["../c.py", "a.py", "deep/b.py"]


def test_without_a_project_a_file_is_linked_with_its_neighbours_and_its_package(project: Project) -> None:
    project(
        files("x/a.py", "x/b.py", "x/deep/c.py", "pkg/__init__.py", "pkg/in/__init__.py", "pkg/in/d.py", "pkg/e.py")
    )
    assert list(targets("x/a.py").kinds) == ["x/a.py", "x/b.py"]
    assert list(targets("pkg/in/d.py").kinds) == ["pkg/__init__.py", "pkg/e.py", "pkg/in/__init__.py", "pkg/in/d.py"]


def test_a_script_without_a_suffix_is_python_if_it_says_so(project: Project) -> None:
    project({"run": "#!/usr/bin/env python3\n", "tool": "#!/bin/sh\n", "notes.txt": ""})
    assert reported("run", "tool", "notes.txt") == ["run"]
    assert "tool: neither Python nor a schedule manifest, not checked" in targets("tool").remarks
