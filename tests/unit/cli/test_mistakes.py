"""Whatever a user gets wrong is said clearly, with its place, and ends with exit code 2; nothing else is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import Result

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

FAULTY = (
    '[[schedules]]\nid = "pulse"\nworkflow = "books"\nafter_schedule_ids = ["pulse"]\ndependency_deadline = "9:00"\n'
)
HEADER = "schedule_id,scheduled_for,started_at,finished_at,status\n"
ROW = "nobody,2026-11-01T15:00:00Z,2026-11-01T15:00:00Z,2026-11-01T16:00:00Z,completed\n"

MISTAKES = {
    "a missing path": ({}, ["missing.py"], "missing.py: no such file or folder"),
    "a syntax error": ({"a.py": "x = 1\ndef f(:\n"}, ["."], "a.py:2:7: ANL003 not checked: "),
    "a null byte": ({"a.py": "x = 1\0\n"}, ["."], "a.py:1:1: ANL003 not checked: "),
    "a malformed manifest": ({"schedules.yaml": "schedules:\n  - id: [\n"}, ["."], "schedules.yaml:3:1: ANL003 "),
    "another": ({"schedules.json": '{"schedules": [,]}'}, ["."], "schedules.json:1:16: ANL003 "),
    "an unknown key": (
        {"anchorlint.toml": "\nselct = []\n"},
        ["."],
        "anchorlint.toml:2:1: unknown key 'selct'; did you",
    ),
    "an unknown rule there": (
        {"anchorlint.toml": "select = ['ANC1O1']\n"},
        ["."],
        "anchorlint.toml:1:11: unknown rule",
    ),
    "an unknown rule": ({}, ["--select", "SCH4O4"], "unknown rule 'SCH4O4'; did you mean SCH404?"),
    "an unknown rule to ignore": ({}, ["--ignore", "self-dependancy"], "did you mean self-dependency?"),
    "an unknown rule per file": ({}, ["--per-file-ignores", "*.py:NOPE"], "unknown rule 'NOPE'"),
    "no rules per file": ({}, ["--per-file-ignores", "a.py"], "write PATTERN:RULES"),
    "no pattern": ({}, ["--exclude", "a/,!"], "'!' is no pattern as in .gitignore"),
    "no pattern per file": ({}, ["--per-file-ignores", "!:ANL"], "'!' is no pattern as in .gitignore"),
    "an unknown option": ({}, ["--selct", "ALL"], "--select"),
    "an unknown format": ({}, ["--output-format", "xml"], "'junit'"),
    "an unknown severity": ({}, ["--fail-on", "warn"], "'warning'"),
    "no instant": ({}, ["--as-of", "yesterday"], "no date (2026-11-30) and no RFC 3339 instant"),
    "an instant without an offset": ({}, ["--as-of", "2026-11-30T12:00"], "write 2026-11-30T12:00Z for UTC"),
    "no such configuration": ({}, ["--config", "no.toml"], "no.toml: cannot read the configuration: no such file"),
    "no such runs": ({"schedules.toml": ""}, ["--runs", "no.csv"], "no.csv: cannot read the file: no such file"),
    "an empty runs file": ({"schedules.toml": "", "r.csv": ""}, ["--runs", "r.csv"], "r.csv"),
    "runs of nobody": ({"schedules.toml": FAULTY, "r.csv": HEADER + ROW}, ["--runs", "r.csv"], "r.csv:1:1: ANL004 "),
    "runs without any schedule": ({"r.csv": HEADER + ROW}, ["--runs", "r.csv"], "r.csv:1:1: ANL004 "),
    "a pattern of runs": (
        {"anchorlint.toml": "runs = ['r/*.csv']"},
        ["."],
        "anchorlint.toml:1:9: ANL004 no file matches",
    ),
    "two that contradict": ({}, ["-q", "-v"], "contradict"),
    "two more": ({}, ["--no-cache", "--cache-dir", "x"], "contradict"),
    "and two more": ({}, ["--isolated", "--config", "x.toml"], "contradict"),
    "a name for nothing": ({}, ["--stdin-filename", "a.py", "."], "pass - as the path"),
    "an unknown command": ({}, ["chek"], "Did you mean 'check'?"),
}


@pytest.mark.parametrize(("files", "arguments", "words"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake(
    files: dict[str, str], arguments: list[str], words: str, project: Project, anchorlint: Anchorlint
) -> None:
    project({"ok.py": "x = 1\n", **files})
    command = [] if arguments == ["chek"] else ["check", "--output-format", "concise"]
    result = anchorlint(*command, *arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


def test_what_could_be_checked_is_reported_all_the_same(project: Project, anchorlint: Anchorlint) -> None:
    project({"a.py": "def f(:\n", "deep/schedules.toml": FAULTY, "anchorlint.toml": "nonsense = 1\n"})
    result = anchorlint("check", "--output-format", "json", ".", "missing")
    document = json.loads(result.stdout)
    assert [finding["code"] for finding in document["findings"]] == ["ANL003", "SCH404"]
    told = {(error["path"], error["line"]) for error in document["errors"]}
    assert told == {("missing", None), ("anchorlint.toml", 1), ("a.py", 1)}
    assert result.exit_code == 2
    for path in ("missing", "anchorlint.toml", "a.py"):
        assert f"error: {path}:" in result.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything is readable for root")
def test_what_cannot_be_read(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"a.py": "x = 1\n", "shut/b.py": "x = 1\n"})
    (folder / "a.py").chmod(0)
    (folder / "shut").chmod(0)
    try:
        result = anchorlint("check", "--output-format", "concise", "--no-cache")
    finally:
        (folder / "shut").chmod(0o700)
    assert "a.py:1:1: ANL003 not checked: cannot read the file: permission denied" in result.stdout
    assert "error: shut: cannot read the folder: permission denied" in result.stderr
    assert result.exit_code == 2


def test_unreadable_files_and_folders_are_told(
    project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    import anchorlint.engine.discover as discover
    import anchorlint.engine.sources as sources

    project({"a.py": "x = 1\n", "shut/b.py": "x = 1\n"})
    scandir = os.scandir

    def shut(path: str) -> object:
        if path == "shut":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    def unreadable(path: str, *_: object) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(discover.os, "scandir", shut)
    monkeypatch.setattr(sources, "open", unreadable, raising=False)
    result = anchorlint("check", "--output-format", "concise", "--no-cache")
    assert "a.py:1:1: ANL003 not checked: cannot read the file: permission denied" in result.stdout
    assert "error: shut: cannot read the folder: permission denied" in result.stderr
    assert result.exit_code == 2


def test_a_file_name_that_is_no_text(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({})
    try:
        (folder / os.fsdecode(b"b\xff.py")).write_text("def f(:\n")
    except OSError:
        pytest.skip("this file system knows text names only")
    for form in ("full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"):
        result = anchorlint("check", "--output-format", form)
        assert result.exit_code == 2, form
        assert "ANL003" in result.output, form


def test_a_fault_of_ours_is_told_without_a_traceback(
    project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    project({})

    def broken(_: object) -> None:
        raise RuntimeError("lost")

    monkeypatch.setattr("anchorlint.engine.run.find_targets", lambda *_: broken(None))
    result = anchorlint("check")
    assert (result.exit_code, result.stderr) == (2, "error: internal error: RuntimeError: lost\n")


def test_an_interrupt(project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch) -> None:
    project({})

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anchorlint.engine.run.find_targets", interrupted)
    result = anchorlint("check")
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")


def test_a_check_that_breaks_is_told_and_the_others_are_shown(
    project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anchorlint.checks import sch413_missing_deadline as module

    def broken(_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(module, "check", broken)
    project({"schedules.toml": FAULTY})
    result = anchorlint("check", "--output-format", "concise")
    assert "SCH404" in result.stdout
    assert "error: internal error in SCH413: KeyError: 'lost'; the other rules ran\n" in result.stderr
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    assert "Traceback" in anchorlint("check", "-v").stderr


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("anchorlint.manifests.read_manifests", "error: internal error while reading schedules: KeyError: 'lost'\n"),
        ("anchorlint.python.program.Program", "error: internal error while linking: KeyError: 'lost'\n"),
    ],
)
def test_a_part_that_breaks_does_not_hide_the_other(
    place: str, words: str, project: Project, anchorlint: Anchorlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(place, broken)
    project({"schedules.toml": FAULTY, "a.py": "x = 1  # anchorlint: off\n"})
    result = anchorlint("check", "--output-format", "concise", "--no-cache")
    assert words in result.stderr
    assert "a.py:1:22: ANL002" in result.stdout
    assert ("SCH404" in result.stdout) == place.endswith("Program")
    assert result.exit_code == 2


@pytest.mark.parametrize("path", [".", "notes.txt", "empty"])
def test_a_run_that_checks_nothing_says_so(path: str, project: Project, anchorlint: Anchorlint) -> None:
    project({"notes.txt": "", "empty/notes.md": ""})
    result = anchorlint("check", path)
    assert "warning: nothing was checked" in result.stderr
    assert result.exit_code == 0
