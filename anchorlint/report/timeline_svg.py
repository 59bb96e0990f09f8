"""A timeline as SVG, or as a page that holds it: no script, nothing from elsewhere, readable in light and dark."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree import ElementTree as Tree

from anchorlint.domain.duration import spoken
from anchorlint.manifests import calendar, saying
from anchorlint.report.timeline_parts import Bar, Timeline
from anchorlint.report.visible import visible

LETTER = 7.25  #: width of a letter of the monospaced font at 12 px
FONT = 12
NAMES, PLOT, ASIDE = 230, 960, 330  #: widths of the three columns
ROW, LANE, HEAD, LINE = 24, 26, 64, 18  #: heights
GAP = 12
WIDTH = NAMES + PLOT + ASIDE
_MOST_TICKS = 12
_STEPS_S = (900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 28 * 86400)

STYLE = """
svg { color-scheme: light dark; --ground: #ffffff; --ink: #1d2329; --faint: #6b747d; --rule: #dfe3e7; --lane: #f4f6f8;
  --bar: #3d7fd6; --path: #8a4fd0; --bad: #c8281e; --limit: #a86400; --change: #0b7a6f; }
@media (prefers-color-scheme: dark) { svg { --ground: #15191d; --ink: #e4e8ec; --faint: #98a2ab; --rule: #333b43;
  --lane: #1d2328; --bar: #5b9bf0; --path: #b78af0; --bad: #ff7369; --limit: #f0b04a;
  --change: #4cc9bb; } }
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); }
.faint { fill: var(--faint); } .title { font-weight: 600; } .ground { fill: var(--ground); }
.lane { fill: var(--lane); }
.grid { stroke: var(--rule); } .bar { fill: var(--bar); fill-opacity: .75; } .bar.critical { fill: var(--path); }
.firing { fill: var(--bar); } .firing.critical { fill: var(--path); } .band { fill: var(--bar); fill-opacity: .25; }
.collision { fill: var(--bad); } .link { stroke: var(--faint); fill: none; stroke-width: 1.3; }
.link.critical { stroke: var(--path); stroke-width: 2; } .limit { stroke: var(--limit); stroke-width: 2; }
.limit.late { stroke: var(--bad); } .change { stroke: var(--change); stroke-dasharray: 5 4; }
"""
PAGE = "body { margin: 0; overflow-x: auto } svg { display: block; min-width: 900px; max-width: 100%; height: auto }"


def svg(timeline: Timeline) -> str:
    """The picture as an SVG document."""
    drawn = Tree.tostring(_Picture(timeline).drawn(), encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}\n'


def html(timeline: Timeline) -> str:
    """A page that holds the picture and nothing else."""
    page = Tree.Element("html", {"lang": "en"})
    head = Tree.SubElement(page, "head")
    Tree.SubElement(head, "meta", {"charset": "utf-8"})
    Tree.SubElement(head, "meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    Tree.SubElement(head, "meta", {"name": "color-scheme", "content": "light dark"})
    Tree.SubElement(head, "title").text = "anchorlint timeline"
    Tree.SubElement(head, "style").text = PAGE
    Tree.SubElement(page, "body").append(_Picture(timeline).drawn(namespace=False))
    return "<!DOCTYPE html>\n" + Tree.tostring(page, encoding="unicode", method="html") + "\n"


class _Picture:
    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.scale = PLOT / (timeline.end_s - timeline.start_s)
        self.tops = list(self._row_tops())
        self.bottom = (self.tops[-1] + ROW if self.tops else HEAD) + GAP
        self.notes = list(timeline.notes) or ["nothing collides, and no clock changes in the next 13 months"]
        self.height = self.bottom + (len(self.notes) + 2) * LINE

    def _row_tops(self) -> Iterator[int]:
        top, lane = HEAD, -1
        for row in self.timeline.rows:
            top += LANE if row.lane != lane else 0
            lane = row.lane
            yield top
            top += ROW

    def x(self, at_s: float) -> float:
        return NAMES + (at_s - self.timeline.start_s) * self.scale

    def middle(self, row: int) -> float:
        return self.tops[row] + ROW / 2

    def drawn(self, namespace: bool = True) -> Tree.Element:
        attributes = {"viewBox": f"0 0 {WIDTH} {self.height}", "role": "img"}
        if namespace:
            attributes |= {"xmlns": "http://www.w3.org/2000/svg", "width": f"{WIDTH}", "height": f"{self.height}"}
        self.root = Tree.Element("svg", attributes)
        Tree.SubElement(self.root, "title").text = f"Schedules of {self._day()}"
        Tree.SubElement(self.root, "style").text = STYLE
        clip = Tree.SubElement(Tree.SubElement(self.root, "defs"), "clipPath", {"id": "plot"})
        self._rect(clip, NAMES, 0, PLOT, self.height)
        self._rect(self.root, 0, 0, WIDTH, self.height, "ground")
        self._head()
        self._lanes()
        self.plot = Tree.SubElement(self.root, "g", {"clip-path": "url(#plot)"})
        self._changes()
        self._links()
        self._bars()
        self._limits()
        self._collisions()
        for place, note in enumerate(self.notes):
            self._text(GAP, self.bottom + (place + 1) * LINE, note, WIDTH - 2 * GAP, "faint")
        return self.root

    def _day(self) -> str:
        return span_said(self.timeline)

    def _head(self) -> None:
        self._text(GAP, 22, f"Schedules of {self._day()}", WIDTH // 2, "title")
        legend = "bar: p95 of recorded runs, violet on the critical path; ◆ collision, | deadline, ┆ clock change"
        self._text(WIDTH // 2 + GAP, 22, legend, WIDTH // 2 - 2 * GAP, "faint")
        zone = calendar.zone(self.timeline.zone)
        for at_s in self._ticks():
            x = self.x(at_s)
            self._line(self.root, x, HEAD - 8, x, self.bottom - GAP, "grid")
            local = datetime.fromtimestamp(at_s, UTC).astimezone(zone)
            self._text(x + 3, HEAD - 12, f"{local:%H:%M}" if self._step_s() < 86400 else f"{local:%m-%d}", 60, "faint")

    def _step_s(self) -> int:
        length_s = self.timeline.end_s - self.timeline.start_s
        return next((step for step in _STEPS_S if length_s / step <= _MOST_TICKS), length_s)

    def _ticks(self) -> Iterator[int]:
        yield from range(self.timeline.start_s, self.timeline.end_s, self._step_s())

    def _lanes(self) -> None:
        lane = -1
        for row, top in zip(self.timeline.rows, self.tops, strict=True):
            if row.lane != lane:
                lane = row.lane
                self._rect(self.root, 0, top - LANE + 3, WIDTH, LANE - 6, "lane")
                self._text(GAP, top - LANE / 2 + 4, self.timeline.lanes[lane], NAMES + PLOT, "title")
            self._text(GAP * 2, top + ROW / 2 + 4, row.name, NAMES - GAP * 3)
            self._text(NAMES + PLOT + GAP, top + ROW / 2 + 4, row.aside, ASIDE - 2 * GAP, "faint")

    def _bars(self) -> None:
        for number, row in enumerate(self.timeline.rows):
            if row.band:
                self._rect(self.plot, NAMES, self.tops[number] + 6, PLOT, ROW - 12, "band")
        for bar in self.timeline.bars:
            critical = " critical" if bar.critical else ""
            top = self.tops[bar.row] + 5
            if bar.length_s:
                length = bar.length_s * self.scale
                drawn = self._rect(self.plot, self.x(bar.at_s), top, length, ROW - 10, f"bar{critical}")
                drawn.set("data-seconds", f"{bar.length_s:g}")
                Tree.SubElement(drawn, "title").text = self._said(bar)
            firing = self._rect(self.plot, self.x(bar.at_s), top - 2, 1.5, ROW - 6, f"firing{critical}")
            Tree.SubElement(firing, "title").text = self._said(bar)

    def _said(self, bar: Bar) -> str:
        name = self.timeline.rows[bar.row].name
        length = f", p95 {spoken(bar.length_s)}" if bar.length_s else ""
        return visible(f"{name} {saying.instant(bar.at_s, self.timeline.zone)}{length}")

    def _collisions(self) -> None:
        for one in self.timeline.collisions:
            x, y = self.x(one.at_s), self.middle(one.row)
            points = f"{x - 6:.2f},{y:.2f} {x:.2f},{y - 6:.2f} {x + 6:.2f},{y:.2f} {x:.2f},{y + 6:.2f}"
            mark = Tree.SubElement(self.plot, "polygon", {"class": "collision", "points": points})
            rows = self.timeline.rows
            said = f"{rows[one.row].name} fires into {rows[one.into].name}"
            Tree.SubElement(mark, "title").text = visible(f"{said} {saying.instant(one.at_s, self.timeline.zone)}")

    def _links(self) -> None:
        for link in self.timeline.links:
            x0, y0, x1, y1 = self.x(link.end_s), self.middle(link.before), self.x(link.start_s), self.middle(link.after)
            bend = x0 + max((x1 - x0) / 2, 6)
            path = f"M{x0:.2f} {y0:.2f} C{bend:.2f} {y0:.2f} {bend:.2f} {y1:.2f} {x1:.2f} {y1:.2f}"
            Tree.SubElement(self.plot, "path", {"class": "link critical" if link.critical else "link", "d": path})

    def _limits(self) -> None:
        for limit in self.timeline.limits:
            x, top = self.x(limit.at_s), self.tops[limit.row]
            drawn = self._line(self.plot, x, top + 1, x, top + ROW - 1, "limit late" if limit.late else "limit")
            when = saying.instant(limit.at_s, self.timeline.zone)
            Tree.SubElement(drawn, "title").text = visible(f"deadline of {self.timeline.rows[limit.row].name} {when}")

    def _changes(self) -> None:
        for instant, said in self.timeline.changes:
            x = self.x(instant)
            drawn = self._line(self.plot, x, HEAD - 8, x, self.bottom - GAP, "change")
            Tree.SubElement(drawn, "title").text = said

    def _rect(
        self, into: Tree.Element, x: float, y: float, width: float, height: float, kind: str = ""
    ) -> Tree.Element:
        box = {"x": f"{x:.3f}", "y": f"{y:.3f}", "width": f"{width:.3f}", "height": f"{height:.3f}"}
        return Tree.SubElement(into, "rect", box | ({"class": kind} if kind else {}))

    def _line(self, into: Tree.Element, x1: float, y1: float, x2: float, y2: float, kind: str) -> Tree.Element:
        ends = {"x1": f"{x1:.3f}", "y1": f"{y1:.3f}", "x2": f"{x2:.3f}", "y2": f"{y2:.3f}"}
        return Tree.SubElement(into, "line", ends | {"class": kind})

    def _text(self, x: float, y: float, said: str, room: float, kind: str = "") -> None:
        place = {"x": f"{x:.2f}", "y": f"{y:.2f}"} | ({"class": kind} if kind else {})
        Tree.SubElement(self.root, "text", place).text = _cut(visible(" ".join(said.split())), room)


def span_said(timeline: Timeline) -> str:
    """The stretch of time that is drawn, in words."""
    start = datetime.fromtimestamp(timeline.start_s, UTC).astimezone(calendar.zone(timeline.zone))
    return f"{start:%Y-%m-%d} from {start:%H:%M} for {spoken(timeline.end_s - timeline.start_s)} in {timeline.zone}"


def _cut(text: str, room: float) -> str:
    """As much of a text as fits into so many pixels."""
    cells = int(room / LETTER)
    if width(text) <= cells:
        return text
    kept = ""
    for letter in text:
        if width(kept + letter) > cells - 1:
            break
        kept += letter
    return kept + "…"


def width(text: str) -> int:
    """How many cells a text takes in a monospaced font."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
