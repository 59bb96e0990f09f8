"""The cache saves time and never changes, hides or breaks anything."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import anchorlint.engine.leaves as leaves
from anchorlint.engine.cache import FILE, FOLDER, Cache
from anchorlint.engine.request import Request
from anchorlint.engine.run import run
from anchorlint.engine.settings import Said
from anchorlint.knowledge.cards import Card, cards
from anchorlint.report import json
from harness import AS_OF, found, lay, within

Project = Callable[[Mapping[str, str]], Path]
FILES = {"a.py": "x = 1  # anchorlint: off\n", "b.py": "def f(:\n", "test_c.py": "import a\n", ".git/HEAD": ""}


def said() -> str:
    return json.render(run(Request()))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are read anew."""
    read: list[str] = []
    before = leaves.read_leaf

    def count(path: str, data: bytes) -> object:
        read.append(path)
        return before(path, data)

    monkeypatch.setattr(leaves, "read_leaf", count)
    monkeypatch.setattr(leaves, "default_jobs", lambda: 1)
    monkeypatch.setattr("anchorlint.engine.cache._version", lambda: b"the same in all runs of a test")
    return read


def test_warm_says_what_cold_says_and_reads_nothing_anew(project: Project, counted: list[str]) -> None:
    project(FILES)
    cold = said()
    assert counted == ["a.py", "b.py", "test_c.py"]
    counted.clear()
    assert said() == cold
    assert counted == []


@pytest.mark.parametrize(
    "card", [c for c in cards().values() if c.on == "python" and "Bad" in c.sections], ids=lambda card: card.code
)
def test_warm_findings_are_the_cold_ones(card: Card, tmp_path: Path, counted: list[str]) -> None:
    marks = lay(card.sections["Bad"].projects[0], tmp_path)
    request = Request(said=Said(select=("ALL",)), as_of=AS_OF)
    with within(tmp_path):
        cold = run(request)
        counted.clear()
        warm = run(request)
        assert (found(warm), warm.findings, counted) == (marks, cold.findings, [])
        (tmp_path / "another.py").write_text("x = 1\n")
        relinked = run(request)
    assert (relinked.findings, counted) == (cold.findings, ["another.py"])


def test_only_what_changed_is_read_anew(project: Project, counted: list[str]) -> None:
    folder = project(FILES)
    said()
    counted.clear()
    (folder / "b.py").write_text("def f(): ...\n")
    assert "ANL003" not in said()
    assert counted == ["b.py"]


def test_the_time_of_a_file_does_not_matter(project: Project, counted: list[str]) -> None:
    folder = project(FILES)
    said()
    before = (folder / "a.py").stat()
    (folder / "a.py").write_text("x = 1  # anchorlint: on \n")
    os.utime(folder / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    counted.clear()
    said()
    assert counted == ["a.py"]


def test_without_a_cache_nothing_is_written(project: Project) -> None:
    folder = project(FILES)
    run(Request(use_cache=False))
    assert not (folder / FOLDER).exists()


def test_it_stands_where_it_was_asked_to_and_git_does_not_see_it(project: Project) -> None:
    folder = project(FILES)
    run(Request(cache_directory="kept"))
    assert not (folder / FOLDER).exists()
    assert (folder / "kept" / ".gitignore").read_text() == "*\n"


def damage_header(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)


def damage_pages(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)


def damage_heads(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE heads SET head = x'e3'")
    connection.close()


def damage_facts(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE facts SET facts = x'e3'")
        connection.execute("DELETE FROM runs")
    connection.close()


def damage_findings(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE runs SET findings = x'93'")
    connection.close()


def other_types(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE heads SET head = 'text'")
    connection.close()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def other_table(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE heads (something INTEGER)")
    connection.close()


DAMAGES = (
    damage_header, damage_pages, damage_heads, damage_facts, damage_findings, other_types, empty, other_table,
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_does_no_harm(project: Project, damage: Callable[[Path], None]) -> None:
    folder = project(FILES)
    cold = said()
    damage(folder / FOLDER / FILE)
    assert said() == cold
    assert said() == cold


def test_a_locked_cache_is_not_waited_for_long_and_said(project: Project) -> None:
    folder = project(FILES)
    cold = said()
    holder = sqlite3.connect(folder / FOLDER / FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        report = run(Request())
    finally:
        holder.close()
    assert json.render(report) == cold
    assert any("cache is not used" in remark for remark in report.remarks)


def test_a_folder_that_cannot_be_made(project: Project) -> None:
    project({**FILES, "taken": "a file"})
    report = run(Request(cache_directory="taken"))
    assert any("cache is not used" in remark for remark in report.remarks)
    assert len(report.findings) == 2


def test_the_key_knows_path_content_and_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(str(tmp_path))
    keys = {cache.file_key("a.py", b"x"), cache.file_key("b.py", b"x"), cache.file_key("a.py", b"y")}
    monkeypatch.setattr("anchorlint.engine.cache.__version__", "9.9")
    assert Cache(str(tmp_path)).file_key("a.py", b"x") not in keys
    assert len(keys) == 3
