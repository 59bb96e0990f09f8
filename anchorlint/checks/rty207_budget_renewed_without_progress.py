"""A retry budget is given back by what proves nothing: connecting, starting, the loop's head, a fresh object."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note
from anchorlint.python.budget_limits import allowed
from anchorlint.python.budget_paths import place
from anchorlint.python.budget_refunds import Budget, Refunds
from anchorlint.python.budget_renewals import Renewal, Renewals
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each write that restores a budget between two failures without any progress."""
    renewals = program.part(Renewals)
    for budget in program.part(Refunds).budgets:
        program.engine.ask(f"renewals of {budget.place.name}")
        for renewal in renewals.of(budget):
            if program.is_asked(renewal.function.module):
                yield _finding(program, budget, renewal)


def _finding(program: Program, budget: Budget, renewal: Renewal) -> Finding:
    use = budget.uses[0]
    record = program.linked.modules[renewal.tried.module].tries[renewal.tried.number]
    notes = [
        Note(f"{budget.place.name} counts failures here", program.span(use.function.module, place(use.event))),
        Note("what is tried again", program.span(renewal.tried.module, (record.line, 1, record.line, 4))),
    ]
    return Finding(
        code="RTY207",
        message=f"{budget.place.name}{allowed(program, budget)} starts anew {renewal.text}, so it may never be spent",
        span=program.span(renewal.function.module, place(renewal.event)),
        notes=tuple(notes),
        help="give it back only after work is done: a handled message, a moved checkpoint, a committed batch",
    )
