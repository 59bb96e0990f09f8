"""Policies: what a retry decorator takes for another try, how often and how long, by its model."""

from __future__ import annotations

from anchorlint.knowledge.tables import Argument, Retry
from anchorlint.python.applied import applied
from anchorlint.python.arguments import argument
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref
from anchorlint.python.value import Value


class Policy:
    """The decorator of one function."""

    def __init__(self, engine: Evaluator, failures: Failures, function: Ref, model: Retry) -> None:
        self.engine = engine
        self.failures = failures
        self.function = function
        self.model = model
        self.args, self.kwargs = self._given()

    def _given(self) -> tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]]:
        for one in applied(self.engine, self.function):
            if one.name and self.engine.models.retry_decorator(one.name) is self.model:
                return one.args, one.kwargs
        return (), ()

    def given(self, where: Argument | None) -> Value | None:
        """The decorator's argument that the model names."""
        return argument(where, self.args, self.kwargs) if where is not None else None

    def takes(self, error: Ref | None) -> bool:
        """Whether an exception of this class is tried again; unknown classes are taken only by a catch-all."""
        caught = self.model.caught
        if caught is None:
            return True
        spared = self._classes(self.given(caught.spared)) or ()
        if error is not None and any(self.failures.is_a(error, s) for s in spared):
            return False
        if error is not None and any(self.failures.is_a(error, Ref("ext", dotted=s)) for s in caught.spared_classes):
            return False
        when = self.given(caught.when)
        if when is not None:
            return self._when(when, error)
        given = self.given(caught.given)
        if given is not None and given.kind not in ("true", "false"):
            return self._any(self._classes(given), error)
        return self._any(tuple(Ref("ext", dotted=name) for name in caught.default), error)

    def _classes(self, value: Value | None) -> tuple[Ref, ...] | None:
        return None if value is None or value.kind in ("none", "false") else self.failures.classes(value)

    def _any(self, classes: tuple[Ref, ...] | None, error: Ref | None) -> bool:
        if classes is None:
            return False
        if error is None:
            return any(c.dotted.removeprefix("builtins.") in ("Exception", "BaseException") for c in classes)
        return any(self.failures.is_a(error, c) for c in classes)

    def _when(self, when: Value, error: Ref | None) -> bool:
        """A condition object: `retry_if_exception_type(X)`, its contrary, and their combinations."""
        if when.kind != "result":
            return when.kind in ("fn", "ext", "partial")  # a test of the failure that is not looked into
        model = self.engine.models.when(self.engine.calls.target(when.args[0]))
        if model is None:
            parts = [p for p in when.args[1] if p.kind == "result"]
            return any(self._when(p, error) for p in parts)
        if model.combines in ("any", "all"):
            parts = [self._when(p, error) for p in when.args[1]]
            return any(parts) if model.combines == "any" else all(parts)
        if model.combines == "never" or model.result is not None:
            return False
        if model.spared is not None:
            spared = self._classes(argument(model.spared, when.args[1], when.args[2]))
            return not self._any(spared, error) if error is not None else True
        given = argument(model.classes, when.args[1], when.args[2]) if model.classes is not None else None
        if given is None:
            return self._any(tuple(Ref("ext", dotted=n) for n in model.default), error) if model.default else True
        return self._any(self._classes(given), error)

    def attempts(self) -> float | None:
        """How many tries there are in all, the first included; None where there is no number."""
        found = self.given(self.model.attempts)
        number = self._number(found)
        if number is None and self.model.attempts is not None and found is None:
            number = self.model.attempts.default
        if number is None:
            number = self._stopped(self.given(self.model.stop))
            return number
        return number + 1 if self.model.counts == "retries" else number

    def _number(self, value: Value | None) -> float | None:
        form = self.engine.arithmetic.linear(value) if value is not None else None
        return form[1].number if form is not None else None

    def _stopped(self, stop: Value | None) -> float | None:
        if stop is None or stop.kind != "result":
            return None
        model = self.engine.models.stop(self.engine.calls.target(stop.args[0]))
        if model is None or model.tries is None:
            parts = [self._stopped(p) for p in stop.args[1] if p.kind == "result"]
            known = [p for p in parts if p is not None]
            return min(known) if known else None
        return self._number(argument(model.tries, stop.args[1], stop.args[2]))
