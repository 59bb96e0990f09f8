"""Functions that something outside calls again: handed to a runner, polled, or under a policy, by the models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.knowledge.tables import Retry
from anchorlint.python.arguments import argument
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.link import Ref
from anchorlint.python.value import Value

Kwargs = tuple[tuple[str, Value], ...]


class Driven:
    """Finds, for one program, which of its functions are run again although nothing at them says so."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine

    @cached_property
    def runners(self) -> dict[Ref, Retry]:
        """The functions that are handed to something that runs them again when they fail, with its model."""
        retries = self.engine.models.retries
        return dict(self._handed((*retries.loops, *retries.policies)))

    @cached_property
    def polled(self) -> frozenset[Ref]:
        """The functions that are called until they say yes."""
        polls = self.engine.models.retries.polls
        handed = (function for function, model in self._handed(polls) if model.again == "falsy")
        return frozenset((*handed, *self._overridden(polls)))

    def policy(self, decorator: str, kwargs: Kwargs) -> Retry | None:
        """The model of a policy object that is given to a decorator: `@op(retry_policy=RetryPolicy(...))`."""
        for name, value in kwargs:
            if value.kind == "result":
                model = self.engine.models.policy(self.engine.calls.target(value.args[0]))
                if model is not None and f"{decorator}.{name}" in model.attaches:
                    return model
        return None

    def asks_for_nothing(self, model: Retry, args: tuple[Value, ...], kwargs: Kwargs) -> bool:
        """Whether a decorator that tests the result calls again after None, or after any falsy result."""
        test = argument(model.result, args, kwargs) if model.result is not None else None
        if test is None and model.without_result:
            return model.without_result in ("falsy", "none")
        when = argument(model.caught.when, args, kwargs) if model.caught and model.caught.when else None
        if test is None and when is not None and when.kind == "result":
            condition = self.engine.models.when(self.engine.calls.target(when.args[0]))
            if condition is None or condition.result is None or condition.again != "truthy":
                return False
            test = argument(condition.result, when.args[1], when.args[2])
        return test is not None and self._is_true_of_none(test)

    def _is_true_of_none(self, test: Value) -> bool:
        if test.kind != "fn":
            return False
        values = self.engine.values
        view = self.engine.view(test.args[0], 0)
        return self.engine.calls.call(test, (values.none,), (), (0, 0, 0, 0), view) is values.true

    def _handed(self, models: tuple[Retry, ...]) -> Iterator[tuple[Ref, Retry]]:
        """Each function that is given to a call of one of the models, as its `callable`."""
        engine = self.engine
        for name in {c.rpartition(".")[2] for model in models if model.callable for c in model.calls}:
            for call in engine.linked.calls.get(name, ()):
                view = engine.view(call.module, call.function)
                term = view.terms[call.event.a]
                callee = view.value(term[1])
                model = self._model(models, engine.calls.target(callee), engine.calls.receiver(callee))
                if model is None or model.callable is None:
                    continue
                kwargs = tuple((k, view.value(n)) for k, n in term[3] if k)
                if model.needs and not any(k in model.needs for k, _ in kwargs):
                    continue
                given = argument(model.callable, tuple(view.value(n) for n in term[2]), kwargs)
                if given is not None and given.kind == "fn":
                    yield Ref("fn", given.args[0], given.args[1]), model

    def _model(self, models: tuple[Retry, ...], target: str, receiver: str) -> Retry | None:
        known = self.engine.models
        found = (known.retry_loop(target, receiver), known.policy(target, receiver), known.poll(target, receiver))
        return next((one for one in found if one is not None and one in models), None)

    def _overridden(self, models: tuple[Retry, ...]) -> Iterator[Ref]:
        """The methods of the project's classes that a base class from outside polls: a sensor's `poke`."""
        linked, usual = self.engine.linked, self.engine.models.families.usual
        polled = {usual(name): model.methods for model in models if model.methods for name in model.calls}
        for cls in linked.bases:
            outside = {usual(base.dotted) for base in linked.mro(cls) if base.kind == "ext"}
            for name in outside & polled.keys():
                found = (linked.method(cls, method) for method in polled[name])
                yield from (method for method in found if method is not None)
