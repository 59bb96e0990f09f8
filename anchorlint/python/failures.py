"""Failures: what a function raises, and which handler takes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.arguments import argument
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event
from anchorlint.python.formula import literals
from anchorlint.python.link import Ref, last_name
from anchorlint.python.value import Value
from anchorlint.python.view import View

MOST_RAISES = 24  #: raises of one function that are followed
MOST_DEPTH = 3  #: calls through which a raise is followed
_NEVER_CAUGHT = {"KeyboardInterrupt", "SystemExit", "GeneratorExit", "asyncio.CancelledError"}


class Raised(NamedTuple):
    """An exception that leaves: under which condition, of which class (None: unknown), and where it is raised.

    `event` is None for a call of something from outside, whose failures nobody sees here.
    """

    condition: Value
    error: Ref | None
    view: View
    event: Event | None
    value: Value | None


class Failures:
    """Follows exceptions through one program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self.checked_outside: set[tuple[int, ...]] = set()  #: the places of gates that stand inside a library

    # classes

    def classes(self, value: Value) -> tuple[Ref, ...] | None:
        """The classes that a handler's types or a raised value stand for; None where nothing tells."""
        if value.kind == "cls":
            return (Ref("cls", *value.args),)
        if value.kind == "obj":
            return (Ref("cls", *value.args[0].args),)
        if value.kind == "ext":
            return (Ref("ext", dotted=value.args[0].removeprefix("builtins.")),)
        if value.kind == "result" and value.args[0].kind in ("ext", "cls"):
            return self.classes(value.args[0])
        if value.kind == "exc":
            return self._caught_classes(value)
        if value.kind == "seq":
            found = [self.classes(part) for part in value.args[1]]
            return None if None in found else tuple(ref for refs in found if refs for ref in refs)
        if value.kind in ("case", "phi"):
            arms = [arm[1] if value.kind == "case" else arm for arm in value.args[0]]
            return self.classes(self.engine.values("seq", "tuple", tuple(arms)))
        return None

    def _caught_classes(self, value: Value) -> tuple[Ref, ...] | None:
        module, number, handler = value.args
        record = self.engine.linked.modules[module].tries[number]
        return self.handled(self.engine.view(module, record.function), number, handler)

    def handled(self, view: View, number: int, handler: int) -> tuple[Ref, ...] | None:
        """The classes of an except clause; a bare one takes every Exception, an attempt's `with` what its loop says."""
        record = view.facts.tries[number]
        types = record.handlers[handler].types
        if types != NONE:
            return self.classes(view.value(types))
        said = self._of_attempts(view, record.chain) if record.kind == "attempt" else None
        return said or (Ref("ext", dotted="Exception"),)

    def _of_attempts(self, view: View, chain: int) -> tuple[Ref, ...] | None:
        """The classes after which the loop around a place tries again: `for attempt in Retrying(retry=…)`."""
        while chain > 0 and view.facts.chains[chain][1] != "loop":
            chain = view.facts.chains[chain][0]
        value = view.value(view.facts.loops[view.facts.chains[chain][2]].subject) if chain > 0 else None
        if value is None or value.kind != "result":
            return None
        calls, models = self.engine.calls, self.engine.models
        model = models.retry_loop(calls.target(value.args[0]), calls.receiver(value.args[0]))
        if model is None or model.caught is None:
            return None
        where, given = model.caught.given, value
        if model.caught.when is not None:
            when = argument(model.caught.when, value.args[1], value.args[2])
            condition = models.when(calls.target(when.args[0])) if when is not None and when.kind == "result" else None
            if when is None or condition is None:
                return None
            where, given = condition.classes, when
        found = argument(where, given.args[1], given.args[2]) if where is not None else None
        return self.classes(found) if found is not None else None

    def is_a(self, error: Ref, base: Ref) -> bool:
        """Whether an exception class is another one or below it, as far as the source and the models say."""
        families = self.engine.models.families
        base_name = base.dotted.removeprefix("builtins.")
        for ref in self.engine.linked.mro(error):
            if ref == base:
                return True
            if ref.kind == "ext" and base.kind == "ext":
                name = ref.dotted.removeprefix("builtins.")
                if name == base_name or families.is_subclass(name, base_name):
                    return True
        if base_name in ("Exception", "BaseException"):
            return error.dotted.removeprefix("builtins.") not in _NEVER_CAUGHT
        return False

    def takes(self, view: View, number: int, handler: int, error: Ref | None) -> bool | None:
        """Whether a handler takes this class; None where it cannot be told."""
        types = self.handled(view, number, handler)
        if types is None:
            return None
        broad = any(t.dotted.removeprefix("builtins.") in ("Exception", "BaseException") for t in types)
        if error is None:
            return True if broad else None
        return any(self.is_a(error, t) for t in types)

    def caught(self, view: View, chain: int, error: Ref | None) -> tuple[int, int] | None:
        """The (try, handler) around a place that takes an exception of this class there; None if it leaves."""
        chains = view.facts.chains
        while chain > 0:
            frame = chains[chain]
            if frame[1] == "try":
                for handler in range(len(view.facts.tries[frame[2]].handlers)):
                    if self.takes(view, frame[2], handler, error):
                        return frame[2], handler
            chain = frame[0]
        return None

    # raises

    def error_of(self, view: View, event: Event) -> tuple[Ref | None, Value | None]:
        """The class and the value of a raise; a bare one raises what its handler caught."""
        if event.a != NONE:
            value = view.value(event.a)
            classes = self.classes(value)
            return (classes[0] if classes and len(classes) == 1 else None), value
        chain = event.chain
        while chain > 0:
            frame = view.facts.chains[chain]
            if frame[1] == "exc":
                classes = self.handled(view, frame[2], frame[3])
                return (classes[0] if classes and len(classes) == 1 else None), None
            chain = frame[0]
        return None, None

    def raises(self, view: View, depth: int = 0) -> tuple[Raised, ...]:
        """What leaves a function as an exception: its own raises and those of the functions that it calls."""
        if view.raised is None:
            view.raised = ()  # a recursion raises what it raises elsewhere
            view.raised = tuple(self._raises(view, depth))[:MOST_RAISES]
        found: tuple[Raised, ...] = view.raised
        return found

    def _raises(self, view: View, depth: int) -> Iterator[Raised]:
        for event, raised in self._all(view, depth):
            if self.caught(view, event.chain, raised.error) is None:
                yield raised._replace(condition=self._then(view.condition(event.chain), raised.condition))

    def _then(self, outside: Value, inner: Value) -> Value:
        frames = [*_frames(outside), *_frames(inner)]
        return self.engine.formulas.path(frames)

    def _all(self, view: View, depth: int) -> Iterator[tuple[Event, Raised]]:
        """Each raise of a function's body, caught or not, and each of the calls that it makes."""
        for event in view.function.events:
            if event.kind == "raise":
                error, value = self.error_of(view, event)
                yield event, Raised(self.engine.values.true, error, view, event, value)
            elif event.kind == "call" and depth < MOST_DEPTH:
                for raised in self.of_call(view, event, depth):
                    yield event, raised
                refused = self._refused(view, event)
                if refused is not None:
                    yield event, refused

    def of_call(self, view: View, event: Event, depth: int) -> tuple[Raised, ...]:
        """What a call raises, under the conditions inside the called function; nothing for one from outside."""
        found = [inner for inner in self.called_any(view, event) if not inner.busy]
        return tuple(raised for inner in found for raised in self.raises(inner, depth + 1))

    def _refused(self, view: View, event: Event) -> Raised | None:
        """What a library's own age check raises: `loads(token, max_age=…)` once the token is older."""
        term = view.terms[event.a]
        if last_name(view.terms, term[1]) not in self._gate_names:
            return None
        calls, callee = self.engine.calls, view.value(term[1])
        model = self.engine.models.gate(calls.target(callee), calls.receiver(callee))
        if model is None or not model.raises:
            return None
        args = tuple(view.value(n) for n in term[2])
        closed = calls.library.expired(model, args, tuple((k, view.value(n)) for k, n in term[3] if k), event, view)
        error = Ref("ext", dotted=model.raises[0])
        if closed is None:
            return None
        self.checked_outside.update(literal.args[2] for literal in literals(closed) if literal.kind == "gate")
        return Raised(closed, error, view, event, None)

    @cached_property
    def _gate_names(self) -> frozenset[str]:
        return frozenset(c.rpartition(".")[2] for model in self.engine.models.gates for c in model.calls)

    def called_any(self, view: View, event: Event) -> list[View]:
        """The functions of the project of which a call runs one, under the call's arguments."""
        callee = view.value(view.terms[event.a][1])
        arms = callee.args[0] if callee.kind == "phi" else (callee,)
        found = [self._run(view, event, arm) for arm in arms]
        return [inner for inner in found if inner is not None]

    def called(self, view: View, event: Event) -> View | None:
        """The function of the project that a call runs, under the call's arguments."""
        return self._run(view, event, view.value(view.terms[event.a][1]))

    def _run(self, view: View, event: Event, callee: Value) -> View | None:
        engine, term = self.engine, view.terms[event.a]
        extra: tuple[Value, ...] = ()
        while callee.kind == "partial":
            callee, extra = callee.args[0], callee.args[1] + extra
        if callee.kind != "fn":
            return None
        module, number, bound, closure = callee.args
        if any(view.terms[n][0] == "star" for n in term[2]):
            return engine.view(module, number, (), closure)
        args = (*((bound,) if bound is not None else ()), *extra, *[view.value(n) for n in term[2]])
        kwargs = tuple((name, view.value(n)) for name, n in term[3] if name)
        given = engine.calls.bind(Ref("fn", module, number), args, kwargs)
        if given is None:
            return None
        small = tuple(a if a is None or a.size <= 400 else engine.calls.token(a) for a in given)
        return engine.view(module, number, small, closure)

    def reaching(self, view: View, number: int, handler: int) -> Iterator[tuple[Event, Raised, Value]]:
        """What is raised inside a try and taken by this handler of it, with the condition from the try's start."""
        for event, raised in self._all(view, 0):
            body = self._body_of(view, event.chain, number)
            if body is None:
                continue
            if self.caught(view, event.chain, raised.error) == (number, handler):
                frames = [*view.frames(event.chain, below=body), *_frames(raised.condition)]
                yield event, raised, self.engine.formulas.path(frames)

    def _body_of(self, view: View, chain: int, number: int) -> int | None:
        """The path condition at the start of a try's body, if `chain` stands in it."""
        chains = view.facts.chains
        while chain > 0:
            if chains[chain][1] == "try" and chains[chain][2] == number:
                return chain
            chain = chains[chain][0]
        return None


def _frames(condition: Value) -> list[tuple[bool, Value, object]]:
    if condition.kind == "pc":
        return list(condition.args[0])
    return [] if condition.kind == "true" else [(True, condition, None)]
