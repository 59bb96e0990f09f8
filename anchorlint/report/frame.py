"""Shows the places of a finding in their source lines, each underlined and labelled, as rustc does."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anchorlint.domain.finding import Finding
from anchorlint.domain.report import Texts
from anchorlint.domain.span import Span
from anchorlint.report.visible import TAB, visible

Row = tuple[tuple[str, str], ...]  # (text, style) one after the other
WIDEST = 160
MOST_LINES = 4


class Place(msgspec.Struct, frozen=True, order=True):
    """One span to underline with its label; the primary one is what the finding is about."""

    span: Span
    label: str
    primary: bool = False


def frames(finding: Finding, texts: Texts, style: str) -> Iterator[Row]:
    """The rows that show every place of a finding, file by file, its own file first."""
    places = [Place(finding.span, "", True), *(Place(note.span, note.message) for note in finding.notes)]
    paths = list(dict.fromkeys(place.span.path for place in places))
    width = number_width(finding)
    for path in paths:
        here = sorted(place for place in places if place.span.path == path)
        first = next((place.span for place in here if place.primary), here[0].span)
        arrow = "-->" if path == finding.span.path else ":::"
        yield ((" " * width, ""), (arrow, "frame"), (f" {visible(path)}:{first.start.line}:{first.start.column}", ""))
        yield from _file(here, texts.lines(path), width, style)


def number_width(finding: Finding) -> int:
    """How many digits the largest line number in the frames of a finding has."""
    spans = (finding.span, *(note.span for note in finding.notes))
    return max(len(str(_shown_lines(span)[-1])) for span in spans)


def _file(places: Sequence[Place], lines: Sequence[str], width: int, style: str) -> Iterator[Row]:
    shown: dict[int, list[Place]] = {}
    for place in places:
        for number in _shown_lines(place.span):
            if number <= len(lines):
                shown.setdefault(number, []).append(place)
    if not shown:
        return
    yield _bar(width)
    before = None
    for number in sorted(shown):
        if before is not None and number == before + 2:
            yield _source(before + 1, lines[before], width, 0)
        elif before is not None and number > before + 2:
            yield (("..." + " " * (width - 2), "frame"),) if width > 2 else (("...", "frame"),)
        yield from _line(number, lines[number - 1], shown[number], width, style)
        before = number
    yield _bar(width)


def _line(number: int, text: str, places: Iterable[Place], width: int, style: str) -> Iterator[Row]:
    here = sorted(places, key=lambda place: (not place.primary, place.span))
    offset = _clip(text, min(place.span.start.column for place in here) if here else 1)
    yield _source(number, text, width, offset)
    for place in here:
        start, end = _columns(place.span, number, text)
        left = _cells(text[offset : start - 1]) + (3 if offset else 0)
        marks = max(_cells(text[start - 1 : end - 1]), 1)
        marks = min(marks, max(WIDEST - left, 1))
        mark, colour = ("^", style) if place.primary else ("-", "note")
        label = f" {visible(place.label)}" if place.label and number == _shown_lines(place.span)[-1] else ""
        yield (*_bar(width), (" " * (left + 1), ""), (mark * marks + label, colour))


def _shown_lines(span: Span) -> range:
    last = _last(span)
    if last - span.start.line >= MOST_LINES:
        last = span.start.line
    return range(span.start.line, last + 1)


def _last(span: Span) -> int:
    """The last line with anything in it: an end at column 1 lies before its line."""
    ends_before = span.end.column == 1 and span.end.line > span.start.line
    return span.end.line - ends_before


def _columns(span: Span, number: int, text: str) -> tuple[int, int]:
    indent = len(text) - len(text.lstrip())
    start = span.start.column if number == span.start.line else indent + 1
    end = span.end.column if number == span.end.line else len(text.rstrip()) + 1
    start = min(start, len(text) + 1)
    return start, max(min(end, len(text) + 1), start + 1)


def _source(number: int, text: str, width: int, offset: int) -> Row:
    cut = ("..." if offset else "") + visible(text[offset : offset + WIDEST])
    more = "..." if len(text) > offset + WIDEST else ""
    return ((f"{number:>{width}} | ", "frame"), (cut.rstrip() + more, ""))


def _bar(width: int) -> Row:
    return ((" " * width + " |", "frame"),)


def _clip(text: str, column: int) -> int:
    """How many characters of a long line are left out at its start so that the column is seen."""
    if len(text) <= WIDEST or column < WIDEST // 2:
        return 0
    return column - WIDEST // 4


def _cells(text: str) -> int:
    return sum(TAB if c == "\t" else _width(c) for c in text)


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
