"""A window that an item needs is silently narrowed to what a sliding bound still reaches, and counts as read."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Horizon, Note
from anchorlint.domain.fitting import fitting
from anchorlint.domain.gate import said
from anchorlint.domain.span import Span
from anchorlint.python.clamps import Clamp, Clamps
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each clamp whose gap nobody compares or records."""
    clamps = program.part(Clamps)
    told: set[Span] = set()
    for module in range(len(program.linked.modules)):
        if module in program.tests and not program.include_tests:
            continue
        for clamp in clamps.of(module):
            if not program.is_asked(clamp.module):
                continue
            finding = _finding(program, clamp)
            if finding.span not in told:
                told.add(finding.span)
                yield finding


def _finding(program: Program, clamp: Clamp) -> Finding:
    wanted, floor = said(clamp.named, clamp.margin), said("now", clamp.floor)
    slack = clamp.margin - clamp.floor
    message = fitting(
        f"a start at {wanted} is lifted to {floor} without a trace, and the range counts as read",
        f"{wanted} is lifted to {floor} without a trace",
        f"the start that is wanted is lifted to {floor} without a trace",
    )
    notes = ()
    if clamp.inner is not None:
        notes = (Note("lifted here", program.span(*clamp.inner)),)
    return Finding(
        code="ANC103",
        message=message,
        span=program.span(clamp.module, clamp.at),
        notes=notes,
        help="compare the start that is used with the one that is wanted, and record the gap or fetch it otherwise",
        horizon=Horizon(said(clamp.named, slack), clamp.named, slack.number),
        confidence=Confidence.HIGH if slack.number is not None else Confidence.MEDIUM,
    )
