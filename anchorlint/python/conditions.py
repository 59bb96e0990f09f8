"""Path conditions as formulas: the frames of a place, and what is left of them in a loop or above another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from anchorlint.python.facts import NONE, Event, Function
from anchorlint.python.value import Value

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator
    from anchorlint.python.view import View

MOST_FRAMES = 40  #: frames of one path condition that are evaluated, the innermost ones


class Conditions:
    """One function seen under given arguments: the formulas of its path conditions (its terms are in `view`)."""

    __slots__ = ("_conditions", "_values", "args", "busy", "closure", "depth", "engine", "facts", "function", "module",
                 "number", "raised", "returned", "terms")  # fmt: skip

    def __init__(
        self,
        engine: Evaluator,
        module: int,
        number: int,
        args: tuple[Value | None, ...],
        closure: View | None,
        depth: int,
    ) -> None:
        self.engine = engine
        self.module = module
        self.number = number
        self.args = args
        self.closure = closure
        self.depth = depth
        self.facts = engine.linked.modules[module]
        self.function: Function = self.facts.functions[number]
        self.terms = self.facts.terms
        self._values: dict[int, Value] = {}
        self._conditions: dict[int, Value] = {}
        self.busy = False
        self.returned: Value | None = None
        self.raised: Any = None

    @property
    def given(self) -> int:
        """How many nodes the arguments are written with, a parameter as itself counting for one."""
        return sum([1 if a is None else a.size for a in self.args]) if self.args else len(self.function.params)

    def value(self, number: int) -> Value:
        """What a term stands for here (in `view`)."""
        raise TypeError("conditions alone know no terms")

    def frames(self, chain: int, inside: int = NONE, below: int = 0) -> list[tuple[bool, Value, Any]]:
        """The frames of a path condition, outermost first.

        With `inside` only those within that loop, with `below` only those above that path condition.
        """
        found: list[tuple[bool, Value, Any]] = []
        chains = self.facts.chains
        while chain > 0 and chain != below and len(found) < MOST_FRAMES:
            frame = chains[chain]
            if frame[1] == "loop" and frame[2] == inside:
                break
            found += reversed(self._one(frame))
            chain = frame[0]
        found.reverse()
        return found

    def _joined(self, frame: tuple) -> Value:
        formulas, base = self.engine.formulas, frame[3]
        arms = []
        for chain in frame[2]:
            arms.append(self._since(chain, base))
        joined = formulas.disj(arms)
        return joined if joined.size < 2000 else self.engine.values.true

    def _since(self, chain: int, base: int) -> Value:
        return self.engine.formulas.conj([f for _, f, _ in self.frames(chain, below=base)])

    def _one(self, frame: tuple) -> list[tuple[bool, Value, Any]]:
        if frame[1] == "test":
            condition = self.engine.arithmetic.truth(self.value(frame[2]))
            formula = condition if frame[3] else self.engine.formulas.neg(condition)
            return [(frame[4], formula, (self.module, *frame[5:]))]
        if frame[1] == "join":
            return [(False, self._joined(frame), None)]
        if frame[1] == "exc":
            return [(True, self.engine.values("raised", self, frame[2], frame[3]), None)]
        return self._quiet(frame[2]) if frame[1] == "noexc" else []

    def _quiet(self, number: int) -> list[tuple[bool, Value, Any]]:
        values, formulas = self.engine.values, self.engine.formulas
        handlers = range(len(self.facts.tries[number].handlers))
        return [(False, formulas.neg(values("raised", self, number, h)), None) for h in handlers]

    def condition(self, chain: int, inside: int = NONE) -> Value:
        """The formula under which a path condition holds."""
        if inside != NONE:
            return self.engine.formulas.path(self.frames(chain, inside))
        found = self._conditions.get(chain)
        if found is None:
            found = self._conditions[chain] = self.engine.formulas.path(self.frames(chain))
        return found

    def left(self, chain: int) -> Value:
        """The formula under which a function is left here: what leaves out of a try's body was caught by no handler."""
        if any(frame[1] == "try" for frame in self._chained(chain)):
            frames = self.frames(chain)
            for frame in self._chained(chain):
                frames += self._quiet(frame[2]) if frame[1] == "try" else []
            return self.engine.formulas.path(frames)
        return self.condition(chain)

    def _chained(self, chain: int) -> Iterator[tuple]:
        return (self.facts.chains[one] for one in self.ancestors(chain))

    def ancestors(self, chain: int) -> Iterator[int]:
        """A path condition and those around it, the innermost first."""
        while chain > 0:
            yield chain
            chain = self.facts.chains[chain][0]

    def events(self, *kinds: str) -> Iterator[Event]:
        """The events of these kinds, in source order."""
        for event in self.function.events:
            if event.kind in kinds:
                yield event
