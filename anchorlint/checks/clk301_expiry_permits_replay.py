"""A wall-clock expiry alone decides that an effect may run again, and nothing in the write fences it."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.domain.fitting import fitting
from anchorlint.domain.span import Span
from anchorlint.python.fieldnames import horizon_of
from anchorlint.python.forgotten import Forgotten, Replay
from anchorlint.python.gated import Gated
from anchorlint.python.gates import Seen
from anchorlint.python.ordered import OrderedHandles, Unordered
from anchorlint.python.program import Program
from anchorlint.python.takeovers import TakeOver, TakeOvers
from anchorlint.python.watermarks import Watermarks
from anchorlint.python.writes import Touch, Writes


def check(program: Program) -> Iterator[Finding]:
    """One finding for each expiry, at the gate that permits the effect."""
    take_overs, forgotten = program.part(TakeOvers), program.part(Forgotten)
    floors = program.part(Watermarks)
    told: set[Span] = set()
    for gate, finding in _all(program, take_overs, forgotten):
        if finding.span not in told and not floors.never_steps_back(gate):
            told.add(finding.span)
            yield finding


def _all(program: Program, take_overs: TakeOvers, forgotten: Forgotten) -> Iterator[tuple[Seen, Finding]]:
    swept: set[Touch] = set()
    for ref in program.part(Gated).functions:
        if not program.is_asked(ref.module):
            continue
        view = program.view(ref)
        program.engine.ask(f"CLK301 {view!r}")
        yield from ((t.gate, _taken_over(program, t)) for t in take_overs.of(view) if _has_place(t.gate))
        for replay in forgotten.of(view):
            swept.add(replay.sweep.touch)
            if _has_place(replay.gate):
                yield replay.gate, _replayed(program, replay)
    program.engine.ask("CLK301 ordered handles")
    for unused in program.part(OrderedHandles).unused():
        gate = unused.sweep.gate
        if unused.sweep.touch not in swept and _has_place(gate) and program.is_asked(gate.place[0]):
            yield gate, _unordered(program, unused)


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
        message=fitting(
            f"after {until} the clock alone lets work be taken over; no write is fenced",
            f"after {until} the clock alone lets work be taken over",
            "the clock alone lets work be taken over; no write is fenced",
        ),
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
        message=fitting(
            f"before {until} an effect may run again; the same clock sweeps its record",
            f"before {until} an effect may run again, swept or not",
            "an effect may run again while the same clock sweeps its record",
        ),
        span=_span(program, found.gate),
        notes=(Note(fitting(f"the record is forgotten after {swept}"), _touched(program, found.sweep.touch)),),
        help="compare an epoch in the write, or let the time only rise: max(seen, now)",
        confidence=found.gate.confidence,
    )


def _unordered(program: Program, found: Unordered) -> Finding:
    until = horizon_of(found.sweep.gate, program.part(Writes).queries)
    view = found.view
    line = view.function.line
    at = program.span(view.module, (line, view.function.column, line, view.function.column + len(view.function.name)))
    return Finding(
        code="CLK301",
        message=fitting(
            f"after {until} what was done is forgotten, and {found.handle} is compared with nothing",
            f"what was done is forgotten by the clock, and {found.handle} is compared with nothing",
        ),
        span=_span(program, found.sweep.gate),
        notes=(Note(fitting(f"runs again here, with {found.handle} at hand"), at),),
        help=f"keep the highest {found.handle} that was done and refuse what is not above it",
        confidence=Confidence.MEDIUM,
    )
