"""RTY203: a failed read becomes a value on which something then acts."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.failures import Failures
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.program import Program

CODE = "RTY203"


def check(program: Program) -> Iterator[Finding]:
    """Report each failure that becomes an honest-looking answer, at the place where it does."""
    sinks = Sinks(Outcomes(Failures(program.engine)))
    found: dict[object, list[Taken]] = {}
    for function in program.functions():
        for taken in sinks.of(function):
            found.setdefault((taken.conversion.module, taken.conversion.place), []).append(taken)
    for every in found.values():
        if every[0].conversion.module not in program.tests:
            yield _finding(program, every)


def _finding(program: Program, every: list[Taken]) -> Finding:
    taken = every[0]
    conversion = taken.conversion
    read = conversion.read
    return Finding(
        code=CODE,
        message=f"x {taken.action}",
        span=program.span(conversion.module, conversion.place),
        notes=tuple(Note(f"{t.action.does}", program.span(t.view.module, (t.event.line, t.event.column, t.event.end_line, t.event.end_column))) for t in every[:3]),
        confidence=Confidence.MEDIUM,
    )
