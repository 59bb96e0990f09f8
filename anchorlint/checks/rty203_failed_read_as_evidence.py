"""RTY203: a failed read becomes a value on which something then acts."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.finding import Confidence, Finding, Note
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_gathering import Gathering
from anchorlint.python.outcome_orphans import Orphans
from anchorlint.python.outcome_overwrites import Overwrites
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.program import Program

CODE = "RTY203"
MOST_NOTES = 3
_DONE = {
    "delete": "something is deleted", "release": "work is handed over", "seek": "work starts over",
    "create": "something is created", "write": "state is overwritten", "restart": "it is started anew",
    "send": "something is sent", "set": "a state is sealed", "overwrite": "what is left is written over it",
}  # fmt: skip


def check(program: Program) -> Iterator[Finding]:
    """Report each failure that becomes an honest-looking answer, at the place where it does."""
    sinks = Sinks(Outcomes(Failures(program.engine)))
    searches = (sinks, Overwrites(sinks), Gathering(sinks), Orphans(sinks))
    found: dict[object, list[Taken]] = {}
    for module in filter(program.is_asked, range(len(program.linked.modules))):
        chosen = [(search, search.functions(module)) for search in searches]
        for number in sorted(frozenset().union(*[numbers for _, numbers in chosen])):
            for search, numbers in chosen:
                for taken in search.of(Ref("fn", module, number)) if number in numbers else ():
                    found.setdefault((taken.conversion.module, taken.conversion.place), []).append(taken)
    for every in found.values():
        if program.include_tests or every[0].conversion.module not in program.tests:
            yield _finding(program, every)


def _finding(program: Program, every: list[Taken]) -> Finding:
    taken = every[0]
    conversion = taken.conversion
    facts = program.linked.modules[conversion.module]
    read = last_name(facts.terms, facts.terms[conversion.read.a][1]) or "what was asked"
    return Finding(
        code=CODE,
        message=f"a failed {read}() is taken for an answer, and on it {_DONE[taken.action.does]}",
        span=program.span(conversion.module, conversion.place),
        notes=(_read_in_vain(program, taken), *(_acted(program, one) for one in _distinct(every))),
        help="let the failure out, or keep 'could not look' apart from every answer and do nothing on it",
        confidence=Confidence.MEDIUM,
    )


def _distinct(every: list[Taken]) -> list[Taken]:
    places = {(one.view.module, one.event.line, one.event.column): one for one in reversed(every)}
    return sorted(places.values(), key=lambda one: (one.view.module, one.event.line))[:MOST_NOTES]


def _read_in_vain(program: Program, taken: Taken) -> Note:
    read = taken.conversion.read
    return Note("this may fail", program.span(taken.conversion.module, _place(read)))


def _acted(program: Program, taken: Taken) -> Note:
    return Note(f"{_DONE[taken.action.does]} here", program.span(taken.view.module, _place(taken.event)))


def _place(event: object) -> tuple[int, int, int, int]:
    return event.line, event.column, event.end_line, event.end_column
