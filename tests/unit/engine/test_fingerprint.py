"""A fingerprint follows its finding when lines move, and is nobody else's."""

from __future__ import annotations

from anchorlint.domain.finding import Finding
from anchorlint.domain.span import Span
from anchorlint.engine.fingerprint import with_fingerprints
from anchorlint.engine.sources import Sources

TEXT = "if late(now):\n    retry()\nif late(now):\n    retry()\n"


def prints(text: str, *lines: int, code: str = "ANC101", message: str = "m", path: str = "a.py") -> list[str]:
    found = [Finding(code=code, message=message, span=Span.of(path, line, 1, line, 5)) for line in lines]
    return [finding.fingerprint for finding in with_fingerprints(found, Sources({path: text}))]


def test_equal_lines_are_told_apart() -> None:
    assert len(set(prints(TEXT, 1, 3, 3))) == 3


def test_moved_and_reindented_lines_keep_theirs() -> None:
    moved = "\n\n" + TEXT.replace("if", "  if")
    assert prints(moved, 3, 5) == prints(TEXT, 1, 3)


def test_the_message_has_no_part_in_it() -> None:
    assert prints(TEXT, 1, message="closes at x + 7d") == prints(TEXT, 1, message="closes at x + 8d")


def test_path_code_and_line_have() -> None:
    same = prints(TEXT, 1)
    assert prints(TEXT, 1, code="ANC102") != same
    assert prints(TEXT, 1, path="b.py") != same
    assert prints(TEXT, 2) != same


def test_a_line_beyond_the_end_has_one_too() -> None:
    assert prints("", 7)[0]
