"""Incident 1 with its numbers drawn at random: what is said agrees with a simulation of the very program."""

from __future__ import annotations

import re
import types
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from anchorlint.checks.anc101_mixed_anchor_retry import check
from anchorlint.domain.finding import Finding
from anchorlint.python.facts import read
from anchorlint.python.program import Program

DAY_S = 86400
UNITS = {
    "s": ("{n}", "time.time()", 1),
    "ms": ("{n} * 1000", "int(time.time() * 1000)", 1000),
    "days": ("timedelta(seconds={n})", "datetime.now(timezone.utc)", None),
}
PROGRAM = """
import time
from datetime import datetime, timedelta, timezone

REACH = {reach}
NEEDED = {needed}
MOST = {most}


def reachable(claim, now):
    return now - REACH <= claim.due - NEEDED


def visit(claim, desk, now=None):
    now = now or {clock}
    if now < claim.due:
        return "early"
    if not reachable(claim, now):
        return "waiting"
    claim.answer = desk.ask(claim)
    return "done"


def nightly(claims, desk):
    for claim in claims:
        state = visit(claim, desk)
        if state == "early":
            continue
        if state == "waiting":
            claim.tries += 1
            if claim.tries >= MOST:
                claim.answer = "gave up"
"""


def program(reach_s: int, needed_s: int, most: int, unit: str) -> str:
    """The source of the program with its numbers in a unit."""
    number, clock, _ = UNITS[unit]
    return PROGRAM.format(reach=number.format(n=reach_s), needed=number.format(n=needed_s), most=most, clock=clock)


def simulated(source: str, unit: str, first_s: float, period_s: float, most: int) -> list[bool]:
    """Run the program's own test at each scheduled instant, from the claim's due instant: which tries can pass."""
    module = types.ModuleType("simulated")
    exec(compile(source, "claims.py", "exec"), module.__dict__)  # a program of this test, not one that is linted

    def instant(at_s: float) -> object:
        if unit == "days":
            return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=at_s)
        return (at_s + 1.9e9) * (1000 if unit == "ms" else 1)

    claim = types.SimpleNamespace(due=instant(0))
    return [module.reachable(claim, instant(first_s + n * period_s)) for n in range(most)]


def findings(source: str, period_s: float) -> list[Finding]:
    """What the rule says of the program when it is scheduled with this period."""
    facts = read("claims.py", source)
    return list(check(Program([facts], periods_s={"claims:nightly": period_s})))


@settings(max_examples=60, deadline=None)
@given(
    reach=st.integers(1, 60).map(lambda d: d * DAY_S // 2),
    needed=st.integers(0, 30).map(lambda d: d * DAY_S // 2),
    most=st.integers(2, 40),
    unit=st.sampled_from(sorted(UNITS)),
    period_s=st.sampled_from([3600, 6 * 3600, DAY_S, 7 * DAY_S]),
    offset=st.floats(0, 0.999),
)
def test_the_horizon_and_the_wasted_tries_agree_with_a_simulation(
    reach: int, needed: int, most: int, unit: str, period_s: int, offset: float
) -> None:
    """The horizon is where the program's own test flips, and no fewer tries than said come after it."""
    source = program(reach, needed, most, unit)
    found = findings(source, period_s)

    assert [f.code for f in found] == ["ANC101"]
    horizon = found[0].horizon
    assert horizon is not None and horizon.slack_s is not None
    assert horizon.item == "claim.due"
    assert abs(horizon.slack_s - (reach - needed)) < 1e-3
    flips = simulated(source, unit, horizon.slack_s - 1, 2, 2)
    assert flips == [True, False]

    passing = simulated(source, unit, offset * period_s, period_s, most)
    told = re.search(r"at least (\d+) of the (\d+) tries come after that", found[0].help or "")
    assert told is not None
    assert int(told[2]) == most
    assert passing.count(False) - int(told[1]) in (0, 1)


def test_the_mended_program_is_silent() -> None:
    """The closed window has a state of its own, taken before the retry."""
    source = program(14 * DAY_S, 7 * DAY_S, 14, "s")
    mended = source.replace(
        '        return "waiting"\n    claim.answer', '        return "beyond"\n    claim.answer'
    ).replace(
        '        if state == "waiting":',
        '        if state == "beyond":\n            claim.answer = "not kept"\n            continue\n'
        '        if state == "waiting":',
    )
    assert mended != source
    assert findings(mended, DAY_S) == []
