"""Fixes and ignore comments are written so that nothing else changes, and are found again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import Result

from anchorlint.domain.finding import Edit, Finding, Fix
from anchorlint.domain.span import Span
from anchorlint.engine.editing import NotWritten, edited, write_text

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

TOML = (
    '[[schedules]]\nid = "one"\nworkflow = "one"\nafter_schedule_ids = [\n    "one",\n]\ndependency_deadline = "9:00"\n'
)
YAML = "schedules:\n  - id: one\n    workflow: one\n    after_schedule_ids: [one]\n    dependency_deadline: '9:00'\n"
JSON = '{"schedules": [{"id": "one", "workflow": "one", "after_schedule_ids": ["one"], "dependency_deadline": "9:00"}]}'
UNUSED = {
    "whole": ("x = 1  # anchorlint: ignore[ANC101] why\ny = 2\n", "x = 1\ny = 2\n"),
    "alone": ("# anchorlint: ignore[ANC101]\nx = 1\n", "x = 1\n"),
    "alone, indented": ("if x:\n    # anchorlint: ignore[ANC101]\n    y = 1\n", "if x:\n    y = 1\n"),
    "two of two": ("x = 1  # anchorlint: ignore[ANC101, RTY201]\n", "x = 1\n"),
    "in a file": ("# anchorlint: file-ignore[mixed-anchor-retry] why\n", ""),
    "after another comment": ("x = 1  # noqa  # anchorlint: ignore[ANC101]\n", "x = 1  # noqa\n"),
    "beside an unknown one": ("x = 1  # anchorlint: ignore[ANC101, NOPE] b\n", "x = 1  # anchorlint: ignore[NOPE] b\n"),
    "without a last newline": ("x = 1\n# anchorlint: ignore[ANC101]", "x = 1\n"),
    "carriage returns": ("x = 1  # anchorlint: ignore[ANC101]\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
    "beyond the plane": ("x = '😀'  # anchorlint: ignore[ANC101]\n", "x = '😀'\n"),
}


def raw(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


@pytest.mark.parametrize(("before", "after"), UNUSED.values(), ids=UNUSED)
def test_unused_ignores_are_taken_out(before: str, after: str, project: Project, anchorlint: Anchorlint) -> None:
    folder = project({})
    raw(folder / "a.py", before)
    result = anchorlint("check", "--fix", "--output-format", "concise")
    assert (folder / "a.py").read_bytes().decode() == after
    assert "ANL001" not in result.stdout
    assert "findings fixed\n" in result.stderr


def test_a_used_rule_stays_beside_an_unused_one(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"schedules.yaml": YAML.replace("[one]", "[one] # anchorlint: ignore[SCH405, SCH404, SCH403] so")})
    assert anchorlint("check", "--fix").exit_code == 0
    assert "[one] # anchorlint: ignore[SCH404] so\n" in (folder / "schedules.yaml").read_text()


def test_a_diff_changes_nothing(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"a.py": "x = 1  # anchorlint: ignore[ANC101]\ny = 2"})
    result = anchorlint("check", "--diff")
    assert result.stdout == (
        "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-x = 1  # anchorlint: ignore[ANC101]\n+x = 1\n y = 2\n"
        "\\ No newline at end of file\n"
    )
    assert result.exit_code == 1
    assert "ignore" in (folder / "a.py").read_text()
    (folder / "a.py").write_text("x = 1\n")
    assert (anchorlint("check", "--diff").stdout, anchorlint("check", "--diff").exit_code) == ("", 0)


@pytest.mark.parametrize(("name", "text"), [("schedules.toml", TOML), ("schedules.yaml", YAML)])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ignores_are_added_to_manifests(
    name: str, text: str, end: str, project: Project, anchorlint: Anchorlint
) -> None:
    folder = project({})
    raw(folder / name, text.replace("\n", end))
    result = anchorlint("check", "--add-ignore", "it is mended in May")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "1 of 1 findings given an ignore comment\n" in result.stderr
    changed = (folder / name).read_bytes().decode()
    (line,) = set(changed.split(end)) - set(text.split("\n"))
    assert line.strip() == "# anchorlint: ignore[SCH404] it is mended in May"
    assert anchorlint("check").exit_code == 0


def test_what_takes_no_comments_is_told(project: Project, anchorlint: Anchorlint) -> None:
    folder = project({"schedules.json": JSON})
    result = anchorlint("check", "--add-ignore", "known")
    assert "schedules.json: 1 not ignored: the format has no comments" in result.stderr
    assert result.exit_code == 2
    assert (folder / "schedules.json").read_text() == JSON


PLACES = {
    "a line": ("x = 1\n", 1, "x = 1  # anchorlint: ignore[ANC101] known\n"),
    "a line with a comment": ("x = 1  # it is\n", 1, "x = 1  # it is  # anchorlint: ignore[ANC101] known\n"),
    "a statement": (
        "x = f(\n    '''\n    ''',\n)\ny\n", 2, "x = f(\n    '''\n    ''',\n)  # anchorlint: ignore[ANC101] known\ny\n",
    ),
    "a head": ("while x:\n    f()\n", 1, "while x:  # anchorlint: ignore[ANC101] known\n    f()\n"),
    "a continued line": ("x = 1 + \\\n    2\n", 1, "x = 1 + \\\n    2  # anchorlint: ignore[ANC101] known\n"),
    "a line that ignores": (
        "x = 1  # anchorlint: ignore[RTY201] before\n", 1, "x = 1  # anchorlint: ignore[ANC101, RTY201] before\n",
    ),
    "no last newline": ("x = 1", 1, "x = 1  # anchorlint: ignore[ANC101] known"),
}  # fmt: skip


@pytest.fixture
def reporting(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a check report findings at these lines of a.py, unless a comment there ignores it."""

    def at(*lines: int, fix: Fix | None = None) -> None:
        from anchorlint.checks import anc101_mixed_anchor_retry as module

        def check(_: object) -> list[Finding]:
            return [
                Finding(code="ANC101", message="m", span=Span.of("a.py", line, 1, line, 2), fix=fix) for line in lines
            ]

        monkeypatch.setattr(module, "check", check)

    return at


@pytest.mark.parametrize(("before", "line", "after"), PLACES.values(), ids=PLACES)
def test_ignores_are_added_to_python(
    before: str, line: int, after: str, project: Project, anchorlint: Anchorlint, reporting: Callable[..., None]
) -> None:
    folder = project({"a.py": before})
    reporting(line)
    result = anchorlint("check", "--no-cache", "--select", "ANC101", "--add-ignore", "known")
    assert (folder / "a.py").read_text() == after
    assert result.exit_code == 0


def test_several_findings_of_one_file(project: Project, anchorlint: Anchorlint, reporting: Callable[..., None]) -> None:
    folder = project({"a.py": "x = 1\ny = 2\nz = 3\n"})
    reporting(1, 3)
    diff = anchorlint("check", "--no-cache", "--select", "ANC101", "--add-ignore", "known", "--diff")
    assert diff.stdout.count("\n+") == 3 and diff.exit_code == 1
    anchorlint("check", "--no-cache", "--select", "ANC101", "--add-ignore", "known")
    assert (folder / "a.py").read_text().count("# anchorlint: ignore[ANC101] known\n") == 2


def fix(text: str, safe: bool) -> Fix:
    return Fix("mend", safe, (Edit(Span.of("a.py", 1, 5, 1, 6), text),))


def test_unsafe_fixes_are_made_when_asked_for(
    project: Project, anchorlint: Anchorlint, reporting: Callable[..., None]
) -> None:
    folder = project({"a.py": "x = 1\n"})
    reporting(1, fix=fix("2", safe=False))
    anchorlint("check", "--no-cache", "--fix")
    assert (folder / "a.py").read_text() == "x = 1\n"
    assert "+x = 2" in anchorlint("check", "--no-cache", "--diff", "--unsafe-fixes").stdout
    anchorlint("check", "--no-cache", "--fix", "--unsafe-fixes")
    assert (folder / "a.py").read_text() == "x = 2\n"


def test_a_fix_that_breaks_the_file_is_not_made(
    project: Project, anchorlint: Anchorlint, reporting: Callable[..., None]
) -> None:
    folder = project({"a.py": "x = 1\n"})
    reporting(1, fix=fix("(", safe=True))
    result = anchorlint("check", "--no-cache", "--fix")
    assert "error: a.py: not changed: line 1 would be no Python any more" in result.stderr
    assert (result.exit_code, (folder / "a.py").read_text()) == (2, "x = 1\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--fix", "--add-ignore", "x"),
        ("--fix", "--diff"),
        ("--unsafe-fixes",),
        ("--fix", "-"),
        ("--add-ignore", "x", "-"),
    ],
    ids=" ".join,
)
def test_contradictions(arguments: tuple[str, ...], project: Project, anchorlint: Anchorlint) -> None:
    project({})
    assert anchorlint("check", *arguments, given="").exit_code == 2


def test_edits_that_touch_are_left_and_equal_ones_count_once() -> None:
    one, same, over = (Edit(Span.of("a", 1, *span), "X") for span in ((1, 1, 3), (1, 1, 3), (2, 1, 4)))
    assert edited("abcd\n", [one, same, over]) == ("Xcd\n", [over])
    assert edited("ab", [Edit(Span.of("a", 1, 1, 9, 9), "")]) == ("", [])


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfx = 1\n", "x = 2\n"),
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "# coding: latin-1\nx = 'è'\n"),
    ],
)
def test_a_file_keeps_its_encoding_and_its_mode(data: bytes, text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(data)
    file.chmod(0o754)
    write_text(str(file), data, text)
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef") else b""
    assert file.read_bytes() == mark + text.encode("latin-1")
    assert file.stat().st_mode & 0o777 == 0o754
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 3\n")
    with pytest.raises(NotWritten, match="changed meanwhile"):
        write_text(str(file), b"x = 1\n", "x = 2\n")
    with pytest.raises(NotWritten, match="No such file"):
        write_text(str(tmp_path / "b.py"), b"", "")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_bytes(b"x = 1\n")
    (tmp_path / "a.py").symlink_to("real.py")
    write_text(str(tmp_path / "a.py"), b"x = 1\n", "x = 2\n")
    assert (tmp_path / "a.py").is_symlink()
    assert (tmp_path / "real.py").read_bytes() == b"x = 2\n"
