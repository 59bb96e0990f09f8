"""An ending is sealed under the name of the spent budget, and what failed last does not go with it."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.budget_carried import Carried
from anchorlint.python.budget_endings import Ending
from anchorlint.python.budget_losses import Failure
from anchorlint.python.budget_paths import place
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each end of a budget whose seal drops the last failure, at the seal."""
    endings = program.part(Carried)
    reported: set[tuple[int, int]] = set()
    for function, events in endings.functions():
        record = program.linked.function(function)
        program.engine.ask(f"{program.linked.modules[function.module].path}:{record.line} {record.qualname}")
        groups: dict[tuple[int, int, int], list[Ending]] = {}
        for ending in endings.of(function, events):
            spent = ending.spent
            groups.setdefault((spent.function.module, spent.function.number, spent.chain), []).append(ending)
        for group in groups.values():
            found = _judged(program, endings, group)
            if found is not None and (function.module, found.span.start.line) not in reported:
                reported.add((function.module, found.span.start.line))
                yield found


def _judged(program: Program, endings: Carried, group: list[Ending]) -> Finding | None:
    chosen: tuple[Ending, list[Failure]] | None = None
    for ending in group:
        view = program.view(ending.function)
        failures = endings.causes.failures(view, ending.event, ending.spent)
        if failures and endings.carries(ending, failures):
            return None
        if failures and chosen is None:
            chosen = ending, failures
    return _finding(program, *chosen) if chosen else None


def _finding(program: Program, ending: Ending, failures: list[Failure]) -> Finding:
    span = program.span(ending.function.module, place(ending.event))
    notes = [Note(failure.text, program.span(failure.module, failure.place)) for failure in failures[:3]]
    return Finding(
        code="RTY201",
        message=_message(program, ending),
        span=span,
        notes=tuple(dict.fromkeys(notes)),
        help="store or raise what failed last with it: the exception, the status, the last state that was seen",
        confidence=Confidence.HIGH if ending.spent.kind != "handler" and ending.said else Confidence.MEDIUM,
    )


def _message(program: Program, ending: Ending) -> str:
    after = _after(program, ending)
    label = ending.label.strip(" :;,.()")
    label = label if len(label) <= 40 else label[:37] + "..."
    named = f"ends as '{label}'" if ending.said else "ends with a count"
    return f"{named}{after} and drops what failed last"


def _after(program: Program, ending: Ending) -> str:
    spent = ending.spent
    view = program.view(spent.function)
    number = view.value(spent.limit) if spent.limit >= 0 else None
    known = number.args[1].number if number is not None and number.kind == "lin" else None
    if spent.kind == "count" and known is not None and known >= 1:
        return f" after {known:g} tries"
    return ""
