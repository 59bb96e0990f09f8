"""The only thing that gives a retry budget back hangs on a read of the very store whose failures it counts."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note
from anchorlint.python.budget_limits import allowed
from anchorlint.python.budget_paths import place
from anchorlint.python.budget_reads import Read, Reads
from anchorlint.python.budget_refunds import Budget, Refunds
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each budget that only a read of the retried store gives back, at the read."""
    refunds, reads = program.part(Refunds), program.part(Reads)
    for budget in refunds.budgets:
        if not budget.refunds:
            continue
        found = [reads.of(budget, refund) for refund in budget.refunds]
        if all(read is not None for read in found):
            for read in dict.fromkeys(r for r in found if r is not None):
                if program.is_asked(read.function.module):
                    yield _finding(program, budget, read)


def _finding(program: Program, budget: Budget, read: Read) -> Finding:
    use, refund = budget.uses[0], budget.refunds[0]
    notes = [
        Note(f"{budget.place.name} grows here on a failure", program.span(use.function.module, place(use.event))),
        Note("it is given back only here", program.span(refund.function.module, place(refund.event))),
        Note("the same store is tried here", program.span(read.tried_module, read.tried)),
    ]
    name = f"{budget.place.name}{allowed(program, budget)}"
    return Finding(
        code="RTY202",
        message=f"{name} is given back only by a read of the store whose failures it counts",
        span=program.span(read.function.module, place(read.event)),
        notes=tuple(notes),
        help="keep the progress in memory while the store answers, and give the budget back from that",
    )
