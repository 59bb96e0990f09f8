"""A test that can never pass again after an instant of the item, whose failure is tried again as if it would pass."""

from __future__ import annotations

import math
from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.domain.finding import Confidence, Finding, Horizon, Note
from anchorlint.domain.linear import Role
from anchorlint.domain.span import Span
from anchorlint.python.closed import belongs
from anchorlint.python.gates import Seen
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.retried import Retried
from anchorlint.python.terms import place
from anchorlint.python.value import PATHS, Value, root

_AGAIN = {
    "loop": "the loop goes round again here",
    "bump": "counted as one more try here, and the item stays",
    "stays": "the item leaves here in the state by which it is picked up again",
    "requeue": "put back here",
    "call": "a retry is asked for here",
    "raise": "a retry is asked for here",
    "decorator": "raised here, and the function's decorator calls it again",
    "recursion": "called again here",
    "again": "called again later from here",
    "unacked": "left unacknowledged here, so it is delivered again",
    "poll": "asked again until it says yes",
}


def check(program: Program) -> Iterator[Finding]:
    """One finding for each closing gate whose failure is retried, at the gate."""
    found: dict[tuple[int, ...], tuple[Seen, list[Retried]]] = {}
    for retried in program.retries.all:
        leaf = program.gates.of(retried.cause.literal)
        if leaf is not None and is_fault(program, retried, leaf):
            found.setdefault(leaf.place, (leaf, []))[1].append(retried)
    for leaf, sites in found.values():
        if program.is_asked(leaf.place[0]):
            yield finding(program, leaf, sites)


def is_fault(program: Program, retried: Retried, leaf: Seen) -> bool:
    """Whether this retry goes on after the gate's instant has passed, and nothing tells it so."""
    if leaf.gate.closing or (leaf.place[0] in program.tests and not program.include_tests):
        return False
    closed, item = program.closed, leaf.gate.item.key
    if (
        not isinstance(item, Value)
        or root(item).kind not in PATHS
        or closed.varies(retried, leaf)
        or closed.is_renewed(leaf)
    ):
        return False
    if closed.is_replaced(retried, leaf):
        return False
    site = retried.site
    if site.kind == "bump" and site.target >= 0 and not belongs(retried.context.view.value(site.target), item):
        return False
    if closed.ends(retried, leaf):
        return False
    asked = retried.site.kind == "poll" or leaf.place in program.retries.failures.checked_outside
    if not asked and not closed.is_needed(retried, leaf):
        return False
    whole = program.retries.engine.formulas.conj([retried.condition, *retried.cause.others, retried.cause.literal])
    return not program.scenarios.is_distinguished(whole, leaf)


def finding(program: Program, leaf: Seen, sites: list[Retried]) -> Finding:
    """What is said about one gate."""
    gate, site = leaf.gate, sites[0]
    horizon = gate.text
    tries = next((n for s in sites if (n := program.tries.most(s)) is not None), None)
    return Finding(
        code="ANC101",
        message=_message(program, leaf),
        span=program.span(leaf.place[0], leaf.place[1:]),
        notes=tuple(_notes(program, leaf, sites)),
        help=_help(program, leaf, site, tries),
        horizon=Horizon(horizon, gate.item.text, gate.slack_s),
        confidence=leaf.confidence if gate.slack_s is not None else min_confidence(leaf.confidence),
    )


def _message(program: Program, leaf: Seen) -> str:
    """What is true here: a test that asks for the state before the instant, or one that refuses the state after it."""
    horizon, written = _short(leaf.gate.text), _operator(program, leaf)
    if written == leaf.literal.args[0]:
        return f"after {horizon} this refuses for ever, yet what it refuses is tried again"
    return f"this can never hold after {horizon}, yet its failure is tried again as if it would pass"


def _operator(program: Program, leaf: Seen) -> str:
    """The operator of a comparison as it is written, empty where the gate stands in no comparison."""
    terms = program.linked.modules[leaf.place[0]].terms
    return next((t[1] for t in terms if t[0] == "cmp" and place(t) == leaf.place[1:]), "")


def min_confidence(confidence: Confidence) -> Confidence:
    """At most medium: a part of the horizon has no known number."""
    return Confidence.MEDIUM if confidence is Confidence.HIGH else confidence


def _short(text: str) -> str:
    return text if len(text) <= 48 else f"{text[:47]}…"


def _notes(program: Program, leaf: Seen, sites: list[Retried]) -> Iterator[Note]:
    seen = set()
    for retried in sites:
        event, module = retried.site.event, retried.site.function.module
        place = (event.line, event.column, event.end_line, event.end_column)
        if (module, event.line) not in seen:
            seen.add((module, event.line))
            yield Note(_AGAIN[retried.site.kind], program.span(module, place))
    for atom, coefficient in leaf.gate.instant.of_role(Role.NAMED):
        if isinstance(atom.origin, tuple) and atom.value is not None:
            path, line, note = atom.origin
            said = f"{atom.text} is {spoken(abs(coefficient) * atom.value)}{' by default' if note == 'default' else ''}"
            yield Note(said, Span.of(path, line, 1, line, 1))


def _help(program: Program, leaf: Seen, retried: Retried, tries: int | None) -> str:
    advice = f"give this state an end of its own, and alert before {leaf.gate.text}"
    if tries is None:
        return advice
    period = next(
        (p for v in (retried.context.view, *retried.context.callers) if (p := _period(program, v)) is not None), None
    )
    wasted = wasted_tries(leaf, tries, period)
    if wasted is None or period is None:
        return f"each of the up to {tries} tries after that fails; {advice}"
    return f"with a try every {spoken(period)}, at least {wasted} of the {tries} tries come after that; {advice}"


def _period(program: Program, view: object) -> float | None:
    return program.period_s(Ref("fn", view.module, view.number))


def wasted_tries(leaf: Seen, tries: int, period_s: float | None) -> int | None:
    """How many tries come after the horizon at least, if the first is made within a period of the item's instant."""
    slack_s = leaf.gate.slack_s
    if slack_s is None or period_s is None or period_s <= 0:
        return None
    return max(0, tries - 1 - math.floor(max(slack_s, 0.0) / period_s + 1e-9))
