"""A failure counter of a long-lived loop, object or row is never given back by progress."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Finding, Note
from anchorlint.domain.span import Span
from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_limits import allowed
from anchorlint.python.budget_paths import loops, place
from anchorlint.python.budget_progress import Progress
from anchorlint.python.budget_refunds import Budget, Refunds, Tried
from anchorlint.python.budget_remote import Kept, Remote
from anchorlint.python.budget_rows import Moved
from anchorlint.python.facts import Facts
from anchorlint.python.link import Ref
from anchorlint.python.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for each budget that only ever goes down, at what counts the failure or hands the tries out."""
    progress = program.part(Progress)
    for budget in program.part(Refunds).budgets:
        if not budget.refunds and program.is_asked(budget.uses[0].function.module):
            moved = progress.between(budget)
            if moved is not None:
                yield _counted(program, budget, moved)
    remote = program.part(Remote)
    for module in filter(program.is_asked, range(len(program.linked.modules))):
        if program.include_tests or module not in program.tests:
            yield from (_kept(program, module, one) for one in remote.of(module))
    tried = [_tried(facts) for facts in program.linked.modules]
    for function in program.functions():
        for loop, tries in sorted(tried[function.module].get(function.number, {}).items()):
            yield from _handed_out(program, progress, function, loop, tries)


def _counted(program: Program, budget: Budget, moved: Moved) -> Finding:
    use = budget.uses[0]
    notes = [Note(moved.text, program.span(moved.module, moved.place))]
    if budget.again:
        over = budget.again[0]
        span = program.span(over.function.module, place(over.event))
        notes.append(Note("it starts anew only once it is over", span))
    return _finding(
        f"{budget.place.name}{allowed(program, budget)} counts failures for good: no success gives any of it back",
        program.span(use.function.module, place(use.event)),
        notes,
    )


def _kept(program: Program, module: int, kept: Kept) -> Finding:
    notes = [Note("a success is noted here and the count stays", program.span(module, place(kept.success)))]
    message = f"{kept.name} counts failures for good: no success gives any of it back"
    return _finding(message, program.span(module, place(kept.event)), notes)


def _tried(facts: Facts) -> dict[int, dict[int, list[int]]]:
    """The tries that stand in for loops, none between them, by function and loop."""
    found: dict[int, dict[int, list[int]]] = {}
    for number, record in enumerate(facts.tries):
        around = loops(facts, record.chain)[:1] if record.handlers and facts.loops else []
        if around and facts.loops[around[0]].kind == "for" and facts.loops[around[0]].function == record.function:
            found.setdefault(record.function, {}).setdefault(around[0], []).append(number)
    return found


def _handed_out(
    program: Program, progress: Progress, function: Ref, loop: int, tries: list[int]
) -> Iterator[Finding]:
    """A loop that hands out a number of tries for work of which each try does a part."""
    facts = program.linked.modules[function.module]
    record = facts.loops[loop]
    program.engine.ask(f"{facts.path}:{record.line}")
    if not program.part(Ends).hands_out(program.view(function), loop):
        return
    for tried in tries:
        moved = progress.resumes(Tried(function.module, tried, 0))
        if moved is not None:
            span = program.span(function.module, (record.line, record.column, record.end_line, record.end_column))
            notes = [Note(moved.text, program.span(moved.module, moved.place))]
            yield _finding("this loop hands out its tries once, however far each of them gets", span, notes)
            return


def _finding(message: str, span: Span, notes: list[Note]) -> Finding:
    help_ = "set the count back where work has provably been done: a handled message, a moved checkpoint, a longer file"
    return Finding(code="RTY205", message=message, span=span, notes=tuple(notes), help=help_)
