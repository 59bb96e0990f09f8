"""Guarding: the functions in which a try stands around what asks something that forgets, and those that call them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from anchorlint.python.ask import Start
from anchorlint.python.facts import Facts
from anchorlint.python.link import Ref
from anchorlint.python.relevance import Relevance


class Guarding:
    """Tells where a failure of an ask can be caught beside the ask's own answer.

    The try has the ask in its body, or a call of the function that asks; who hands its answer on calls its function.
    """

    def __init__(self, starts: Iterable[Start], relevance: Relevance) -> None:
        self.starts = starts
        self.relevance = relevance
        self.linked = relevance.linked

    def reaches(self, function: Ref) -> bool:
        """Whether a function, or one that it may call, has such a try."""
        return function in self._functions or function.module in self._modules

    @cached_property
    def _modules(self) -> set[int]:
        """The files in which such a function is handed on or read as a property, so that any function may run it."""
        uses = (use for function in self._functions for use in self.relevance.callers.uses(function))
        return {module for module, _ in uses}

    @cached_property
    def _functions(self) -> set[Ref]:
        found: set[Ref] = set()
        pending = list(self._guarding())
        while pending:
            function = pending.pop()
            if function not in found:
                found.add(function)
                pending += [Ref("fn", call.module, call.function) for call in self.relevance.callers.calls(function)]
        return found

    def _guarding(self) -> Iterable[Ref]:
        modules = self.linked.modules
        for start in self.starts:
            asking = Ref("fn", start.module, start.function)
            if any(record.function == start.function for record in modules[start.module].tries):
                yield asking
            for call in self.relevance.callers.calls(asking):
                if _in_try(modules[call.module], call.event.chain):
                    yield Ref("fn", call.module, call.function)


def _in_try(facts: Facts, chain: int) -> bool:
    while chain > 0:
        if facts.chains[chain][1] == "try":
            return True
        chain = facts.chains[chain][0]
    return False
