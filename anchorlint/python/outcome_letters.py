"""Dead letters: whether a project that declares its queues says where messages go that nobody can handle."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.facts import Facts
from anchorlint.python.link import Linked

_DECLARING = frozenset(
    {"create_subscription", "queue_declare", "declare_queue", "create_queue", "Queue", "Subscription"}
)


class DeadLetters:
    """Knows whether one program has a place for dead messages."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    @cached_property
    def have_no_place(self) -> bool:
        """Whether the project declares its queues and says nowhere where dead messages go."""
        if not any(name in self.linked.calls for name in _DECLARING):
            return False
        return not any(_speaks_of_dead(facts) for facts in self.linked.modules)


def _speaks_of_dead(facts: Facts) -> bool:
    for term in facts.terms:
        if term[0] == "const" and term[1] == "str" and ("dead" in term[2].lower() or "redrive" in term[2].lower()):
            return True
        if term[0] == "call" and any("dead" in (k or "").lower() or k == "max_deliver" for k, _ in term[3]):
            return True
    return False
