"""The only alert on a gate fires once it is closed: people hear of it when nothing can be done any more."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Horizon, Note, Severity
from anchorlint.domain.fitting import fitting
from anchorlint.domain.span import Span
from anchorlint.python.alerts import Alerts, Late
from anchorlint.python.fieldnames import horizon_of
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each alert that comes only after a horizon."""
    alerts = program.part(Alerts)
    told: set[Span] = set()
    for ref in alerts.functions():
        view = program.view(ref)
        program.engine.ask(f"ANC105 {view!r}")
        for late in alerts.late(view):
            finding = _finding(program, alerts, late)
            if finding.span not in told:
                told.add(finding.span)
                yield finding


def _finding(program: Program, alerts: Alerts, late: Late) -> Finding:
    event, seen = late.event, late.gate
    span = program.span(late.view.module, (event.line, event.column, event.end_line, event.end_column))
    notes: tuple[Note, ...] = ()
    horizon = None
    if seen is not None:
        until = horizon_of(seen, alerts.writes.queries)
        message = fitting(
            f"the only alert comes after {until}, when it is over", "the only alert comes when it is over"
        )
        horizon = Horizon(seen.gate.text, seen.gate.item.text, seen.gate.slack_s)
        if len(seen.place) == 5 and seen.place[0] >= 0:
            at = program.span(seen.place[0], seen.place[1:])
            notes = () if at == span else (Note(fitting(f"fires from {until} on", "fires from here on"), at),)
    else:
        message = fitting(f"the only alert comes once {late.item} is {late.state}, a state without return")
    return Finding(
        code="ANC105",
        message=message,
        span=span,
        notes=notes,
        help="alert at a share of the window, while somebody can still act",
        horizon=horizon,
        severity=Severity.NOTE if late.shown else None,
        confidence=Confidence.MEDIUM if seen is None else min(seen.confidence, Confidence.MEDIUM, key=lambda c: c.rank),
    )
