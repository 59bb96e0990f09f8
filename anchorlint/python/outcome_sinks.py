"""Sinks: actions that a failed read selects, found backwards from the actions through their conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.facts import Event, Facts
from anchorlint.python.formula import conjuncts, literals
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_actions import Action, Actions
from anchorlint.python.outcome_flags import Flags
from anchorlint.python.outcome_formula import Assumed
from anchorlint.python.outcome_telling import Telling
from anchorlint.python.outcome_terms import FUEL, handler_here, handlers_on, tested
from anchorlint.python.outcomes import Conversion, Outcomes
from anchorlint.python.value import Value
from anchorlint.python.view import View


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
        self.verbs = self.actions.verbs
        self.telling = Telling(outcomes, self.flags, self.verbs.named)

    def functions(self, module: int) -> set[int]:
        """The functions of a module in which `of` may find something: in the others no action stands under a condition
        that may hold what a failure became, and none goes back to a place that may."""
        index = self.engine.linked.indexes[module]
        facts, hangs = index.facts, self.telling.hangs
        found: set[int] = set()
        for number, event in index.events("set"):
            if event.chain and self._may_act(facts.terms, event) and hangs(module, event.chain):
                found.add(number)
        for name, calls in index.calls.items():
            if self.verbs.may_be(name):
                found.update([number for number, event in calls if event.chain and hangs(module, event.chain)])
                if self.verbs.spoken(name) == "seek":
                    found.update([number for number, event in calls if self._is_sought(facts, module, event)])
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
            if not self.telling.hangs(function.module, event.chain):
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
            return self.verbs.may_be(last_name(terms, terms[event.a][1]))
        return event.kind == "set" and terms[event.a][0] == "attr" and terms[event.b][0] in ("const", "attr")

    def _is_sought(self, facts: Facts, module: int, event: Event) -> bool:
        """Whether a call sets something back to a place that may be what a failure became."""
        term = facts.terms[event.a]
        if not term[2] or self.verbs.spoken(last_name(facts.terms, term[1])) != "seek":
            return False
        return any(self.telling.tells(module, n) for n in term[2])

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
        speaks = self.verbs.speaks(last_name(view.terms, view.terms[event.a][1]))
        return self.actions.of(view, event, statement=speaks or event.a not in self.outcomes.used(view))

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
            if any(self.telling.tells(view.module, test[2]) for test in tested(view.facts, frame)):
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
