"""Sinks: actions that a failed read selects, found backwards from the actions through their conditions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.facts import Event, Facts
from anchorlint.python.formula import conjuncts, literals
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_actions import Action, Actions
from anchorlint.python.outcome_flags import Flags
from anchorlint.python.outcome_formula import Assumed
from anchorlint.python.outcome_terms import FUEL, handler_here, handler_of, handlers_on, tested, tests
from anchorlint.python.outcomes import Conversion, Outcomes
from anchorlint.python.terms import parts
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
        self._telling: dict[tuple[int, bool], dict[int, bool]] = {}
        self._hanging: dict[int, dict[int, bool]] = {}

    def functions(self, module: int) -> set[int]:
        """The functions of a module in which something may be an action; in the others `of` finds nothing."""
        index = self.engine.linked.indexes[module]
        terms = index.facts.terms
        found = {number for number, event in index.events("set") if self._may_act(terms, event)}
        for name, calls in index.calls.items():
            if self.actions.may_be(name):
                found.update([number for number, _ in calls])
        return found

    def of(self, function: Ref) -> Iterator[Taken]:
        """The actions in one function that are taken where a read failed, as where it answered."""
        facts = self.engine.linked.modules[function.module]
        view: View | None = None
        sought = []
        for event in facts.functions[function.number].events:
            if not self._may_act(facts.terms, event):
                continue
            if event.kind == "call" and self._is_sought(facts, function.module, event):
                sought.append(event)
            if not self._hangs(function.module, event.chain):
                continue
            if view is None:
                record = facts.functions[function.number]
                self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
                view = self.engine.view(function.module, function.number)
            action = self._called(view, event) if event.kind == "call" else self._sealed(view, event)
            if action is not None:
                yield from self._taken(view, event, action)
        for event in sought:
            yield from self._sought(view or self.engine.view(function.module, function.number), event)

    def _may_act(self, terms: list[tuple], event: Event) -> bool:
        """Whether an event may be an action, by names and flat terms alone."""
        if event.kind == "call":
            return self.actions.may_be(last_name(terms, terms[event.a][1]))
        return event.kind == "set" and terms[event.a][0] == "attr" and terms[event.b][0] in ("const", "attr")

    def _is_sought(self, facts: Facts, module: int, event: Event) -> bool:
        """Whether a call sets something back to a place that may be what a failure became."""
        term = facts.terms[event.a]
        if not term[2] or self.actions.spoken(last_name(facts.terms, term[1])) != "seek":
            return False
        return any(self.tells(module, n) for n in term[2])

    def _sought(self, view: View, event: Event) -> Iterator[Taken]:
        """The places to which something is set back because their own place could not be read."""
        action = self._called(view, event)
        for number in view.terms[event.a][2] if action is not None else ():
            value = view.value(number)
            literals_in = [one for c, _ in value.args[0] for one in literals(c)] if value.kind == "case" else []
            for literal in dict.fromkeys(one for one in literals_in if one.kind == "raised"):
                conversion = self.outcomes.of(literal)
                if conversion is not None:
                    yield Taken(conversion, view, event, action)

    def _called(self, view: View, event: Event) -> Action | None:
        speaks = self.actions.speaks(last_name(view.terms, view.terms[event.a][1]))
        return self.actions.of(view, event, statement=speaks or event.a not in self.outcomes.used(view))

    # which conditions are worth a look

    def _hangs(self, module: int, chain: int) -> bool:
        facts = self.engine.linked.modules[module]
        known, path, found = self._hanging.setdefault(module, {}), [], False
        while chain > 0 and not found:
            if chain in known:
                found = known[chain]
                break
            path.append(chain)
            frame = facts.chains[chain]
            found = any(self.tells(module, test[2], 0) for test in tested(facts, frame))
            chain = frame[0]
        known.update(dict.fromkeys(path, found))
        return found

    def tells(self, module: int, term: int, depth: int = 0) -> bool:
        """Whether a term may hold what a failure became, judged by names alone."""
        known = self._telling.setdefault((module, depth > 0), {})
        found = known.get(term)
        if found is None:
            known[term] = False
            found = known[term] = self._search(module, known, term, depth)
        return found

    def _search(self, module: int, known: dict[int, bool], term: int, depth: int) -> bool:
        terms = self.engine.linked.modules[module].terms
        pending, seen = [term], set()
        while pending:
            one = pending.pop()
            if one in seen or (one != term and known.get(one) is False):
                continue
            seen.add(one)
            if known.get(one) or self._may_fail(module, terms, one, depth):
                return True
            pending.extend(n for n in parts(terms[one]) if n >= 0)
        if not depth:
            known.update(dict.fromkeys(seen, False))
        return False

    def _may_fail(self, module: int, terms: list[tuple], number: int, depth: int) -> bool:
        term = terms[number]
        if term[0] == "raised":
            return self.outcomes.converts(module, *term[1:3])
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
                handler = handler_of(facts, event.chain)
                if handler is not None and self.outcomes.converts(function.module, *handler):
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
        if not self._may_select(view, event, chain_handlers):
            return
        frames = [f for _, f, place in view.frames(event.chain) if place is not None or f.kind not in ("raised", "not")]
        needed = [part for frame in frames for part in conjuncts(frame)]
        for literal in dict.fromkeys(one for part in needed for one in literals(part)):
            for conversion, holds in self._behind(view, event, literal, chain_handlers):
                if self.selects(needed, literal, holds) or self._makes_anew(needed, literal, action, conversion):
                    yield Taken(conversion, view, event, action)

    def _may_select(self, view: View, event: Event, chain_handlers: set[tuple[int, int]]) -> bool:
        """Whether the conditions that may speak of a failure do, before all the others are evaluated."""
        chain = event.chain
        while chain > 0:
            frame = view.facts.chains[chain]
            if any(self.tells(view.module, test[2]) for test in tested(view.facts, frame)):
                for _, formula, _ in view.frames(chain, below=frame[0]):
                    if any(any(self._behind(view, event, one, chain_handlers)) for one in literals(formula)):
                        return True
            chain = frame[0]
        return False

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

    def selects(self, needed: list[Value], literal: Value, holds: bool) -> bool:
        """Whether an action is taken on the failure, and also on an honest answer, so that nobody told them apart."""
        values, formulas = self.engine.values, self.engine.formulas
        failed, answered = Assumed(formulas, literal, holds), Assumed(formulas, literal, not holds)
        flag = literal.kind != "raised"
        decided = False
        for part in needed:
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

    def _makes_anew(self, needed: list[Value], literal: Value, action: Action, conversion: Conversion) -> bool:
        """Whether a look-up whose failures all mean "not there" leads to a creation."""
        if action.does != "create" or literal.kind != "raised" or not conversion.kinds & {"wide", "mixed"}:
            return False
        failed = Assumed(self.engine.formulas, literal, True)
        if not self.outcomes.looks_up(literal.args[0], conversion):
            return False
        given = [failed(part) for part in needed]
        return all(g is not self.engine.values.false for g in given) and any(
            g is self.engine.values.true and literal in set(literals(part))
            for g, part in zip(given, needed, strict=True)
        )

    def _sealed(self, view: View, event: Event) -> Action | None:
        """A record's state that is set to a constant."""
        target = view.terms[event.a]
        if target[0] != "attr" or view.terms[event.b][0] not in ("const", "attr"):
            return None
        base = view.value(target[1])
        own = base.kind == "param" and base.args[2] == 0 and view.function.cls >= 0
        if own or base.kind in ("cell", "obj", "mod", "cls", "global", "ext"):
            return None
        value = view.value(event.b)
        if value.kind == "str" or (value.kind == "attr" and value.args[0].kind == "cls"):
            return Action("set", target[2])
        return None
