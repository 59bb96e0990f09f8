"""Each folder of tests/cases/<code>/ holds one fault: `bad` reports exactly its marks, `good` reports nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import Mark, analysed, found, unmarked

CASES = Path(__file__).parent / "cases"


def sides(name: str) -> list[object]:
    """Every side of this kind as a parameter; a side is a file or a folder."""
    paths = sorted(p for p in CASES.glob("*/*/*") if p.name.partition(".")[0] == name)
    return [pytest.param(p, id=f"{p.parent.parent.name}-{p.parent.name}-{p.name}") for p in paths]


def laid(side: Path, folder: Path) -> list[Mark]:
    """Write one side without its marks; returns what they expect."""
    marks: list[Mark] = []
    files = [side] if side.is_file() else sorted(f for f in side.rglob("*") if f.is_file())
    for file in files:
        path = file.name if side.is_file() else file.relative_to(side).as_posix()
        text, expected = unmarked(path, file.read_text(encoding="utf-8"))
        marks += expected
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return sorted(marks)


@pytest.mark.parametrize("side", sides("bad"))
def test_a_fault_is_reported_where_it_is_marked(side: Path, tmp_path: Path) -> None:
    marks = laid(side, tmp_path)
    codes = {side.parent.parent.name.upper()}
    report = analysed(tmp_path)
    assert [m for m in found(report) if m[2] in codes] == [m for m in marks if m[2] in codes]
    assert marks and not report.problems


@pytest.mark.parametrize("side", sides("good"))
def test_the_mended_side_is_silent(side: Path, tmp_path: Path) -> None:
    marks = laid(side, tmp_path)
    code = side.parent.parent.name.upper()
    report = analysed(tmp_path)
    assert [m for m in found(report) if m[2] == code] == [] == marks
    assert not report.problems
