"""`anchorlint timeline` from the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest
from click.testing import Result

Anchorlint = Callable[..., Result]
Project = Callable[[Mapping[str, str]], Path]

FILES = {
    "schedules.yaml": 'schedules: [{id: close, cron: "55 15 * * *"}, {id: open, cron: "5 9 * * *"}]\n',
    "jobs/beat.py": "from celery.schedules import crontab\n"
    'beat_schedule = {"sweep": {"task": "jobs.sweep", "schedule": crontab(hour=4, minute=10)}}\n',
    "jobs/test_beat.py": 'import pytest\nbeat_schedule = {"fake": {"task": "fake", "schedule": 5.0}}\n',
}


def test_it_is_drawn_in_the_terminal(anchorlint: Anchorlint, project: Project) -> None:
    project(FILES)
    done = anchorlint("timeline", "--as-of", "2026-11-30")
    rows = [line.split()[0] for line in done.stdout.splitlines() if "no runs" in line]
    assert done.exit_code == 0 and sorted(rows) == ["close", "open", "sweep"]
    assert done.stdout.startswith("2026-11-30 from 04:00 for 12h in UTC; a cell is ")


def test_only_what_is_asked_for_is_drawn(anchorlint: Anchorlint, project: Project) -> None:
    project(FILES)
    done = anchorlint("timeline", "jobs", "--as-of", "2026-11-30")
    assert "sweep" in done.stdout and "close" not in done.stdout


@pytest.mark.parametrize("name", ["out.svg", "out.html"])
def test_it_is_drawn_into_a_file(anchorlint: Anchorlint, project: Project, name: str) -> None:
    folder = project(FILES)
    done = anchorlint("timeline", "-o", name, "--days", "2", "--as-of", "2026-11-30")
    text = (folder / name).read_text("utf-8")
    assert (done.exit_code, done.stdout) == (0, "") and text.count("close") > 1
    if name.endswith(".svg"):
        assert Tree.fromstring(text).tag.endswith("svg")


def test_mistakes_are_told(anchorlint: Anchorlint, project: Project) -> None:
    project({"a.py": "x = 1\n"})
    nothing = anchorlint("timeline")
    assert nothing.exit_code == 2 and "no schedules there" in nothing.stderr
    form = anchorlint("timeline", "-o", "out.png")
    assert form.exit_code == 2 and "drawn as .svg or .html" in form.stderr


def test_what_cannot_be_read_is_told_and_the_rest_is_drawn(anchorlint: Anchorlint, project: Project) -> None:
    project(FILES | {"more/schedules.yaml": "schedules: [\n"})
    done = anchorlint("timeline", "--as-of", "2026-11-30")
    assert done.exit_code == 2 and "more/schedules.yaml" in done.stderr and "close" in done.stdout
