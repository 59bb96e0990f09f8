"""Queues whose receives take longer than they keep their messages."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.knowledge.tables import SECONDS
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE
from anchorlint.python.link import Ref, last_name
from anchorlint.python.lives import Lives
from anchorlint.python.outlives import ALMOST, Outlives, Place
from anchorlint.python.terms import place
from anchorlint.python.view import View


class Queues:
    """Finds them in one program."""

    def __init__(self, engine: Evaluator, lives: Lives) -> None:
        self.engine = engine
        self.lives = lives

    def of(self, function: Ref, view: View) -> Iterator[Outlives]:
        """The queues that a function creates so."""
        sqs = self.engine.models.broker("sqs queue")
        for event in view.events("call"):
            term = view.terms[event.a]
            if sqs is None or last_name(view.terms, term[1]) != "create_queue":
                continue
            given = dict(self._attributes(view, term))
            visible, kept = given.get("VisibilityTimeout"), given.get("MessageRetentionPeriod")
            count = given.get("maxReceiveCount")
            if count is None:
                continue
            visible_s = visible if visible is not None else sqs.visibility.default_s
            kept_s = kept if kept is not None else sqs.retention.default_s
            if visible_s * count > kept_s * ALMOST:
                each, all_of = spoken(visible_s), spoken(visible_s * count)
                said = f"{count:g} receives of {each} are {all_of}, the queue keeps messages for {spoken(kept_s)}"
                advice = "keep messages for longer than all receives take, or allow fewer"
                yield Outlives(function.module, self._entry(view, term) or place(term), said, advice)

    def _attributes(self, view: View, term: tuple) -> Iterator[tuple[str, float]]:
        pending = [view.value(n) for k, n in term[3] if k == "Attributes"]
        while pending:
            value = pending.pop()
            if value.kind == "result" and value.args[1]:
                pending.append(value.args[1][0])  # json.dumps of the redrive policy
            for key, inner in value.args[0] if value.kind == "map" else ():
                if key is None or key.kind != "str":
                    continue
                seconds = self.lives.seconds(inner, SECONDS["s"])
                if seconds is not None:
                    yield str(key.args[0]), seconds
                else:
                    pending.append(inner)

    def _entry(self, view: View, term: tuple) -> Place | None:
        """The place of the redrive policy inside a call, where it is made by a call of its own."""
        for keyword, number in term[3]:
            if keyword == "Attributes" and view.terms[number][0] == "map":
                for key, value in view.terms[number][1]:
                    if key != NONE and view.terms[key][2:] == ("RedrivePolicy",) and view.terms[value][0] == "call":
                        return place(view.terms[value])
        return None
