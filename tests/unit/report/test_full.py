"""The frames of the report for people."""

from __future__ import annotations

import re

import pytest

from anchorlint.domain.finding import Finding, Note, Severity
from anchorlint.domain.span import Span
from anchorlint.report import full
from unit.report.sample import PLAIN, RICH, report


def shown(text: str, *spans: tuple[int, int, int, int], notes: tuple[str, ...] = ()) -> str:
    places = [Span.of("a.py", *span) for span in spans]
    notes_of = tuple(Note(label, place) for label, place in zip(notes, places[1:], strict=True))
    finding = Finding(code="XXX101", message="m", span=places[0], notes=notes_of, severity=Severity.ERROR)
    return full.render(report(finding, texts={"a.py": text}))


def test_several_places_in_several_files() -> None:
    assert full.render(report(RICH)) == (
        "error[ANC101]: this can never hold after entry.deadline + 7d, yet it is tried again: 100%, a:b\n"
        "  --> jobs/a b.py:3:8\n"
        "   |\n"
        " 2 |     start = entry.deadline - WEEK\n"
        "   |             --------------------- the item side\n"
        " 3 |     if now - REACH > start:\n"
        "   |        ^^^^^^^^^^^^^^^^^^^\n"
        "...\n"
        " 9 |     for row in rows:\n"
        "   |     ----------------\n"
        "10 |         row.attempts += 1\n"
        "   |         ----------------- tried again here\n"
        "   |\n"
        "  ::: settings.py:1:1\n"
        "   |\n"
        " 1 | REACH = timedelta(days=14)\n"
        "   | ----- reaches back 14d\n"
        "   |\n"
        "   = horizon: entry.deadline + 7d\n"
        "   = help: give it a reason of its own\n"
        "\n"
    )


def test_a_gap_of_one_line_is_shown_and_a_longer_one_is_left_out() -> None:
    text = shown("a\nb\nc\nd\ne\nf\n", (1, 1, 1, 2), (3, 1, 3, 2), (6, 1, 6, 2), notes=("x", "y"))
    assert re.findall(r"^(\d|\.\.\.)", text, re.MULTILINE) == ["1", "2", "3", "...", "6"]


def test_two_places_in_one_line() -> None:
    assert "1 | ab cd\n  |    ^^\n  | -- item\n" in shown("ab cd\n", (1, 4, 1, 6), (1, 1, 1, 3), notes=("item",))


def test_a_long_span_shows_its_first_line() -> None:
    text = shown("while x:\n" + "    f()\n" * 20, (1, 1, 21, 8))
    assert "1 | while x:\n  | ^^^^^^^^\n" in text
    assert "2 |" not in text


def test_columns_are_code_points_and_underlines_are_cells() -> None:
    assert "1 | '日本' < x\n  |        ^\n" in shown("'日本' < x\n", (1, 6, 1, 7))
    assert "1 |     x\n  |     ^\n" in shown("\tx\n", (1, 2, 1, 3))
    assert "1 | é x\n  |   ^\n" in shown("e\u0301 x\n", (1, 4, 1, 5)).replace("e\u0301", "é")


def test_long_lines_are_cut_around_the_place() -> None:
    text = shown("x" * 1000 + "HERE" + "y" * 1000, (1, 1001, 1, 1005))
    assert max(map(len, text.splitlines())) < 200
    source, marks = text.splitlines()[3:5]
    assert source[marks.index("^") : marks.rindex("^") + 1] == "HERE"


@pytest.mark.parametrize("bad", ["\x1b[31m", "\x07", "\u202e", "\u2066"])
def test_control_characters_do_not_reach_the_terminal(bad: str) -> None:
    text = shown(f"x = '{bad}'\n", (1, 1, 1, 2))
    assert bad not in text and "\ufffd" in text
    finding = Finding(code="XXX101", message=f"m {bad}", span=PLAIN.span, severity=Severity.NOTE)
    assert bad not in full.render(report(finding))


@pytest.mark.parametrize("span", [(9, 1, 9, 2), (1, 90, 1, 99), (1, 3, 1, 3), (1, 1, 2, 1), (2, 1, 2, 5)])
def test_a_file_that_changed_meanwhile_does_no_harm(span: tuple[int, int, int, int]) -> None:
    assert f"--> a.py:{span[0]}:{span[1]}" in shown("ab\n", span)


def test_colour_changes_nothing_but_the_escapes() -> None:
    coloured = full.render(report(RICH, PLAIN), colour=True)
    assert "\x1b[1;31merror[ANC101]" in coloured
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert stripped == full.render(report(RICH, PLAIN))


def test_markup_in_a_message_is_text() -> None:
    finding = Finding(code="XXX101", message="[bold]x[/] :smile:", span=PLAIN.span, severity=Severity.NOTE)
    assert "[bold]x[/] :smile:" in full.render(report(finding), colour=True)
