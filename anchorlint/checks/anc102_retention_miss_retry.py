"""A miss of something that forgets, asked for with a handle that stays, is tried again as if it would pass."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.asked import Ask
from anchorlint.python.program import Program
from anchorlint.python.remembered import Remembered
from anchorlint.python.retried import Retried
from anchorlint.python.value import said

_AGAIN = {
    "loop": "the loop goes round again here",
    "bump": "counted as one more try here",
    "stays": "the item leaves here in the state by which it is picked up again",
    "requeue": "put back here",
    "decorator": "raised here, and the function's decorator calls it again",
    "recursion": "called again here",
    "again": "called again later from here",
    "unacked": "left unacknowledged here, so it is delivered again",
    "poll": "asked again until it says yes",
}


def check(program: Program) -> Iterator[Finding]:
    """One finding for each read whose miss is retried, at the read, and one for each policy that retries "gone"."""
    part = program.part(Remembered)
    found: dict[tuple[int, tuple[int, ...]], tuple[Ask, list[Retried]]] = {}
    for retried, ask in part.retried():
        place = part.misses.asked.place_of(ask)
        if place is not None:
            found.setdefault(place, (ask, []))[1].append(retried)
    for (module, place), (ask, sites) in found.items():
        if program.is_asked(module) and (program.include_tests or module not in program.tests):
            yield _finding(program, module, place, ask, sites)
    for module, place in part.policies():
        if program.is_asked(module):
            yield Finding(
                code="ANC102",
                message="an answer of 410 says gone for good, and is tried again as if it would pass",
                span=program.span(module, place),
                notes=(),
                help="leave 404 and 410 out of the retried statuses, and ask for what is gone in another way",
                confidence=Confidence.HIGH,
            )


def _finding(program: Program, module: int, place: tuple[int, ...], ask: Ask, sites: list[Retried]) -> Finding:
    key = said(ask.key) if ask.key is not None else ""
    of = f" of {_short(key)}" if key and "…" not in key and ask.key is not None and ask.key.kind != "fstr" else ""
    life = ask.life or "answered with 410 when gone"
    return Finding(
        code="ANC102",
        message=f"this is {life} ({_short(ask.name)}); a miss after that is tried again with the same handle",
        span=program.span(module, place),
        notes=tuple(_notes(program, sites)),
        help=f"give the miss{of} an end of its own, or make what is missing anew",
        confidence=Confidence.HIGH if ask.life else Confidence.MEDIUM,
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _notes(program: Program, sites: list[Retried]) -> Iterator[Note]:
    seen = set()
    for retried in sites:
        event, module = retried.site.event, retried.site.function.module
        if (module, event.line) not in seen:
            seen.add((module, event.line))
            where = (event.line, event.column, event.end_line, event.end_column)
            yield Note(_AGAIN.get(retried.site.kind, "a retry is asked for here"), program.span(module, where))
