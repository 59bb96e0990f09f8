"""Sinks: actions that a failed read selects, found backwards from the actions through their conditions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.facts import Event
from anchorlint.python.formula import conjuncts, literals
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_actions import Action, Actions
from anchorlint.python.outcome_flags import Flags
from anchorlint.python.outcome_formula import Assumed
from anchorlint.python.outcome_terms import FUEL, handler_here, handler_of, handlers_on, inside, tests
from anchorlint.python.outcomes import Conversion, Outcomes
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_SAME = 12  #: functions of one name; a name that more have tells nothing
MOST_DEPTH = 3  #: functions through whose returns a failure is followed by name


class Taken(NamedTuple):
    """A failed read that selects an action: the conversion, the action's view and event, and what it does."""

    conversion: Conversion
    view: View
    event: Event
    action: Action


class Sinks:
    """Finds the actions of one program that hang on failed reads."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine
        self.actions = Actions(outcomes.engine)
        self.flags = Flags(outcomes)
        self._failing: dict[str, bool] = {}
        self._telling: dict[tuple[int, int], bool] = {}

    def of(self, function: Ref) -> Iterator[Taken]:
        """The actions in one function that are taken where a read failed, as where it answered."""
        facts = self.engine.linked.modules[function.module]
        view: View | None = None
        for event in facts.functions[function.number].events:
            if event.kind not in ("call", "set") or not self._hangs(function.module, event.chain):
                continue
            if view is None:
                record = facts.functions[function.number]
                self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
                view = self.engine.view(function.module, function.number)
            action = self._called(view, event) if event.kind == "call" else self._sealed(view, event)
            if action is not None:
                yield from self._taken(view, event, action)
        yield from self._sought(function)

    def _sought(self, function: Ref) -> Iterator[Taken]:
        """The places to which something is set back because their own place could not be read."""
        facts = self.engine.linked.modules[function.module]
        for event in facts.functions[function.number].events:
            if event.kind != "call":
                continue
            term = facts.terms[event.a]
            if self.actions.spoken(last_name(facts.terms, term[1])) != "seek" or not term[2]:
                continue
            if not any(self.tells(function.module, n) for n in term[2]):
                continue
            view = self.engine.view(function.module, function.number)
            action = self._called(view, event)
            for number in term[2] if action is not None else ():
                value = view.value(number)
                literals_in = [one for c, _ in value.args[0] for one in literals(c)] if value.kind == "case" else []
                for literal in dict.fromkeys(one for one in literals_in if one.kind == "raised"):
                    conversion = self.outcomes.of(literal)
                    if conversion is not None:
                        yield Taken(conversion, view, event, action)

    def _called(self, view: View, event: Event) -> Action | None:
        return self.actions.of(view, event, statement=event.a not in self.outcomes.used(view))

    # which conditions are worth a look

    def _hangs(self, module: int, chain: int) -> bool:
        facts = self.engine.linked.modules[module]
        return any(self.tells(module, frame[2], 0) for frame in tests(facts, chain))

    def tells(self, module: int, term: int, depth: int = 0) -> bool:
        """Whether a term may hold what a failure became, judged by names alone."""
        key = (module, term)
        found = self._telling.get(key)
        if found is None:
            facts = self.engine.linked.modules[module]
            self._telling[key] = False
            found = self._telling[key] = any(self._may_fail(facts.terms, one, depth) for one in inside(facts, term))
        return found

    def _may_fail(self, terms: list[tuple], number: int, depth: int) -> bool:
        term = terms[number]
        if term[0] == "raised":
            return True
        if term[0] == "call":
            return self._fails(last_name(terms, term[1]), depth)
        if term[0] != "attr":
            return False
        return term[2] in self.flags.names or (term[2] in self._properties and self._fails(term[2], depth))

    def _fails(self, name: str, depth: int) -> bool:
        found = self._failing.get(name)
        if found is None:
            if depth >= MOST_DEPTH:
                return False
            self._failing[name] = False
            same = self._named.get(name, ())
            found = len(same) <= MOST_SAME and any(self._hands_on(ref, depth) for ref in same)
            self._failing[name] = found
        return found

    def _hands_on(self, function: Ref, depth: int) -> bool:
        facts = self.engine.linked.modules[function.module]
        if function in self.flags.refusing:
            return True
        for event in facts.functions[function.number].events:
            if event.kind in ("ret", "end"):
                if handler_of(facts, event.chain) is not None:
                    return True
                if event.a >= 0 and self.tells(function.module, event.a, depth + 1):
                    return True
                if any(self.tells(function.module, frame[2], depth + 1) for frame in tests(facts, event.chain)):
                    return True
        return False

    def named(self, name: str) -> list[Ref]:
        """The functions of the project that have this name."""
        return self._named.get(name, [])

    @cached_property
    def _named(self) -> dict[str, list[Ref]]:
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.engine.linked.modules):
            for number, record in enumerate(facts.functions):
                if record.events:
                    found.setdefault(record.name, []).append(Ref("fn", module, number))
        return found

    @cached_property
    def _properties(self) -> frozenset[str]:
        return frozenset(
            record.name
            for facts in self.engine.linked.modules
            for record in facts.functions
            if record.decorators and record.cls >= 0 and len(record.params) == 1
        )

    # what the condition says

    def _taken(self, view: View, event: Event, action: Action) -> Iterator[Taken]:
        chain_handlers = set(handlers_on(view.facts, event.chain))
        if any(handler_here(view.facts, event, *one) for one in chain_handlers):
            return  # an answer to another failure
        frames = [f for _, f, place in view.frames(event.chain) if place is not None or f.kind not in ("raised", "not")]
        parts = [part for frame in frames for part in conjuncts(frame)]
        for literal in dict.fromkeys(one for part in parts for one in literals(part)):
            for conversion, holds in self._behind(view, event, literal, chain_handlers):
                if self.selects(parts, literal, holds) or self._makes_anew(parts, literal, action, conversion):
                    yield Taken(conversion, view, event, action)

    def _behind(
        self, view: View, event: Event, literal: Value, chain_handlers: set[tuple[int, int]]
    ) -> Iterator[tuple[Conversion, bool]]:
        """The conversions that a literal stands for, and whether it holds when the read failed."""
        if literal.kind == "raised":
            own = literal.args[0] is view and tuple(literal.args[1:]) in chain_handlers
            conversion = None if own else self.outcomes.of(literal)
            if conversion is not None:
                yield conversion, True
            return
        yield from self.flags.behind(literal)
        yield from self.flags.refused(view, event, literal)

    def selects(self, parts: list[Value], literal: Value, holds: bool) -> bool:
        """Whether an action is taken on the failure, and also on an honest answer, so that nobody told them apart."""
        values, formulas = self.engine.values, self.engine.formulas
        failed, answered = Assumed(formulas, literal, holds), Assumed(formulas, literal, not holds)
        flag = literal.kind != "raised"
        decided = False
        for part in parts:
            given, otherwise = failed(part), answered(part)
            if given is values.false or (otherwise is values.false and not flag):
                return False
            if given is not otherwise and literal in set(literals(part)):
                if given is not values.true and not self._is_likely(given):
                    return False
                decided = True
        return decided

    def _is_likely(self, formula: Value) -> bool:
        """Whether what is left asks that something known differs from nothing: `0 != expected`."""
        inner = formula.args[0] if formula.kind == "not" else None
        if inner is None or inner.kind != "eq":
            return False
        return any(one.kind in ("none", "lin") and self.engine.arithmetic.fixed(one) for one in inner.args)

    def _makes_anew(self, parts: list[Value], literal: Value, action: Action, conversion: Conversion) -> bool:
        """Whether a look-up whose failures all mean "not there" leads to a creation."""
        if action.does != "create" or literal.kind != "raised" or not conversion.kinds & {"wide", "mixed"}:
            return False
        failed = Assumed(self.engine.formulas, literal, True)
        if not self.outcomes.looks_up(literal.args[0], conversion):
            return False
        given = [failed(part) for part in parts]
        return all(g is not self.engine.values.false for g in given) and any(
            g is self.engine.values.true and literal in set(literals(part))
            for g, part in zip(given, parts, strict=True)
        )

    def _sealed(self, view: View, event: Event) -> Action | None:
        """A record's state that is set to a constant."""
        target = view.terms[event.a]
        if target[0] != "attr" or view.terms[event.b][0] not in ("const", "attr"):
            return None
        base, value = view.value(target[1]), view.value(event.b)
        own = base.kind == "param" and base.args[2] == 0 and view.function.cls >= 0
        if own or base.kind in ("cell", "obj", "mod", "cls", "global", "ext"):
            return None
        if value.kind == "str" or (value.kind == "attr" and value.args[0].kind == "cls"):
            return Action("set", target[2])
        return None
