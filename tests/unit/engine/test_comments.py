"""Comments that speak to anchorlint: where they are found and which lines they cover."""

from __future__ import annotations

import pytest

from anchorlint.engine.comments import comments


def covered(path: str, text: str, kind: str = "python") -> list[tuple[str, int, int, int]]:
    return [(c.said, c.line, c.first, c.last) for c in comments(path, text, kind)]


PYTHON = {
    "at the end of a line": ("x = 1  # anchorlint: ignore[A]\n", [("ignore[A]", 1, 1, 1)]),
    "after what speaks to others": ("x = 1  # noqa # anchorlint: a\n", [("a", 1, 1, 1)]),
    "alone, above": ("# anchorlint: a\nx = 1\n", [("a", 1, 2, 2)]),
    "alone, above a statement of several lines": ("# anchorlint: a\nx = f(\n    1,\n)\n", [("a", 1, 2, 4)]),
    "alone, above blank lines and other comments": ("# anchorlint: a\n\n# b\nx = 1\n", [("a", 1, 4, 4)]),
    "at the first line of a statement": ("x = f(  # anchorlint: a\n    1,\n)\n", [("a", 1, 1, 3)]),
    "at the last line of a statement": ("x = f(\n    1,\n)  # anchorlint: a\n", [("a", 3, 1, 3)]),
    "within a statement": ("x = f(\n    1,  # anchorlint: a\n    2,\n)\n", [("a", 2, 2, 2)]),
    "alone within a statement": ("x = f(\n    # anchorlint: a\n    2,\n)\n", [("a", 2, 3, 3)]),
    "at the head of a block": ("while x:  # anchorlint: a\n    f()\n", [("a", 1, 1, 1)]),
    "alone, above a decorator": ("# anchorlint: a\n@d\ndef f(): ...\n", [("a", 1, 2, 2)]),
    "at the end of the file": ("x = 1\n# anchorlint: a\n", [("a", 2, 2, 2)]),
    "in a string": ("x = '# anchorlint: a'\n", []),
    "in a docstring": ('"""\n# anchorlint: a\n"""\n', []),
    "before what is no Python": ("x = 1  # anchorlint: a\ny = (\n", [("a", 1, 1, 1)]),
}


@pytest.mark.parametrize(("text", "expected"), PYTHON.values(), ids=PYTHON)
def test_in_python(text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert covered("a.py", text) == expected


DOCUMENTS = {
    "yaml, end of line": ("a.yaml", "a: 1 # anchorlint: x\n", [("x", 1, 1, 1)]),
    "yaml, alone": ("a.yml", "b: 2\n# anchorlint: x\n\na: 1\n", [("x", 2, 4, 4)]),
    "yaml, in quotes": ("a.yaml", 'a: "1 # anchorlint: x"\n', []),
    "yaml, in a block": ("a.yaml", "a: |\n  text\n  # anchorlint: x\nb: 1\n", []),
    "yaml, part of a plain scalar": ("a.yaml", "a: b# anchorlint: x\n", []),
    "yaml, a flow mapping": ("a.yaml", "a: {b: 1} # anchorlint: x\n", [("x", 1, 1, 1)]),
    "yaml, not YAML": ("a.yaml", "a: [ # anchorlint: x\n", []),
    "toml, end of line": ("a.toml", "a = 1 # anchorlint: x\n", [("x", 1, 1, 1)]),
    "toml, in quotes": ("a.toml", 'a = "# anchorlint: x"\n', []),
    "toml, in a long string": ("a.toml", "a = '''\n# anchorlint: x\n'''\n", []),
    "json has no comments": ("a.json", '{"a": "# anchorlint: x"}', []),
    "crontab, alone": ("crontab", "# anchorlint: x\n5 4 * * * run\n", [("x", 1, 2, 2)]),
    "crontab, a command is no comment": ("crontab", "5 4 * * * run # anchorlint: x\n", []),
    "systemd": ("a.timer", "[Timer]\n; anchorlint: x\nOnCalendar=daily\n", [("x", 2, 3, 3)]),
    "sql": ("jobs.sql", "-- anchorlint: x\nselect 1;\n", [("x", 1, 2, 2)]),
}


@pytest.mark.parametrize(("path", "text", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_in_manifests(path: str, text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert covered(path, text, "manifest") == expected


def test_the_column_is_that_of_what_is_said_in_code_points() -> None:
    (found,) = comments("a.py", "x = '😀'  # anchorlint: ignore[A]\n", "python")
    assert found.column == len("x = '😀'  # anchorlint: ") + 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_make_no_difference(end: str) -> None:
    assert covered("a.py", f"y = 2{end}# anchorlint: a{end}x = 1{end}") == [("a", 2, 3, 3)]
