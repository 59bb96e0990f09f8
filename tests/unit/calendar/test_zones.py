"""Zones come from the tzdata package alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from anchorlint.manifests.calendar import Invalid, nearest_zone, valid_zone, zone
from anchorlint.manifests.calendar.zones import clock


@pytest.mark.parametrize(
    "name", ["UTC", "Europe/Berlin", "US/Eastern", "America/Montreal", "EST", "CET", "EST5EDT", "Etc/GMT+5"]
)
def test_links_and_old_names_are_zones(name: str) -> None:
    """Backward links are in the database and work."""
    assert valid_zone(name) and zone(name).key == name


WORDS = ("Z", "GMT+5", "america/new_york", "Europe/Amsterdm", "Europe")
MACHINES = ("localtime", "Factory", "posixrules", "../UTC", "/etc/localtime")


@pytest.mark.parametrize("name", ["", *WORDS, *MACHINES])
def test_other_words_are_none(name: str) -> None:
    """Case counts, as on Linux, and no path leads out of the package."""
    assert not valid_zone(name)
    with pytest.raises(Invalid):
        zone(name)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Europe/Amsterdm", "Europe/Amsterdam"),
        ("america/new_york", "America/New_York"),
        ("New York", "America/New_York"),
        ("Berlin", "Europe/Berlin"),
        ("Mars/Olympus", None),
    ],
)
def test_the_nearest_name_is_offered(typed: str, meant: str | None) -> None:
    """None where nothing is near."""
    assert nearest_zone(typed) == meant


def test_the_machine_has_no_say() -> None:
    """The same answer where the system has no zones at all."""
    code = (
        "from anchorlint.manifests.calendar import zone, valid_zone; from datetime import datetime;"
        "print(valid_zone('Europe/Dublin'), datetime(2027, 7, 1, tzinfo=zone('Europe/Dublin')).isoformat())"
    )
    environment = {**os.environ, "PYTHONTZPATH": "", "TZ": "Asia/Tokyo"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["True", "2027-07-01T00:00:00+01:00"]


def test_the_changes_of_a_year() -> None:
    """Half an hour on Lord Howe, none in Kolkata, negative summer time in Dublin."""
    assert [change.after_s - change.before_s for change in clock("Australia/Lord_Howe", 2027, 2027).changes] == [
        -1800,
        1800,
    ]
    assert clock("Asia/Kolkata", 2027, 2030).changes == ()
    assert [change.skips for change in clock("Europe/Dublin", 2027, 2027).changes] == [True, False]
