"""Programs in which a failure becomes a value or is tried for ever, each with its mended twin."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness import analysed, found, unmarked

PROGRAMS = Path(__file__).parents[2] / "data" / "outcomes"
CASES = sorted(p.name for p in PROGRAMS.iterdir() if p.is_dir())


def laid(side: Path, folder: Path) -> list[tuple[str, int, str]]:
    """Copy one side of a pair without its marks; returns what they expect."""
    marks = []
    shutil.copytree(side, folder, dirs_exist_ok=True)
    for file in sorted(folder.rglob("*.py")):
        text, expected = unmarked(file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")
        marks += expected
    return sorted(marks)


@pytest.mark.parametrize("name", CASES)
def test_the_faulty_program_is_reported_at_its_mark(name: str, tmp_path: Path) -> None:
    marks = laid(PROGRAMS / name / "bad", tmp_path)
    code = f"RTY{name.partition('-')[0]}"
    assert [m for m in found(analysed(tmp_path)) if m[2] == code] == marks


@pytest.mark.parametrize("name", CASES)
def test_the_mended_program_is_silent(name: str, tmp_path: Path) -> None:
    assert laid(PROGRAMS / name / "good", tmp_path) == []
    code = f"RTY{name.partition('-')[0]}"
    assert [m for m in found(analysed(tmp_path)) if m[2] == code] == []
