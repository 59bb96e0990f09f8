"""Ended upon: functions whose answer of nothing makes a caller raise, so that it says as much as a word."""

from __future__ import annotations

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Facts
from anchorlint.python.link import Ref


def is_ended_upon(engine: Evaluator, function: Ref) -> bool:
    """Whether some caller raises where this function says nothing, instead of finding the answer in another way."""
    linked = engine.linked
    for call in linked.calls.get(linked.function(function).name, ())[:20]:
        facts = linked.modules[call.module]
        ends = [e for e in facts.functions[call.function].events if e.kind == "raise" and e.chain > 0]
        if not any(_tests(facts, e.chain, call.event.a) for e in ends):
            continue
        callee = engine.view(call.module, call.function).value(facts.terms[call.event.a][1])
        if callee.kind == "fn" and callee.args[:2] == (function.module, function.number):
            return True
    return False


def _tests(facts: Facts, chain: int, called: int) -> bool:
    while chain > 0:
        frame = facts.chains[chain]
        if frame[1] == "test" and _is_about(facts.terms, frame[2], called):
            return True
        chain = frame[0]
    return False


def _is_about(terms: list[tuple], test: int, called: int) -> bool:
    """Whether a test only asks whether a call's answer is there."""
    term = terms[test]
    if test == called:
        return True
    if term[0] == "un":
        return _is_about(terms, term[2], called)
    if term[0] == "cmp":
        return called in term[2:4]
    return False
