"""Loops whose turns are tries: every `while`, and a `for` over numbers, pauses or attempts, not over items."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Loop
from anchorlint.python.link import Ref, last_name
from anchorlint.python.site import Site
from anchorlint.python.value import Value

_RANGES = frozenset({"range", "count", "repeat"})
_PASSING = frozenset({"enumerate", "iter", "chain", "cycle", "reversed", "islice"})


class Loops:
    """Tells tries from items; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def attempt_of(self, site: Site) -> int:
        """The `with attempt:` of a loop over attempts, NONE in another loop: only its failure makes the loop go on."""
        facts = self.engine.linked.modules[site.function.module]
        if site.kind != "loop" or site.event.kind != "back" or facts.loops[site.loop].kind != "for":
            return NONE
        for number, record in enumerate(facts.tries):
            if record.kind == "attempt" and record.function == site.function.number:
                frame = facts.chains[record.chain]
                if frame[1] == "loop" and frame[2] == site.loop:
                    return number
        return NONE

    def repeats(self, function: Ref, loop: Loop) -> bool:
        """Whether a loop's turns are tries: every `while`, and a `for` over numbers or pauses, not over items."""
        if loop.kind == "while":
            return True
        if loop.kind != "for" or not self._may_count(function.module, loop.subject):
            return False
        value = self.engine.view(function.module, function.number).value(loop.subject)
        return self._counts(value)

    def _may_count(self, module: int, number: int) -> bool:
        """Whether an iterable can be numbers or attempts: a call that is neither by its name nor ours is not."""
        terms = self.engine.linked.modules[module].terms
        term = terms[number]
        if term[0] != "call":
            return term[0] not in ("iter", "map", "const", "fstr", "comp")
        if last_name(terms, term[1]) in self._counting:
            return True
        ref = self.engine.linked.expression(module, term[1])
        return ref.kind != "ext" if ref is not None else last_name(terms, term[1]) in self.engine.linked.function_names

    @cached_property
    def _counting(self) -> frozenset[str]:
        """The last names of what counts, hands on what counts, or gives attempts by the models."""
        loops = self.engine.models.retries.loops
        return _RANGES | _PASSING | {c.rpartition(".")[2] for model in loops for c in model.calls}

    def _counts(self, iterable: Value) -> bool:
        if iterable.kind == "seq":
            arithmetic = self.engine.arithmetic
            numbers = [arithmetic.linear(v) for v in iterable.args[1]]
            return bool(numbers) and all(n is not None and n[1].number is not None for n in numbers)
        if iterable.kind != "result":
            return False
        callee, args = iterable.args[0], iterable.args[1]
        target = self.engine.calls.target(callee)
        name = target.removeprefix("itertools.")
        if name in _RANGES:
            return True
        if name in _PASSING and args:
            return self._counts(args[0])
        return self.engine.models.retry_loop(target, self.engine.calls.receiver(callee)) is not None
