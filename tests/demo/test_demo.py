"""The demo tells right from wrong: what it finds is found by the engine, and it fails when that is not as marked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from anchorlint.cli import incidents as shown
from anchorlint.main import main

FAULTS = {
    "1-two-clocks": {"ANC101", "RTY201"},
    "2-clock-offsets": {"SCH401"},
    "3-store-that-is-down": {"RTY202"},
    "4-clock-steps-back": {"CLK301"},
}


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the demo that a test may spoil, shown instead of the real one."""
    copy = Path(shutil.copytree(shown.rules_directory() / "demo", tmp_path / "demo"))
    monkeypatch.setattr(shown, "rules_directory", lambda: tmp_path)
    return copy


def test_every_fault_is_found_and_the_mended_sides_are_silent() -> None:
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 0, done.output
    for codes in FAULTS.values():
        assert all(code in done.output for code in codes)


@pytest.mark.parametrize("name", FAULTS)
def test_each_incident_shows_its_own_rules(name: str) -> None:
    project = shown.rules_directory() / "demo" / name / "bad"
    with shown.analysed(project) as report:
        assert {finding.code for finding in report.findings} == FAULTS[name]


def test_the_first_incident_counts_the_attempts_that_are_lost() -> None:
    project = shown.rules_directory() / "demo" / "1-two-clocks" / "bad"
    with shown.analysed(project) as report:
        (finding,) = (finding for finding in report.findings if finding.code == "ANC101")
    assert finding.horizon is not None
    assert finding.horizon.slack_s == 7 * 24 * 3600
    # Fourteen nightly attempts from the deadline on; the first falls within a day of it, so eight come in time at most.
    told = " ".join((finding.message, *(note.message for note in finding.notes), finding.help or ""))
    assert "6 of the 14" in told, told


def test_a_fault_that_is_not_found_fails_the_demo(demo: Path) -> None:
    file = demo / "2-clock-offsets" / "bad" / "schedules.yaml"
    file.write_text(file.read_text().replace("10 16 * * 1-5", "40 16 * * 1-5"))
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "NOT FOUND: SCH401 at schedules.yaml:11" in done.output


def test_a_finding_that_is_not_marked_fails_the_demo(demo: Path) -> None:
    file = demo / "2-clock-offsets" / "mended" / "schedules.yaml"
    file.write_text(file.read_text().replace("[market-close]", "[market-open]"))
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "NOT EXPECTED: SCH403 at schedules.yaml:" in done.output


def test_a_file_that_cannot_be_read_fails_the_demo(demo: Path) -> None:
    (demo / "4-clock-steps-back" / "mended" / "ward.py").write_text("def settle(:\n")
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "FAILED: " in done.output


def test_the_projects_are_shown_under_their_own_paths() -> None:
    done = CliRunner().invoke(main, ["demo"])
    assert "claims/ruling.py" in done.output
    assert "/tmp" not in done.output
