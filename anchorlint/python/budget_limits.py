"""How many failures a budget allows, where the code says it in numbers."""

from __future__ import annotations

from anchorlint.python.budget_refunds import Budget
from anchorlint.python.program import Program


def limit_of(program: Program, budget: Budget) -> float | None:
    """The number that a budget is held against, None where it is no plain number."""
    for end in budget.ends:
        if end.limit >= 0:
            value = program.view(end.function).value(end.limit)
            number = value.args[1].number if value.kind == "lin" else None
            if number is not None and number >= 1:
                return float(number)
    return None


def allowed(program: Program, budget: Budget) -> str:
    """` (limit 8)`, or nothing where the limit is not known."""
    limit = limit_of(program, budget)
    return f" (limit {limit:g})" if limit is not None else ""
