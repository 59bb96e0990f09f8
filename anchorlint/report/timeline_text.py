"""A timeline as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from anchorlint.domain.duration import spoken
from anchorlint.manifests import calendar
from anchorlint.report.timeline_parts import Timeline
from anchorlint.report.timeline_svg import span_said, width
from anchorlint.report.visible import visible

_NAME, _ASIDE, _LEAST = 22, 34, 24
NOTHING, RUNNING, FIRING, COLLISION, LIMIT, CHANGE, BAND = "·", "█", "▏", "◆", "╿", "┆", "░"


def render(timeline: Timeline, columns: int = 110) -> str:
    """The timeline in lines of so many columns: a lane for each workflow, a row for each schedule, then the notes."""
    return "\n".join(_lines(timeline, max(columns - _NAME - _ASIDE, _LEAST))) + "\n"


def _lines(timeline: Timeline, cells: int) -> Iterator[str]:
    yield f"{span_said(timeline)}; a cell is {spoken((timeline.end_s - timeline.start_s) / cells)}"
    yield " " * _NAME + _hours(timeline, cells)
    lane = -1
    for number, row in enumerate(timeline.rows):
        if row.lane != lane:
            lane = row.lane
            yield visible(timeline.lanes[lane])
        yield f"  {_fitted(row.name, _NAME - 3)} {_row(timeline, number, cells)} {visible(row.aside)}"
    if timeline.rows:
        yield f"{RUNNING} p95 of the recorded runs  {COLLISION} collision  {LIMIT} deadline  {CHANGE} clock change"
    yield from map(visible, timeline.notes)


def _hours(timeline: Timeline, cells: int) -> str:
    zone, line = calendar.zone(timeline.zone), [" "] * cells
    step = max(cells // 8, 8)
    for cell in range(0, cells - 5, step):
        at_s = timeline.start_s + cell * (timeline.end_s - timeline.start_s) / cells
        line[cell : cell + 5] = f"{datetime.fromtimestamp(at_s, UTC).astimezone(zone):%H:%M}"
    return "".join(line).rstrip()


def _row(timeline: Timeline, number: int, cells: int) -> str:
    line = [BAND if timeline.rows[number].band else NOTHING] * cells
    second = cells / (timeline.end_s - timeline.start_s)

    def put(at_s: float, mark: str) -> None:
        cell = int((at_s - timeline.start_s) * second)
        if 0 <= cell < cells:
            line[cell] = mark

    for instant, _ in timeline.changes:
        put(instant, CHANGE)
    for bar in timeline.bars:
        if bar.row == number:
            first, last = ((at - timeline.start_s) * second for at in (bar.at_s, bar.end_s))
            line[int(first) : int(last) + 1] = RUNNING * (min(int(last) + 1, cells) - int(first))
            put(bar.at_s, RUNNING if bar.length_s else FIRING)
    for limit in timeline.limits:
        if limit.row == number:
            put(limit.at_s, LIMIT)
    for collision in timeline.collisions:
        if collision.row == number:
            put(collision.at_s, COLLISION)
    return "".join(line)


def _fitted(text: str, cells: int) -> str:
    said = visible(text)
    while width(said) > cells:
        said = said[:-2] + "…"
    return said + " " * (cells - width(said))
