"""Removals: what takes an item away for good, so that it does not come back: removed, buried, sealed, refused."""

from __future__ import annotations

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.retried import Retried
from anchorlint.python.view import View

_REFUSALS = frozenset({"reject", "nack", "basic_reject", "basic_nack"})


class Removals:
    """Tells what ends an item by itself."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def _removes(self, view: View, event: Event, retried: Retried) -> bool:
        if event.kind == "del":
            return True
        if event.kind != "call":
            return False
        words, term = self.engine.words, view.terms[event.a]
        name = last_name(view.terms, term[1])
        if name in ("pop", "popleft", "heappop", "remove", "delete", "discard", "unlink", "drop"):
            return True
        if name in words["dead"] or name in words["terminal"]:
            return True
        receiver = self.engine.calls.receiver(view.value(term[1]))
        return receiver in words["dead"] or (name in words["ack"] and retried.site.kind != "call")

    def _seals(self, view: View, event: Event) -> bool:
        if event.kind != "set":
            return False
        value = view.value(event.b)
        text = value.args[0] if value.kind == "str" else value.args[1] if value.kind == "attr" else ""
        return isinstance(text, str) and text in self.engine.words["terminal"]

    def _ends_without(self, retried: Retried) -> bool:
        """Whether a turn that does not acknowledge its message ends it in another way, in a branch of its own."""
        site, view = retried.site, retried.context.view
        tests = [view.facts.chains[c] for chain in site.given for c in view.ancestors(chain)]
        others = {(frame[2], not frame[3]) for frame in tests if frame[1] == "test"}
        for event in view.events("call", "del", "set"):
            frames = [view.facts.chains[c] for c in view.ancestors(event.chain)]
            other = any(frame[1] == "test" and frame[2:4] in others for frame in frames)
            if other and (self._removes(view, event, retried) or self._seals(view, event) or self._drops(view, event)):
                return True
        return False

    def _drops(self, view: View, event: Event) -> bool:
        """Whether a message is refused for good: `reject(requeue=False)`."""
        term = view.terms[event.a]
        if event.kind != "call" or last_name(view.terms, term[1]) not in _REFUSALS:
            return False
        return any(name == "requeue" and view.value(n) is self.engine.values.false for name, n in term[3])
