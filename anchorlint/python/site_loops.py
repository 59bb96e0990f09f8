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

    def _may_count(self, module: int, number: int, steps: int = 3) -> bool:
        """Whether an iterable can be numbers or attempts, told by its term: what is made by a call of another name
        that is not the project's cannot, nor can a parameter."""
        term = self.engine.linked.modules[module].terms[number]
        kind = term[0]
        if kind == "call":
            return self._may_give_counts(module, term, steps)
        if kind in ("if", "phi", "bool"):
            arms = term[2:] if kind == "if" else term[-1]
            return any(self._may_count(module, arm, steps) for arm in arms)
        if kind == "outer":
            return self._may_count(module, term[2], steps)
        return kind in ("seq", "name", "import", "attr", "star", "loop")

    def _may_give_counts(self, module: int, call: tuple, steps: int) -> bool:
        linked = self.engine.linked
        name = last_name(linked.modules[module].terms, call[1])
        if name in self._counting:
            return True
        ref = linked.expression(module, call[1])
        if ref is not None and ref.kind != "val":
            functions = [ref] if ref.kind == "fn" else []
        else:
            classes = linked.methods.get(name, ())
            functions = [Ref("fn", cls.module, dict(linked.cls(cls).methods)[name]) for cls in classes]
        return steps > 0 and any(
            self._may_count(function.module, event.a, steps - 1)
            for function in functions
            for event in linked.function(function).events
            if event.kind == "ret" and event.a != NONE
        )

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
