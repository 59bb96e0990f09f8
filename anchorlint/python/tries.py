"""How many tries a retry site gives at most, where the code says a number."""

from __future__ import annotations

import math

from anchorlint.domain.linear import Linear
from anchorlint.python.formula import literals
from anchorlint.python.link import Ref
from anchorlint.python.policy import Policy
from anchorlint.python.retried import Retried, Retries
from anchorlint.python.value import Value
from anchorlint.python.view import View


class Tries:
    """Counts tries; one for a program."""

    def __init__(self, retries: Retries) -> None:
        self.engine = retries.engine
        self.failures = retries.failures
        self.sites = retries.sites

    def most(self, retried: Retried) -> int | None:
        """The greatest number of tries of one item, None where nothing says it."""
        site, view = retried.site, retried.context.view
        if site.kind == "bump":
            target = view.value(site.target) if site.target >= 0 else None
            return self._counted(view, target, retried.condition) if target is not None else None
        if site.kind == "loop":
            loop = view.facts.loops[site.loop]
            return self.turns(view.value(loop.subject)) if loop.kind == "for" else None
        if site.kind == "decorator":
            return self._decorated(site.decorated)
        return None

    def _decorated(self, function: Ref | None) -> int | None:
        model = self.sites.retry_of(function) if function is not None else None
        if function is None or model is None:
            return None
        number = Policy(self.engine, self.failures, function, model).attempts()
        return int(number) if number is not None and math.isfinite(number) else None

    def _counted(self, view: View, counter: Value, condition: Value) -> int | None:
        """The bound that a counter is ordered against, in this function or where its callers decide."""
        found = []
        for formula in (condition, *self._tests(view)):
            for literal in literals(formula):
                if literal.kind == "cmp" and (bound := self._bound(literal, counter)) is not None:
                    found.append(bound)
        return min(found) if found else None

    def _tests(self, view: View) -> list[Value]:
        chains = {e.chain for e in view.function.events}
        return [view.condition(chain) for chain in sorted(chains)]

    def _bound(self, literal: Value, counter: Value) -> int | None:
        """N of `counter + k < N`; k is left out, since the last try is the one that is counted to N."""
        _, left, right, _ = literal.args
        a, b = self.engine.arithmetic.linear(left), self.engine.arithmetic.linear(right)
        if a is None or b is None:
            return None
        for form, other in ((a[1], b[1]), (b[1], a[1])):
            number = other.number
            if number is not None and self._is_of(form, counter) and 1 <= number < 1e6:
                return int(number)
        return None

    def _is_of(self, form: Linear, counter: Value) -> bool:
        return any(_same_place(atom.key, counter) for atom in form.terms)

    def turns(self, iterable: Value) -> int | None:
        """How often a loop over this goes round, None where nothing says it."""
        if iterable.kind == "seq":
            return len(iterable.args[1])
        if iterable.kind != "result":
            return None
        target, args = self.engine.calls.target(iterable.args[0]), iterable.args[1]
        if target == "range" and args:
            bounds = [f[1].number if (f := self.engine.arithmetic.linear(a)) else None for a in args[:2]]
            if any(b is None for b in bounds):
                return None
            return int(bounds[0] if len(bounds) == 1 else bounds[1] - bounds[0])  # type: ignore[operator]
        if target == "enumerate" and args:
            return self.turns(args[0])
        return None


def _same_place(atom: object, counter: Value) -> bool:
    """`d["n"]` and `d.get("n", 0)` are one counter; the second reads as a setting with a default."""
    if atom is counter:
        return True
    return isinstance(atom, tuple) and atom[:1] == ("default",) and atom[1] is counter
