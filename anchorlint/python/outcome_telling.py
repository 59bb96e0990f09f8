"""Telling: which terms, conditions and functions may hold what a failure became, before anything is evaluated."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.facts import Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_flags import Flags
from anchorlint.python.outcome_terms import handler_of, tested, tests
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.terms import parts

MOST_SAME = 12  #: functions of one name; a name that more have tells nothing
MOST_DEPTH = 3  #: functions through whose returns a failure is followed
#: kinds of terms that may be what a failure became, and kinds that are made of nothing
_FAILING = frozenset({"call", "attr", "raised"})
_ALONE = frozenset({"const", "name", "param", "import", "def", "classdef", "cell", "exc", "unknown"})


class Telling:
    """Follows failures through the terms, the fields and the returns of one program."""

    def __init__(self, outcomes: Outcomes, flags: Flags, named: dict[str, list[Ref]]) -> None:
        self.outcomes = outcomes
        self.linked = outcomes.engine.linked
        self.flags = flags
        self.named = named
        self._failing: dict[tuple[Ref, int], bool] = {}
        self._handed: dict[Ref, tuple[int, ...] | None] = {}
        self._judged: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
        self._hanging: dict[int, dict[int, bool]] = {}

    def hangs(self, module: int, chain: int) -> bool:
        """Whether a condition on the way to a place tells, the conditions of joined branches included."""
        facts = self.linked.modules[module]
        known, path, found = self._hanging.setdefault(module, {}), [], False
        while chain > 0 and not found:
            if chain in known:
                found = known[chain]
                break
            path.append(chain)
            frame = facts.chains[chain]
            if frame[1] in ("test", "join"):
                found = any(self.tells(module, test[2]) for test in tested(facts, frame))
            chain = frame[0]
        known.update(dict.fromkeys(path, found))
        return found

    def tells(self, module: int, term: int, depth: int = 0) -> bool:
        """Whether a term may hold what a failure became; `depth` functions were passed on the way to it."""
        told, dull = self._judged.setdefault((module, depth), (set(), set()))
        if term in told or term in dull:
            return term in told
        facts = self.linked.modules[module]
        pending, seen = [term], set()
        while pending:
            one = pending.pop()
            if one < 0 or one in seen or one in dull:
                continue
            made = facts.terms[one]
            kind = made[0]
            if kind in _ALONE:
                continue
            if one in told or (kind in _FAILING and self._is_failed(module, facts, made, depth)):
                told.update((one, term))
                return True
            seen.add(one)
            pending.extend(parts(made))
        dull |= seen
        return False

    def _is_failed(self, module: int, facts: Facts, term: tuple, depth: int) -> bool:
        """Whether a call, an attribute or an except clause is itself what a failure became."""
        kind = term[0]
        if kind == "call":
            return self._gives_failure(module, facts, term[1], depth)
        if kind == "attr":
            name = term[2]
            return name in self.flags.names or (name in self._properties and self._some_fail(name, depth))
        return self.outcomes.converts(module, term[1], term[2])

    def _gives_failure(self, module: int, facts: Facts, callee: int, depth: int) -> bool:
        """Whether a call may answer what a failure became: the function that is meant, or one of its name."""
        name = last_name(facts.terms, callee)
        if len(self.named.get(name, ())) not in range(1, MOST_SAME + 1):
            return False
        meant = self.linked.expression(module, callee)
        if meant is None or meant.kind == "val":
            return self._some_fail(name, depth)
        return meant.kind == "fn" and self._fails(meant, depth)

    def _some_fail(self, name: str, depth: int) -> bool:
        same = self.named.get(name, ())
        return len(same) <= MOST_SAME and any(self._fails(ref, depth) for ref in same)

    def _fails(self, function: Ref, depth: int) -> bool:
        """Whether a function may answer what a failure became."""
        if depth >= MOST_DEPTH:
            return False
        key = function, depth
        found = self._failing.get(key)
        if found is None:
            handed = self._handed_on(function)
            found = handed is None or any(self.tells(function.module, one, depth + 1) for one in handed)
            self._failing[key] = found
        return found

    def _handed_on(self, function: Ref) -> tuple[int, ...] | None:
        """What a function answers and what decides on it; None where it answers out of an except clause."""
        if function not in self._handed:
            self._handed[function] = self._answers(function)
        return self._handed[function]

    def _answers(self, function: Ref) -> tuple[int, ...] | None:
        if function in self.flags.refusing:
            return None
        facts = self.linked.modules[function.module]
        found: dict[int, None] = {}
        for event in facts.functions[function.number].events:
            if event[0] not in ("ret", "end"):
                continue
            handler = handler_of(facts, event.chain)
            if handler is not None and self.outcomes.converts(function.module, *handler):
                return None
            found[event.a] = None
            found.update(dict.fromkeys([frame[2] for frame in tests(facts, event.chain)]))
        return tuple(found)

    @cached_property
    def _properties(self) -> frozenset[str]:
        return frozenset(
            record.name
            for facts in self.linked.modules
            for record in facts.functions
            if record.decorators and record.cls >= 0 and len(record.params) == 1
        )
