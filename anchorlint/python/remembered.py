"""Remembered: which retries ask again, with the same handle, for what has been forgotten by then."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.arguments import argument
from anchorlint.python.asked import Ask, pinned, said_address
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.lives import key_shape
from anchorlint.python.misses import Misses
from anchorlint.python.program import Program
from anchorlint.python.retried import Retried
from anchorlint.python.terms import place
from anchorlint.python.value import Value, parts, within
from anchorlint.python.view import View

MOST_DEPTH = 2  #: calls through which a renewal is looked for
GONE_STATUS = 410.0


class Remembered:
    """Judges the retries of one program after a miss."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.misses: Misses = program.part(Misses)
        self.engine = self.misses.engine

    def retried(self) -> Iterator[tuple[Retried, Ask]]:
        """Each retry that a miss directly decides, with what was asked for, where nothing tells it from a failure."""
        if not self.misses.asked.starts:
            return
        for retried in self.misses.retries.all:
            steps = (s for s in retried.cause.through if isinstance(s, View))
            views = (retried.context.view, *retried.context.callers, *steps)
            for ask in dict.fromkeys(self.misses.asks(retried.cause.literal, views)):
                if self._is_fault(retried, ask):
                    yield retried, ask

    def _is_fault(self, retried: Retried, ask: Ask) -> bool:
        misses, literal = self.misses, retried.cause.literal
        if misses.truth(literal, ask) is not True or not pinned(ask.key):
            return False
        if not ask.life and not self._says_gone(literal):
            return False
        whole = self.engine.formulas.conj([retried.condition, *retried.cause.others, literal])
        if misses.truth(whole, ask) is False or misses.leaves_open(whole, ask):
            return False
        return not (self._is_new(retried, ask) or self._is_renewed(retried, ask))

    def _says_gone(self, literal: Value) -> bool:
        """Whether a literal asks for the status that means gone for good by itself."""
        return literal.kind == "eq" and self.misses.said(literal.args[1]) == f"{GONE_STATUS:g}"

    # what is made anew

    def _is_new(self, retried: Retried, ask: Ask) -> bool:
        """Whether what is asked for was made on the way here, or its handle changes from try to try."""
        key = ask.key
        if key is None or self._fresh(key) or self._varies(key, retried):
            return True
        views = (retried.context.view, *retried.context.callers)
        return any(self._writes(view, event, ask) for view in views for event in view.events("call"))

    def _varies(self, key: Value, retried: Retried) -> bool:
        """Whether a handle is another one in each try: an element of the loop, or what is taken out of something."""
        loop = (retried.site.function.module, retried.site.loop) if retried.site.kind == "loop" else None
        for part in parts(key, "iter", "result", "loopvar"):
            if part.kind == "iter" and part.args[1:3] == loop:
                return True
            if part.kind == "loopvar" and part.args[:2] == loop and self._goes_on(part, retried):
                return True
            name = part.args[0].args[1] if part.kind == "result" and part.args[0].kind == "attr" else ""
            taken = name in self.engine.words["consume"] or name == "get" and not part.args[1]
            if loop is not None and name and taken:
                return True
        return False

    def _goes_on(self, variable: Value, retried: Retried) -> bool:
        """Whether a loop's variable has a new value where the loop goes on after the miss."""
        view = retried.context.view
        found = [number for name, number in retried.site.event.stores if name == variable.args[2]]
        for number in found:
            value = view.value(number)
            arms = [v for _, v in value.args[0]] if value.kind == "case" else [value]
            if any(arm is not variable for arm in arms):
                return True
        return False

    def _fresh(self, key: Value) -> bool:
        """Whether a handle was just made, on every way to it."""
        if key.kind in ("case", "phi"):
            arms = [arm[1] if key.kind == "case" else arm for arm in key.args[0]]
            return all(self._fresh(arm) for arm in arms)
        if key.kind == "fstr":
            return any(self._fresh(part) for part in key.args[0])
        if key.kind in ("attr", "item", "part"):
            return self._fresh(key.args[0])
        if key.kind != "result":
            return False
        callee = key.args[0]
        target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
        if self.engine.models.handle(target, receiver) is not None or target.startswith(("uuid.", "secrets.")):
            return True
        if target.rpartition(".")[2] in _MAKING:
            return True
        inner = callee.args[0] if callee.kind == "attr" else None
        return inner is not None and self._fresh(inner)

    def _is_renewed(self, retried: Retried, ask: Ask) -> bool:
        """Whether the way from the miss to the next try writes, makes or orders anew what is missing."""
        views = dict.fromkeys((retried.context.view, *retried.context.callers))
        views.update((step, None) for step in retried.cause.through if isinstance(step, View))
        for view in views:
            for event in view.events("call", "set"):
                if not self._after_miss(view, event, ask):
                    continue
                if self._renews(view, event, ask, MOST_DEPTH) or self._is_own_answer(view, event, ask):
                    return True
        return False

    def _is_own_answer(self, view: View, event: Event, ask: Ask) -> bool:
        """Whether something is done in a handler that takes the miss alone, not what an outage raises."""
        if event.kind != "call" or last_name(view.terms, view.terms[event.a][1]) in _SAYS_ONLY:
            return False
        chain, failures = event.chain, self.misses.failures
        while chain > 0:
            frame = view.facts.chains[chain]
            if frame[1] == "exc":
                refs = [Ref("ext", dotted=name) for name in ask.outages]
                return bool(refs) and not any(failures.takes(view, frame[2], frame[3], ref) for ref in refs)
            chain = frame[0]
        return False

    def _after_miss(self, view: View, event: Event, ask: Ask) -> bool:
        from anchorlint.python.formula import conjuncts

        condition = view.condition(event.chain)
        return any(p.kind != "true" and self.misses.truth(p, ask) is True for p in conjuncts(condition))

    def _renews(self, view: View, event: Event, ask: Ask, depth: int) -> bool:
        if event.kind == "set":
            target = view.value(event.a)
            return ask.key is not None and target.kind in ("attr", "item") and within(ask.key, target)
        if self._writes(view, event, ask) or self._makes(view, event, ask):
            return True
        inner = self.misses.failures.called(view, event) if depth else None
        if inner is None:
            return False
        return any(self._renews(inner, e, ask, depth - 1) for e in inner.events("call", "set"))

    def _makes(self, view: View, event: Event, ask: Ask) -> bool:
        term = view.terms[event.a]
        callee = view.value(term[1])
        target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
        if self.engine.models.handle(target, receiver) is not None:
            return True
        if target.rpartition(".")[2] in ("delay", "apply_async", "enqueue", "send_task"):
            return self.engine.models.retry_call(target, receiver) is None and callee.kind == "attr"
        if target.rpartition(".")[2] in ("post", "put") and ask.http and term[2] and ask.key is not None:
            made = said_address(view.value(term[2][0])).rstrip("/")
            return len(made) > 1 and said_address(ask.key).startswith(made)
        return False

    def _writes(self, view: View, event: Event, ask: Ask) -> bool:
        """Whether a call writes what is asked for, under the same key."""
        term = view.terms[event.a]
        callee = view.value(term[1])
        target, receiver = self.engine.calls.target(callee), self.engine.calls.receiver(callee)
        for store, write in self.engine.models.all_of("store.writes", target, receiver):
            if store.name != ask.name or write.key == "self":
                continue
            args = tuple(view.value(n) for n in term[2])
            key = argument(write.key, args, tuple((k, view.value(n)) for k, n in term[3] if k))
            shape = key_shape(key)
            if key is ask.key or (shape is not None and shape == key_shape(ask.key)):
                return True
        return False

    # policies of sessions

    def policies(self) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
        """The retry policies that take the status 410 for one that passes: where they stand."""
        engine, models = self.engine, self.engine.models
        telling = [one for one in models.retries.policies if one.caught is not None and one.caught.statuses is not None]
        names = {c.rpartition(".")[2] for one in telling for c in one.calls}
        for name in sorted(names):
            for call in engine.linked.calls.get(name, ()):
                view = engine.view(call.module, call.function)
                term = view.terms[call.event.a]
                engine.ask("retry policies", 2000)
                model = models.policy(engine.calls.target(view.value(term[1])))
                if model is None or model.caught is None or model.caught.statuses is None:
                    continue
                kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
                given = argument(model.caught.statuses, tuple(view.value(n) for n in term[2]), kwargs)
                if given is not None and self._holds_gone(given):
                    yield call.module, place(term)

    def _holds_gone(self, statuses: Value) -> bool:
        if statuses.kind in ("seq",):
            return any(self.misses.said(v) == f"{GONE_STATUS:g}" for v in statuses.args[1])
        return False


_MAKING = frozenset({"post", "put", "create", "insert", "submit", "start", "upload", "put_object", "delay",
                     "apply_async", "send_task", "enqueue", "uuid4", "hex"})  # fmt: skip
_SAYS_ONLY = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log", "print", "sleep", "str",
                        "repr", "incr", "inc", "format"})  # fmt: skip
