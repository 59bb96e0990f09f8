"""A wall-clock expiry alone decides that an effect may run again, and nothing in the write fences it."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.span import Span
from anchorlint.python.fields import horizon_of
from anchorlint.python.forgotten import Forgotten, Replay
from anchorlint.python.gates import Seen
from anchorlint.python.program import Program
from anchorlint.python.takeovers import TakeOver, TakeOvers
from anchorlint.python.timely import Timely
from anchorlint.python.watermarks import Watermarks
from anchorlint.python.writes import Touch, Writes

_LONGEST = 120


def check(program: Program) -> Iterator[Finding]:
    """One finding for each expiry, at the gate that permits the effect."""
    take_overs, forgotten = program.part(TakeOvers), program.part(Forgotten)
    floors = program.part(Watermarks)
    told: set[Span] = set()
    for ref in program.part(Timely).gated:
        if not program.is_asked(ref.module):
            continue
        view = program.view(ref)
        program.engine.ask(f"CLK301 {view!r}")
        found = [(t.gate, _taken_over(program, t)) for t in take_overs.of(view) if _has_place(t.gate)]
        found += [(r.gate, _replayed(program, r)) for r in forgotten.of(view) if _has_place(r.gate)]
        for gate, finding in found:
            if finding.span not in told and not floors.never_steps_back(gate):
                told.add(finding.span)
                yield finding


def _has_place(seen: Seen) -> bool:
    return len(seen.place) == 5 and seen.place[0] >= 0


def _span(program: Program, seen: Seen) -> Span:
    return program.span(seen.place[0], seen.place[1:])


def _touched(program: Program, touch: Touch) -> Span:
    event = touch.event
    return program.span(touch.view.module, (event.line, event.column, event.end_line, event.end_column))


def _taken_over(program: Program, found: TakeOver) -> Finding:
    at, again = _span(program, found.gate), _touched(program, found.again)
    until = horizon_of(found.gate, program.part(Writes).queries)
    notes = [] if again == at else [Note("the work is taken over here", again)]
    if found.ending is not None:
        notes.append(Note("ended here without asking whether it was taken over", _touched(program, found.ending)))
    return Finding(
        code="CLK301",
        message=_fitting(f"after {until} the clock alone lets work be taken over; no write is fenced"),
        span=at,
        notes=tuple(notes),
        help="raise a number with each take-over and compare it in the write that ends the work",
        confidence=found.gate.confidence,
    )


def _replayed(program: Program, found: Replay) -> Finding:
    queries = program.part(Writes).queries
    swept, until = horizon_of(found.sweep.gate, queries), horizon_of(found.gate, queries)
    return Finding(
        code="CLK301",
        message=_fitting(f"before {until} an effect may run again; the same clock sweeps its record"),
        span=_span(program, found.gate),
        notes=(Note(f"the record is forgotten after {swept}"[:_LONGEST], _touched(program, found.sweep.touch)),),
        help="compare an epoch in the write, or let the time only rise: max(seen, now)",
        confidence=found.gate.confidence,
    )


def _fitting(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
