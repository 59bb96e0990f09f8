"""The sections of a card and the example projects that their fenced blocks form."""

from __future__ import annotations

import re

import msgspec

FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=ticks)[ \t]*$", re.DOTALL | re.MULTILINE)
INFO = re.compile(r'(\w+)="([^"]*)"')
EXPECTED = re.compile(r"(\d+):([A-Z]{3}\d{3})")


class Fence(msgspec.Struct, frozen=True):
    """One fenced block; `expect` are the (line, code) marks that stand on the fence itself."""

    language: str
    title: str | None
    expect: tuple[tuple[int, str], ...]
    text: str
    start: int
    end: int


class Project(msgspec.Struct, frozen=True):
    """The blocks under one heading, which together form a small project."""

    heading: str
    fences: tuple[Fence, ...]


class Section(msgspec.Struct, frozen=True):
    """One `##` section: its text and its projects, one for the section itself and one for each `###`."""

    title: str
    text: str
    projects: tuple[Project, ...]


def sections(card: str) -> dict[str, Section]:
    """The sections of a card's text by title; offsets of fences count characters in `card`."""
    fences = tuple(map(_fence, FENCE.finditer(card)))
    found = {}
    for title, start, end in _headings(card, 2, 0, len(card), fences):
        found[title] = Section(title, card[start:end].strip(), _projects(card, start, end, fences))
    return found


def _projects(card: str, start: int, end: int, fences: tuple[Fence, ...]) -> tuple[Project, ...]:
    parts = _headings(card, 3, start, end, fences)
    first = parts[0][1] if parts else end
    cut = [("", start, first), *parts]
    made = (Project(t, tuple(f for f in fences if a <= f.start < b)) for t, a, b in cut)
    return tuple(project for project in made if project.fences)


def _headings(card: str, level: int, start: int, end: int, fences: tuple[Fence, ...]) -> list[tuple[str, int, int]]:
    pattern = re.compile(rf"^#{{{level}}} (.+)$", re.MULTILINE)
    hits = [m for m in pattern.finditer(card, start, end) if not any(f.start <= m.start() < f.end for f in fences)]
    ends = [*(m.start() for m in hits), end][1:]
    return [(m[1].strip(), m.end(), stop) for m, stop in zip(hits, ends, strict=True)]


def _fence(match: re.Match[str]) -> Fence:
    info = dict(INFO.findall(match["info"]))
    marks = tuple((int(line), code) for line, code in EXPECTED.findall(info.get("expect", "")))
    language = match["info"].split(maxsplit=1)[0] if match["info"].strip() else ""
    return Fence(language, info.get("title"), marks, match["text"], match.start(), match.end())
