"""A program that applies batches is run through two outages of its target, and what is said of it is what happens."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from harness import analysed, found, unmarked

PROGRAMS = Path(__file__).parents[2] / "data" / "two_outages"
MOST = 8


def loaded(side: str) -> ModuleType:
    """The program of one side as a module."""
    spec = importlib.util.spec_from_file_location(f"two_outages_{side}", PROGRAMS / side / "apply.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Target:
    """A database in memory that is away for as long as its clock stands in an outage; each refused call is a moment."""

    def __init__(self, down: type[Exception], outages: Callable[[int, int], bool]) -> None:
        self.down, self.outages = down, outages
        self.applied: list[int] = []
        self.refused = 0
        self.pauses = 0

    def position(self) -> int:
        self._answer(len(self.applied))
        return len(self.applied)

    def apply(self, number: int, batch: str) -> None:
        self._answer(number)
        self.applied.append(number)

    def pause(self) -> None:
        self.pauses += 1

    def _answer(self, number: int) -> None:
        if self.outages(number, self.pauses):
            self.refused += 1
            raise self.down(f"refused at {number}")


def two_outages(number: int, pauses: int) -> bool:
    """Away before batch 3 until 5 pauses have gone by, and before batch 40 until 10 have."""
    return number == 3 and pauses < 5 or number == 40 and pauses < 10


def stuck(number: int, pauses: int) -> bool:
    """Batch 4 is refused for ever, while the position can be read."""
    return number == 4


def applied(module: ModuleType, outages: Callable[[int, int], bool]) -> tuple[Target, Any]:
    """Run 60 batches through these outages; the applier and its target afterwards."""
    target = Target(module.TargetDown, outages)
    applier = module.Applier(target, [str(n) for n in range(60)], target.pause, MOST)
    with suppress(module.Stopped):
        applier.run()
    return target, applier


def test_the_bad_program_dies_at_the_first_failures_of_the_second_outage() -> None:
    target, applier = applied(loaded("bad"), two_outages)
    assert len(target.applied) == 40, "it has applied all that lies between the outages"
    assert applier.failures == MOST
    assert target.pauses < 10, "and yet it did not wait for the end of the second one"


def test_the_mended_program_rides_both_outages_out() -> None:
    target, _ = applied(loaded("good"), two_outages)
    assert target.applied == list(range(60))
    assert target.pauses == 10


def test_the_mended_program_stops_at_a_batch_that_never_passes() -> None:
    module = loaded("good")
    target, applier = applied(module, stuck)
    assert target.applied == [0, 1, 2, 3]
    assert applier.failures == MOST
    assert target.pauses == MOST - 1


@pytest.mark.parametrize("side", ["bad", "good"])
def test_what_is_said_of_each_is_true(side: str, tmp_path: Path) -> None:
    source = (PROGRAMS / side / "apply.py").read_text(encoding="utf-8")
    text, marks = unmarked("apply.py", source)
    (tmp_path / "apply.py").write_text(text, encoding="utf-8")
    report = analysed(tmp_path, select="RTY")
    assert found(report) == marks
    assert bool(marks) == (side == "bad")
    for finding in report.findings:
        assert f"failures (limit {MOST}) is given back only by a read" in finding.message
