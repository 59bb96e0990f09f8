"""Again: tasks that put themselves back into their queue after every failure, with nothing that counts."""

from __future__ import annotations

from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_terms import inside, tests
from anchorlint.python.sites import Sites
from anchorlint.python.value import Value
from anchorlint.python.view import View

#: calls of a queue that get the function to call later
_GIVEN = frozenset({"enqueue", "enqueue_in", "enqueue_at", "enqueue_call", "schedule_in", "schedule_at"})
#: calls of a task that let it be called later
_OWN = frozenset({"apply_async", "delay", "send", "send_with_options", "enqueue", "enqueue_in", "schedule", "defer"})
REQUEUING = _GIVEN | _OWN
_PAUSES = frozenset({"countdown", "eta", "delay", "expires", "queue", "priority", "routing_key", "job_timeout",
                     "result_ttl", "description", "at_front", "actor"})  # fmt: skip
_COUNTS = frozenset({"incr", "incrby", "hincrby", "zincrby", "inc", "increment", "decr", "setex", "expire"})
MOST_NODES = 400


class Again:
    """Tells the calls by which a function of one program has itself called again with the same arguments."""

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.engine = sites.engine

    def requeues(self, view: View, event: Event) -> bool:
        """Whether a call puts the very work back that this function was called for, and nothing counts how often."""
        if not self._is_own(view, event) or self._goes_on(view, event) or self._counts(view):
            return False
        return self._is_same_work(view, view.terms[event.a]) and not self._is_limited(view, event)

    def _is_own(self, view: View, event: Event) -> bool:
        """`queue.enqueue_in(pause, deliver, key)` or `deliver.apply_async((key,))` in `deliver`."""
        term = view.terms[event.a]
        name, callee = last_name(view.terms, term[1]), view.terms[term[1]]
        function = Ref("fn", view.module, view.number)
        if name in _OWN and callee[0] == "attr" and self._is_function(view, callee[1], function):
            return True
        return name in _GIVEN and any(self._is_function(view, n, function) for n in self._given(term))

    def _is_function(self, view: View, number: int, function: Ref) -> bool:
        if view.terms[number][0] not in ("name", "def", "attr"):
            return False
        ref = self.engine.linked.expression(view.module, number)
        if ref is not None and ref.kind != "val":
            return ref == function
        value = view.value(number)
        return value.kind == "fn" and Ref("fn", *value.args[:2]) == function

    def _given(self, term: tuple) -> list[int]:
        return [*term[2], *(n for k, n in term[3] if k not in _PAUSES)]

    def _goes_on(self, view: View, event: Event) -> bool:
        """Whether the function has itself called again after a success too: it is periodic, and tries nothing again."""
        return any(
            other is not event
            and last_name(view.terms, view.terms[other.a][1]) in REQUEUING
            and self._is_own(view, other)
            for other in view.events("call")
        )

    def _counts(self, view: View) -> bool:
        return any(last_name(view.terms, view.terms[e.a][1]) in _COUNTS for e in view.events("call"))

    def _is_same_work(self, view: View, term: tuple) -> bool:
        """Whether all that is handed on are the function's own parameters and constants."""
        function = Ref("fn", view.module, view.number)
        own = False
        for at, number in enumerate(self._given(term)):
            given = view.terms[number]
            if self._is_function(view, number, function):
                continue
            if at == 0 and given[0] != "param" and not self._parameters(view, number):
                continue  # the pause
            if not self._is_plain(view, number):
                return False
            own = own or self._parameters(view, number)
        return own

    def _parameters(self, view: View, number: int) -> bool:
        return any(view.terms[one][:2] == ("param", view.number) for one in inside(view.facts, number, 40))

    def _is_plain(self, view: View, number: int) -> bool:
        kinds = {view.terms[one][0] for one in inside(view.facts, number, 40)}
        return kinds <= {"param", "const", "seq", "map", "attr", "name", "star", "import"}

    def _is_limited(self, view: View, event: Event) -> bool:
        """Whether a test on the way compares something, here or in a function that it calls: a count or an age."""
        return any(self._compares(view.value(frame[2])) for frame in tests(view.facts, event.chain))

    def _compares(self, value: Value) -> bool:
        pending: list[object] = [value]
        for _ in range(MOST_NODES):
            if not pending:
                return False
            node = pending.pop()
            if isinstance(node, Value):
                if node.kind in ("cmp", "gate"):
                    return True
                if node.kind not in ("raised", "fn"):
                    pending.extend(node.args)
            elif isinstance(node, tuple):
                pending.extend(node)
        return True
