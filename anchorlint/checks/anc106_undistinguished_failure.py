"""That a store could not be reached and that it holds no more what is asked for leave a function as the same answer."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.confused import Confused, Confusion, Exit
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each answer that stands for both, on the side that will never change."""
    seen = set()
    for one in program.part(Confused).all():
        module = one.function.module
        if not program.is_asked(module) or (module in program.tests and not program.include_tests):
            continue
        place = _marked(one)
        if (module, place[0]) not in seen:
            seen.add((module, place[0]))
            yield _finding(program, one, place)


def _marked(one: Confusion) -> tuple[int, int, int, int]:
    """The deterministic exit where it has a statement of its own, else the other one."""
    return _place(one.outage.exit if one.gone.exit.part else one.gone.exit)


def _place(exit_: Exit) -> tuple[int, int, int, int]:
    event = exit_.event
    return event.line, event.column, event.end_line, event.end_column


def _finding(program: Program, one: Confusion, place: tuple[int, int, int, int]) -> Finding:
    module = one.function.module
    notes = [
        Note("it cannot be reached: caught here", program.span(one.outage.place[0], one.outage.place[1:])),
        Note(f"{_short(one.gone.text)}: decided here", program.span(one.gone.place[0], one.gone.place[1:])),
    ]
    for other in (one.outage.exit, one.gone.exit):
        if _place(other) != place:
            notes.append(Note("the same answer leaves here", program.span(module, _place(other))))
    return Finding(
        code="ANC106",
        message=f"the same answer for a store that cannot be reached and {_short(one.gone.text)}",
        span=program.span(module, place),
        notes=tuple(notes),
        help="give what will never come back an answer of its own, so that only an outage is waited for",
        confidence=Confidence.MEDIUM if one.rank else Confidence.HIGH,
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
