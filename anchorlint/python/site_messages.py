"""Messages: those that are handed back, and those that are left without the acknowledgement that other ways give."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event, Facts, Function
from anchorlint.python.link import Ref, last_name
from anchorlint.python.site import Site
from anchorlint.python.value import Value, root
from anchorlint.python.view import View


class Messages:
    """Finds what brings messages back; one for a program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    def _asked(self, function: Ref, event: Event, term: tuple) -> Iterator[Site]:
        view, models = self.engine.view(function.module, function.number), self.engine.models
        callee = view.value(term[1])
        targets = [self.engine.calls.target(callee)]
        receiver = self.engine.calls.receiver(callee)
        if receiver == "self" and callee.kind == "attr":
            targets.append(f"self.{callee.args[1]}")
        for target in targets:
            model = models.retry_call(target, receiver)
            if model is not None:
                yield Site(function, "call", event)
                return
            ack = models.ack(target, receiver)
            if ack is not None and ack.does == "nack" and self._comes_back(ack, view, term):
                yield Site(function, "call", event)
                return

    def _comes_back(self, ack: object, view: View, term: tuple) -> bool:
        if isinstance(ack.requeue, bool):
            return ack.requeue
        for name, number in term[3]:
            if name in ack.requeue.keywords:
                return view.value(number) is not self.engine.values.false
        at = ack.requeue.at
        if at is not None and at < len(term[2]):
            return view.value(term[2][at]) is not self.engine.values.false
        return bool(ack.requeue.default)

    def _seeks_back(self, function: Ref, term: tuple) -> bool:
        """Whether a consumer is put back to where a record stands: `seek(partition, record.offset)`."""
        view = self.engine.view(function.module, function.number)
        given = [view.value(n) for n in (*term[2][1:2], *(n for keyword, n in term[3] if keyword == "offset"))]
        if len(term[2]) == 1 and not given:
            where = view.value(term[2][0])
            known = where.kind == "result" and _named(where.args[0], "TopicPartition")
            given = list(where.args[1][2:3]) if known else []
        for offset in given:
            called = offset.kind == "result" and not offset.args[1]
            read = offset.args[0] if called else offset
            if read.kind == "attr" and read.args[1] == "offset" and root(read).kind in ("iter", "result", "param"):
                return True
        return False

    def _unacknowledged(self, function: Ref, record: Function) -> Iterator[Site]:
        """The ways through a loop over messages on which the message is not acknowledged, where another way does."""
        facts = self.engine.linked.modules[function.module]
        acknowledged = []
        for event in record.events:
            name = last_name(facts.terms, facts.terms[event.a][1]) if event.kind == "call" else ""
            if name and name in self.engine.words["ack"]:
                loop = self._loop_of_message(function, event)
                if loop != NONE:
                    acknowledged.append((loop, event.chain, name))
        for event in record.events if acknowledged else ():
            if event.kind in ("cont", "back"):
                chains = [chain for loop, chain, _ in acknowledged if loop == event.a]
                if not chains or any(self._after(facts, event.chain, chain) for chain in chains):
                    continue
                # a commit may be of anything, and one of a later message takes the earlier ones with it
                commits = any(name == "commit" for loop, _, name in acknowledged if loop == event.a)
                given = () if commits else self._passed_by(facts, event, chains)
                yield Site(function, "unacked", event, loop=event.a, given=given)

    def _passed_by(self, facts: Facts, event: Event, chains: list[int]) -> tuple[int, ...]:
        """The acknowledgements in a branch without another that leaves: the end of the loop's body lies behind them."""
        chain = event.chain
        while chain > 0 and facts.chains[chain][1] != "loop":
            frame = facts.chains[chain]
            if frame[1] == "exc" or (frame[1] == "test" and frame[4]):
                return ()
            chain = frame[0]
        if event.kind != "back" or not all(self._is_tested(facts, one, event.a) for one in chains):
            return ()
        return tuple(chains)

    def _is_tested(self, facts: Facts, chain: int, loop: int) -> bool:
        """Whether a place stands in a branch of a test within a loop."""
        while chain > 0 and facts.chains[chain][1:3] != ("loop", loop):
            if facts.chains[chain][1] == "test" and facts.chains[chain][4]:
                return True
            chain = facts.chains[chain][0]
        return False

    def _loop_of_message(self, function: Ref, event: Event) -> int:
        """The loop whose element an acknowledgement is about."""
        view = self.engine.view(function.module, function.number)
        term = view.terms[event.a]
        callee = view.value(term[1])
        about = [view.value(n) for n in (*term[2], *(n for _, n in term[3]))]
        if callee.kind == "attr":
            about.append(callee.args[0])
        chain = event.chain
        while chain > 0:
            frame = view.facts.chains[chain]
            is_for = frame[1] == "loop" and view.facts.loops[frame[2]].kind == "for"
            if is_for and any(self._is_turn(root(v), function.module, frame[2]) for v in about):
                return frame[2]
            chain = frame[0]
        return NONE

    def _is_turn(self, value: Value, module: int, loop: int) -> bool:
        return value.kind == "iter" and value.args[1:3] == (module, loop)

    def _after(self, facts: Facts, chain: int, done: int) -> bool:
        """Whether a path condition includes another one: what happened under that has happened here."""
        while chain > 0:
            if chain == done:
                return True
            chain = facts.chains[chain][0]
        return False


def _named(callee: Value, name: str) -> bool:
    """Whether what is called has this last name."""
    return str(callee.args[0] if callee.kind == "ext" else "").rpartition(".")[2] == name
