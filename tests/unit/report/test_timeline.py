"""The timeline: what is drawn where, measured on the SVG itself."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from xml.etree import ElementTree as Tree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.report.timeline import timeline
from anchorlint.report.timeline_parts import Timeline
from anchorlint.report.timeline_svg import NAMES, PLOT, html, svg
from anchorlint.report.timeline_text import render
from unit.manifests.timetables import AS_OF, csv, daily, timetable

SVG = "{http://www.w3.org/2000/svg}"
CELL = 7.23  # DejaVu Sans Mono at 12 px
TALL = 12

DESK = """\
schedules:
  - {id: close, workflow: desk, cron: "55 15 * * 1-5", timezone: America/New_York}
  - {id: pulse, workflow: desk, cron: "10 16 * * 1-5", timezone: America/New_York}
  - id: letter
    workflow: post
    timezone: America/New_York
    after_schedule_ids: [close]
    dependency_deadline: "DEADLINE"
  - {id: sweep, workflow: other, every: 40m}
"""
RUNS = csv([*daily("close", [20.0] * 25), *daily("letter", [5.0] * 25), *daily("pulse", [2.0] * 25)])


def drawn(text: str = "", runs: str = RUNS, days: int = 1, as_of: datetime = AS_OF) -> Timeline:
    text = text or DESK.replace("DEADLINE", "17:30")
    return timeline(timetable(text, runs, as_of), {"schedules.yaml"}, days)


def root(picture: Timeline) -> Tree.Element:
    return Tree.fromstring(svg(picture))


def of_class(top: Tree.Element, kind: str) -> list[Tree.Element]:
    return [each for each in top.iter() if kind in (each.get("class") or "").split()]


def test_a_bar_is_as_long_as_its_seconds() -> None:
    picture = drawn()
    scale = PLOT / (picture.end_s - picture.start_s)
    bars = of_class(root(picture), "bar")
    lengths = {1200.0, 300.0, 120.0}
    assert {float(bar.get("data-seconds", "")) for bar in bars} == lengths
    for bar, run in zip(bars, (bar for bar in picture.bars if bar.length_s), strict=True):
        assert float(bar.get("width", "")) == pytest.approx(run.length_s * scale, abs=0.002)
        assert float(bar.get("x", "")) == pytest.approx(NAMES + (run.at_s - picture.start_s) * scale, abs=0.002)


def test_each_firing_stands_at_its_instant() -> None:
    picture = drawn()
    new_york = [datetime.fromtimestamp(bar.at_s, UTC) for bar in picture.bars]
    assert [f"{at:%m-%d %H:%M}" for at in new_york] == ["11-30 20:55", "11-30 21:10", "11-30 21:15"]
    assert picture.zone == "America/New_York" and (picture.end_s - picture.start_s) % 3600 == 0


def boxes(top: Tree.Element) -> list[tuple[str, float, float, float, float]]:
    found = []
    for text in top.iter(f"{SVG}text"):
        said = text.text or ""
        cells = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in said)
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        found.append((said, x, y - TALL + 2, x + cells * CELL, y + 3))
    return found


def assert_apart(top: Tree.Element) -> None:
    _, _, wide, high = map(float, (top.get("viewBox") or "").split())
    places = boxes(top)
    for number, (said, left, upper, right, lower) in enumerate(places):
        assert left >= 0 and upper >= 0 and right <= wide and lower <= high, said
        for other, left2, upper2, right2, lower2 in places[:number]:
            assert right <= left2 or right2 <= left or lower <= upper2 or lower2 <= upper, (said, other)


NAME = st.text(st.characters(codec="utf-8", exclude_characters='"\\'), min_size=1, max_size=90)


@settings(max_examples=40, deadline=None)
@given(names=st.lists(NAME, min_size=1, max_size=8, unique=True), days=st.integers(1, 40), data=st.data())
def test_no_two_texts_overlap_whatever_the_names_are(names: list[str], days: int, data: st.DataObject) -> None:
    entries = "".join(
        f'  - {{id: s{n}, workflow: w{n // 2}, cron: "{data.draw(st.integers(0, 59))} */{n + 1} * * *"}}\n'
        for n in range(len(names))
    )
    picture = drawn(f"schedules:\n{entries}", csv(daily("s0", [90.0] * 25)), days)
    rows = tuple(msgspec.structs.replace(row, name=name) for row, name in zip(picture.rows, names, strict=True))
    assert_apart(root(msgspec.structs.replace(picture, rows=rows, lanes=tuple(names[: len(picture.lanes)]))))


def test_no_two_texts_overlap_in_an_ordinary_one() -> None:
    assert_apart(root(drawn()))
    assert len(boxes(root(drawn()))) > 12


@settings(max_examples=30, deadline=None)
@given(
    minutes=st.lists(st.integers(0, 1439), min_size=2, max_size=6, unique=True),
    lengths=st.lists(st.integers(1, 300), min_size=6, max_size=6),
)
def test_every_collision_has_its_mark(minutes: list[int], lengths: list[int]) -> None:
    entries = "".join(
        f'  - {{id: s{n}, workflow: {"ab"[n % 2]}, cron: "{at % 60} {at // 60} * * *"}}\n'
        for n, at in enumerate(minutes)
    )
    runs = csv([run for n in range(len(minutes)) for run in daily(f"s{n}", [float(lengths[n])] * 25)])
    picture = drawn(f"schedules:\n{entries}", runs)
    expected = sorted(
        (after, n)
        for n, after in enumerate(minutes)
        if any(before < after < before + lengths[m] for m, before in enumerate(minutes) if m % 2 == n % 2)
    )
    top = root(picture)
    scale = PLOT / (picture.end_s - picture.start_s)
    told = [((one.at_s - AS_OF.timestamp()) / 60, picture.rows[one.row].name) for one in picture.collisions]
    assert sorted(told) == [(after, f"s{n}") for after, n in expected]
    marks = sorted(float((mark.get("points") or "").split()[1].split(",")[0]) for mark in of_class(top, "collision"))
    wanted = sorted(NAMES + (one.at_s - picture.start_s) * scale for one in picture.collisions)
    assert marks == pytest.approx(wanted, abs=0.01)


def test_a_dependent_is_linked_to_the_end_of_what_it_waits_for_and_no_collision() -> None:
    picture = drawn(DESK.replace("workflow: post", "workflow: desk").replace("DEADLINE", "17:30"))
    (link,) = picture.links
    assert link.end_s == link.start_s == datetime(2026, 11, 30, 21, 15, tzinfo=UTC).timestamp() and link.critical
    assert [picture.rows[one.row].name for one in picture.collisions] == ["pulse"]
    assert len(of_class(root(picture), "link")) == 1
    assert "critical path: close > letter: 25m, from 2026-11-30 15:55 EST to 2026-11-30 16:20 EST" in picture.notes


@pytest.mark.parametrize(("deadline", "late"), [("17:30", False), ("16:10", True)])
def test_deadlines_are_drawn_and_late_ones_told_apart(deadline: str, late: bool) -> None:
    picture = drawn(DESK.replace("DEADLINE", deadline))
    (limit,) = picture.limits
    hour, minute = map(int, deadline.split(":"))
    assert limit.at_s == datetime(2026, 11, 30, hour + 5, minute, tzinfo=UTC).timestamp()
    (mark,) = of_class(root(picture), "limit")
    assert ("late" in (mark.get("class") or "").split()) is limit.late is late


def test_a_clock_change_is_drawn_on_its_day_and_told_in_any_case() -> None:
    text = 'schedules: [{id: night, cron: "30 2 * * *", timezone: America/New_York}]'
    about = "2027-03-14 01:59 EST: clocks of America/New_York go forward by 1h; it meets night"
    spring = drawn(text, "", days=2, as_of=datetime(2027, 3, 13, 8, tzinfo=UTC))
    assert spring.changes == ((1805007600, about.split(";")[0]),) and len(of_class(root(spring), "change")) == 1
    assert about in spring.notes and about in drawn(text, "").notes and not drawn(text, "").changes


def test_what_fires_too_often_is_one_band() -> None:
    picture = drawn('schedules: [{id: beat, cron: "* * * * *"}, {id: day, cron: "0 4 * * *"}]', "")
    assert [(row.name, row.band) for row in picture.rows] == [("beat", True), ("day", False)]
    assert len(of_class(root(picture), "band")) == 1 and len(of_class(root(picture), "firing")) == 1


def test_a_ring_and_a_wrong_zone_draw_nothing_and_break_nothing() -> None:
    text = """\
schedules:
  - {id: a, after_schedule_ids: [b]}
  - {id: b, after_schedule_ids: [a]}
  - {id: c, cron: "0 4 * * *", timezone: Europe/Nowhere}
  - {id: d, cron: "61 4 * * *"}
"""
    picture = drawn(text, "")
    assert not picture.bars and [row.name for row in picture.rows] == ["a", "b", "d"]
    assert_apart(root(picture))


def test_the_picture_stands_alone_and_follows_the_reader() -> None:
    for text in (svg(drawn()), html(drawn())):
        assert "prefers-color-scheme: dark" in text and "<script" not in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "") and "url(#plot)" in text
    assert html(drawn()).startswith("<!DOCTYPE html>\n<html")


def test_the_text_form_shows_the_same() -> None:
    lines = render(drawn(), 120).splitlines()
    close, pulse = (next(line for line in lines if line.startswith(f"  {name} ")) for name in ("close", "pulse"))
    assert "█" in close and "◆" in pulse and close.index("█") < pulse.index("◆")
    assert any(line.startswith("collision: pulse fires into close (p95 20m)") for line in lines)


def test_a_name_that_speaks_to_the_terminal_does_not() -> None:
    picture = drawn('schedules: [{id: "a\\u001b[31mb", cron: "0 4 * * *"}]', "")
    assert "\x1b" not in render(picture) and "\x1b" not in svg(picture)
    root(picture)
