"""A clock alone seals the end of an item although somebody else knows the outcome and is not asked on that path."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Horizon, Note
from anchorlint.domain.fitting import fitting
from anchorlint.domain.span import Span
from anchorlint.python.facts import Event
from anchorlint.python.fieldnames import horizon_of
from anchorlint.python.gated import Gated
from anchorlint.python.program import Program
from anchorlint.python.seals import Seal, Seals
from anchorlint.python.view import View
from anchorlint.python.writes import Writes


def check(program: Program) -> Iterator[Finding]:
    """One finding for each end that only a gate decides, where the end is written."""
    seals = program.part(Seals)
    told: set[Span] = set()
    for ref in program.part(Gated).functions:
        if not program.is_asked(ref.module):
            continue
        view = program.view(ref)
        program.engine.ask(f"ANC104 {view!r}")
        for seal in seals.of(view):
            finding = _finding(program, seal)
            if finding.span not in told:
                told.add(finding.span)
                yield finding


def _finding(program: Program, seal: Seal) -> Finding:
    gate, place = seal.gate.gate, seal.gate.place
    done = f"sealed as {seal.state}" if seal.state else "deleted"
    until = horizon_of(seal.gate, program.part(Writes).queries)
    message = fitting(
        f"{done} after {until} by the clock alone; who knows the outcome is not asked",
        f"{done} by the clock alone after {until}",
        f"{done} by the clock alone; who knows the outcome is not asked",
    )
    notes = [Note("the outcome comes from outside here", _span(program, seal.known_view, seal.known))]
    if len(place) == 5 and place[0] >= 0:
        decides = fitting(f"the clock decides here, from {until} on", "the clock decides here")
        notes.insert(0, Note(decides, program.span(place[0], place[1:])))
    return Finding(
        code="ANC104",
        message=message,
        span=_span(program, seal.view, seal.event),
        notes=tuple(notes),
        help="ask for the outcome first, and seal only on an answer; leave the item as it is when nobody answers",
        horizon=Horizon(gate.text, gate.item.text, gate.slack_s),
        confidence=seal.gate.confidence,
    )


def _span(program: Program, view: View, event: Event) -> Span:
    return program.span(view.module, (event.line, event.column, event.end_line, event.end_column))
