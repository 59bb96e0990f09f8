"""The report for people: each finding with its places in the source, its notes, its horizon and its help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anchorlint.domain.finding import Finding, Severity
from anchorlint.domain.report import Report, Texts
from anchorlint.report.frame import Row, frames, number_width
from anchorlint.report.visible import visible

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "frame": "blue",
    "title": "bold",
    "help": "green",
    "": "",
}


def render(report: Report, colour: bool = False) -> str:
    """Every finding with its frames; with `colour`, ANSI escapes for a terminal."""
    rows = [row for finding in report.findings for row in (*finding_rows(finding, report.sources), ())]
    return _coloured(rows) if colour else plain(rows)


def finding_rows(finding: Finding, texts: Texts) -> Iterator[Row]:
    """The rows of one finding."""
    severity = finding.severity or Severity.WARNING
    yield ((f"{severity}[{finding.code}]", severity.value), (f": {visible(finding.message)}", "title"))
    yield from frames(finding, texts, severity.value)
    margin = " " * (number_width(finding) + 1)
    if finding.horizon:
        yield ((f"{margin}= ", "frame"), ("horizon", "title"), (f": {visible(finding.horizon.text)}", ""))
    if finding.help:
        yield ((f"{margin}= ", "frame"), ("help", "help"), (f": {visible(finding.help)}", ""))


def plain(rows: Iterable[Row]) -> str:
    """The rows as text without styles."""
    return "".join("".join(text for text, _ in row).rstrip() + "\n" for row in rows)


def _coloured(rows: Iterable[Row]) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=StringIO(), force_terminal=True, color_system="standard", markup=False, highlight=False, emoji=False,
        soft_wrap=True, width=10_000, legacy_windows=False,
    )  # fmt: skip
    with console.capture() as captured:
        for row in rows:
            console.print(Text.assemble(*((text, STYLES[style]) for text, style in row)))
    return captured.get()
