"""What is retried and why: every retry site in its contexts, with the literals that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from anchorlint.python.causes import Cause, Causes
from anchorlint.python.contexts import Context, Contexts
from anchorlint.python.elapsed import Elapsed
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event
from anchorlint.python.failures import Failures, Raised
from anchorlint.python.formula import conjuncts, literals
from anchorlint.python.link import Ref
from anchorlint.python.relevance import Relevance
from anchorlint.python.sites import Site, Sites
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_CALLS = 20  #: calls of a function that are looked at for a timed condition


class Retried(NamedTuple):
    """One cause of one retry: in `context`, under `condition` as a whole, the work is tried again at `site`."""

    site: Site
    context: Context
    cause: Cause
    condition: Value


class Retries:
    """The retry sites of one program and their causes."""

    def __init__(self, engine: Evaluator, relevance: Relevance, deciding: Elapsed | None = None) -> None:
        self.engine = engine
        self.relevance = relevance
        self.deciding = deciding or relevance  #: tells whether what is retried for can decide something at a place
        self.failures = Failures(engine)
        self.contexts = Contexts(engine, self.failures, relevance)
        self.causes = Causes(engine, self.failures)
        self.sites = Sites(engine)

    @cached_property
    def all(self) -> tuple[Retried, ...]:
        """Every cause of every retry in functions that have to do with time."""
        return tuple(self._all())

    def _all(self) -> Iterator[Retried]:
        for function in dict.fromkeys((*self.relevance.functions, *self._keeping())):
            yield from self.of(function)

    def _keeping(self) -> Iterator[Ref]:
        """The functions that write a status that hangs on time, and do nothing else that does."""
        for function in self.sites.rows.functions:
            if any(self._is_timed(site) for site in self.sites.rows.kept(function)):
                yield function

    def of(self, function: Ref) -> Iterator[Retried]:
        """The causes of the retries in one function."""
        record = self.engine.linked.function(function)
        self.engine.ask(f"{self.engine.linked.modules[function.module].path}:{record.line} {record.qualname}")
        called = self._called_in_time(function)
        near = [] if called else self._near(function)
        decorator = self.sites.retry_of(function)
        polled = function in self.sites.polled or decorator is not None and self._tests(function, decorator)
        if not near and decorator is None and not polled and not called:
            return
        sites = list(self.sites.of(function, None if called else lambda event: self._may_be_near(function, event)))
        if not sites and decorator is None and not polled:
            return
        if decorator is None and not polled and not called and not self._may_hold_a_gate(function, near):
            return
        for context in self.contexts.of(function):
            for site in sites:
                if context.timed or self._is_timed(site):
                    yield from self._of_site(site, context)
            if polled:
                yield from self._of_poll(function, context)
            if decorator is not None:
                yield from self._of_decorator(function, decorator, context)

    def _near(self, function: Ref) -> list[Site]:
        """The retry sites of a function that are timed by themselves, told before any other is looked at."""
        attempted = any(one.kind == "attempt" for one in self.engine.linked.modules[function.module].tries)
        found = self.sites.of(
            function,
            lambda event: self.relevance.is_timed(function.module, event) or (attempted and event.kind == "back"),
        )
        return [site for site in found if self._is_timed(site)]

    def _may_be_near(self, function: Ref, event: Event) -> bool:
        """Whether a site at an event can be timed: by its condition, or as the end of a turn over attempts."""
        return event.kind == "back" or self.relevance.is_timed(function.module, event)

    def _is_timed(self, site: Site) -> bool:
        """Whether a site stands under a timed condition, or after a failure of an attempt that may be one."""
        function, deciding, attempt = site.function, self.deciding, self.sites.loops.attempt_of(site)
        if attempt != NONE and deciding.may_fail(function, attempt):
            return True
        if any(deciding.may_hang(function, chain) for chain in (site.event.chain, *site.given)):
            return True
        return site.state != NONE and deciding.may_tell(function, site.state)

    def _may_hold_a_gate(self, function: Ref, sites: list[Site]) -> bool:
        """Whether the conditions of a function hold a gate by themselves, or may with the arguments of its callers."""
        if self.relevance.is_handed(function):
            return True
        alone = Context(self.engine.view(function.module, function.number))
        return any(
            literal.kind == "gate" for site in sites for literal in self._with_failures(self.formula(site, alone), 3)
        )

    def _with_failures(self, formula: Value, depth: int) -> Iterator[Value]:
        """The literals of a formula, and those under which the failures in it are raised."""
        for literal in literals(formula):
            yield literal
            if literal.kind == "raised" and depth:
                for _, _, condition in self.failures.reaching(*literal.args):
                    yield from self._with_failures(condition, depth - 1)

    def _called_in_time(self, function: Ref) -> bool:
        """Whether a call of a function stands under a timed condition."""
        calls = islice(self.relevance.callers.calls(function), MOST_CALLS)
        return any(
            self.deciding.may_hang(Ref("fn", call.module, call.function), call.event.chain) for call in calls
        )

    def _of_site(self, site: Site, context: Context) -> Iterator[Retried]:
        formula = self.formula(site, context)
        if formula.kind in ("false", "true"):
            return
        whole = self.whole(site, context)
        for cause in self.causes.of(formula):
            yield Retried(site, context, cause, whole)

    def formula(self, site: Site, context: Context) -> Value:
        """The condition under which a site is reached, as far as it decides about another try."""
        view, engine = context.view, self.engine
        if site.kind == "loop":
            frames, attempt = view.frames(site.event.chain, inside=site.loop), self.sites.loops.attempt_of(site)
            if attempt != NONE:
                frames.append((True, engine.values("raised", view, attempt, 0), None))
            return engine.formulas.path(frames)
        frames = view.frames(site.event.chain)
        if site.given:
            frames.append((True, self._withheld(site, view), None))
        if site.kind == "stays":
            unchanged = self._unchanged(site, context)
            if unchanged.kind == "false":
                return unchanged
            frames.append((False, unchanged, None))
        if not frames and context.outer:
            return context.outer[-1]
        return engine.formulas.path(frames)

    def _withheld(self, site: Site, view: View) -> Value:
        """The condition under which a turn has given none of a loop's acknowledgements."""
        formulas, here = self.engine.formulas, set(view.ancestors(site.event.chain))
        shared = [next(c for c in (*view.ancestors(chain), 0) if c in here or not c) for chain in site.given]
        return formulas.conj(
            [
                formulas.neg(formulas.path(view.frames(chain, inside=site.loop, below=common)))
                for chain, common in zip(site.given, shared, strict=True)
            ]
        )

    def _unchanged(self, site: Site, context: Context) -> Value:
        """The condition under which a state is still the old one, or one by which items are selected."""
        engine, view = self.engine, context.view
        if site.state == NONE:
            return engine.values.true
        value = view.value(site.state)
        if site.waiting:
            written = value.args[0] if value.kind == "case" else ()
            return engine.formulas.disj([c for c, v in written if _text(v) in site.waiting])
        before = view.value(site.target)
        waiting = self.sites.fields.waiting(site.function, site.target)
        arms = value.args[0] if value.kind == "case" else ((engine.values.true, value),)
        given = list(conjuncts(view.condition(site.event.chain)))
        return engine.formulas.disj(
            [c for c, v in arms if v is before or (_text(v) in waiting and self._comes_again(before, v, given))]
        )

    def _comes_again(self, before: Value, now: Value, given: list[Value]) -> bool:
        """Whether an item in the new state would get this far again: no test on the way here turns it away."""
        for literal in given:
            inner = literal.args[0] if literal.kind == "not" else literal
            if inner.kind == "eq" and inner.args[0] is before:
                same = _text(inner.args[1]) == _text(now)
                if same == (literal.kind == "not"):
                    return False
        return _text(now) not in self.engine.words["terminal"]

    def whole(self, site: Site, context: Context) -> Value:
        """All that holds where a site is reached, the callers' conditions included."""
        parts = [*context.outer, context.view.condition(site.event.chain)]
        if site.kind == "stays":
            parts.append(self._unchanged(site, context))
        if site.given:
            parts.append(self._withheld(site, context.view))
        return self.engine.formulas.conj(parts)

    def _of_poll(self, function: Ref, context: Context) -> Iterator[Retried]:
        """A function that is called until it says yes: every no is another try."""
        engine, view = self.engine, context.view
        refused = engine.formulas.neg(engine.arithmetic.truth(engine.returned(view)))
        event = next((e for e in view.function.events if e.kind in ("ret", "end")), None)
        if event is None or refused.kind in ("true", "false"):
            return
        for cause in self.causes.of(refused):
            whole = engine.formulas.conj([*context.outer, refused])
            yield Retried(Site(function, "poll", event), context, cause, whole)

    def _of_decorator(self, function: Ref, model: object, context: Context) -> Iterator[Retried]:
        for raised in self.failures.raises(context.view):
            if raised.event is None or not self.retries(function, model, raised):
                continue
            owner = raised.view
            site = Site(Ref("fn", owner.module, owner.number), "decorator", raised.event, decorated=function)
            within = Context(owner, context.outer, (*context.callers, context.view))
            whole = self.engine.formulas.conj([*context.outer, raised.condition])
            for cause in self.causes.of(raised.condition):
                yield Retried(site, within, cause, whole)

    def _tests(self, function: Ref, model: object) -> bool:
        """Whether a decorator calls again after a result that says nothing."""
        from anchorlint.python.policy import Policy

        policy = Policy(self.engine, self.failures, function, model)
        return self.sites.driven.asks_for_nothing(model, policy.args, policy.kwargs)

    def retries(self, function: Ref, model: object, raised: Raised) -> bool:
        """Whether a decorator takes an exception for another try."""
        from anchorlint.python.policy import Policy

        return Policy(self.engine, self.failures, function, model).takes(raised.error)


def _text(value: Value) -> str:
    if value.kind == "str":
        return str(value.args[0])
    return str(value.args[1]) if value.kind == "attr" else ""
