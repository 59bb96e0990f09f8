"""Retry policies without an end: decorators, retry objects and task options whose budget is nowhere limited."""

from __future__ import annotations

from math import isinf

from anchorlint.knowledge.tables import Argument, Retry
from anchorlint.python.arguments import argument
from anchorlint.python.link import Ref
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.value import Value

Args = tuple[Value, ...]
Kwargs = tuple[tuple[str, Value], ...]
_LASTING = frozenset({"wide", "mixed"})


class Policies:
    """Judges what retry models say of given arguments."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.engine = outcomes.engine

    def is_endless(self, model: Retry, args: Args, kwargs: Kwargs) -> bool:
        """Whether neither a count, nor a time, nor a stop object limits the tries."""
        limits = [self._unlimited(where, args, kwargs) for where in (model.attempts, model.until) if where is not None]
        if model.stop is not None:
            limits.append(self._never_stops(model.stop, args, kwargs))
        options = dict(kwargs).get("retry_kwargs")
        if options is not None and options.kind == "map":
            limits.append(
                any(k is not None and k.args == ("max_retries",) and v.kind == "none" for k, v in options.args[0])
            )
        return bool(limits) and (all(limits) or bool(options) and limits[-1])

    def _unlimited(self, where: Argument, args: Args, kwargs: Kwargs) -> bool:
        given = argument(where, args, kwargs)
        if given is None:
            return where.default is not None and isinf(where.default)
        if given.kind == "none":
            return "None" in where.endless
        number = self._number(given)
        return number is not None and f"{number:g}" in where.endless

    def _number(self, value: Value) -> float | None:
        form = self.engine.arithmetic.linear(value)
        return form[1].number if form is not None else None

    def _never_stops(self, where: Argument, args: Args, kwargs: Kwargs) -> bool:
        given = argument(where, args, kwargs)
        if given is None:
            return where.default is not None and isinf(where.default)
        return self._is_never(given)

    def _is_never(self, stop: Value) -> bool:
        target = stop.args[0] if stop.kind == "ext" else ""
        if stop.kind == "result" and stop.args[0].kind in ("ext", "attr"):
            target = self.engine.calls.target(stop.args[0])
        model = self.engine.models.stop(target) if target else None
        if model is None:
            return False
        if model.combines == "never":
            return True
        parts = [self._is_never(part) for part in stop.args[1]] if stop.kind == "result" else []
        if model.combines == "any":
            return bool(parts) and all(parts)
        return model.combines == "all" and any(parts)

    def lasting(self, model: Retry, args: Args, kwargs: Kwargs) -> bool:
        """Whether failures that stay for ever are among those that are tried again, and nobody sorts them out."""
        caught = model.caught
        if caught is None:
            return False
        if any(argument(where, args, kwargs) is not None for where in (caught.test, caught.stops) if where is not None):
            return False
        when = argument(caught.when, args, kwargs) if caught.when is not None else None
        if when is not None:
            return self._takes_lasting(when)
        given = argument(caught.given, args, kwargs) if caught.given is not None else None
        if given is not None and given.kind not in ("true", "false"):
            return self._are_lasting(given)
        return any(self.outcomes.caught.kind(Ref("ext", dotted=name)) in _LASTING for name in caught.default)

    def _are_lasting(self, classes: Value) -> bool:
        found = self.outcomes.failures.classes(classes)
        return bool(found) and any(self.outcomes.caught.kind(ref) in _LASTING for ref in found or ())

    def _takes_lasting(self, when: Value) -> bool:
        if when.kind != "result" or when.args[0].kind not in ("ext", "attr"):
            return False
        model = self.engine.models.when(self.engine.calls.target(when.args[0]))
        if model is None or model.test is not None or model.result is not None:
            return False
        if model.combines in ("any", "all") and not model.classes:
            return bool(when.args[1]) and all(self._takes_lasting(part) for part in when.args[1])
        if model.combines == "never" or model.spared is not None:
            return False
        given = argument(model.classes, when.args[1], when.args[2]) if model.classes is not None else None
        if given is not None:
            return self._are_lasting(given)
        return any(self.outcomes.caught.kind(Ref("ext", dotted=name)) in _LASTING for name in model.default)
