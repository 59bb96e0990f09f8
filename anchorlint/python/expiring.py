"""Expiring: what a value carries that dies, and how long it lives: signed addresses, tokens, own stamps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.domain.linear import Role
from anchorlint.knowledge.tables import SECONDS
from anchorlint.python.arguments import argument
from anchorlint.python.gates import Gates
from anchorlint.python.lives import Lives
from anchorlint.python.spans import inside
from anchorlint.python.terms import parts as term_parts
from anchorlint.python.value import Value, parts
from anchorlint.python.view import View

MOST_FUNCTIONS = 60  #: functions of one module whose gates are looked at


class Dying(NamedTuple):
    """Something with a limited life: what it is, and its life in seconds."""

    text: str
    life_s: float


class Expiring:
    """Finds what dies inside of values; one for a program."""

    def __init__(self, lives: Lives, gates: Gates) -> None:
        self.engine = lives.engine
        self.lives = lives
        self.gates = gates
        self._skews: dict[int, float | None] = {}

    def of(self, value: Value) -> Dying | None:
        """The part of a value that dies first."""
        found = [*self._handles(value), *self._stamps(value)]
        return min(found, key=lambda one: one.life_s) if found else None

    def _handles(self, value: Value) -> Iterator[Dying]:
        calls = self.engine.calls
        for part in parts(value, "result"):
            callee = part.args[0]
            model = self.engine.models.handle(calls.target(callee), calls.receiver(callee))
            if model is not None and not model.attribute:
                life_s = self._life_s(model.life, part)
                if life_s is not None:
                    yield Dying(model.name, life_s)

    def _life_s(self, life: object, made: Value) -> float | None:
        where = life.given
        given = argument(where, made.args[1], made.args[2]) if where is not None else None
        if given is not None and where.key is not None and given.kind == "map":
            given = next((v for k, v in given.args[0] if k is not None and k.args[:1] == (where.key,)), None)
        if given is None:
            return life.default_s
        if where.absolute or given.kind == "lin" and given.args[1].of_role(Role.NOW):
            return self._from_now(given)
        return self.lives.seconds(given, SECONDS.get(where.unit, 1.0))

    def _from_now(self, value: Value) -> float | None:
        """How far after now an instant is, in seconds."""
        if value.kind != "lin":
            return None
        form = value.args[1]
        now = list(form.of_role(Role.NOW))
        if len(now) != 1 or any(a.role is not Role.NOW and a.value is None for a in form.terms):
            return None
        per_second = now[0][1]
        rest = form.constant + sum(c * a.value for a, c in form.terms.items() if a.role is not Role.NOW)
        return float(rest) / per_second if per_second > 0 else None

    # stamps that our own code checks

    def _stamps(self, value: Value) -> Iterator[Dying]:
        """A reading of now inside a value, where the module that read it refuses stamps of some age."""
        for part in parts(value, "lin"):
            for atom, _ in part.args[1].of_role(Role.NOW):
                if isinstance(atom.key, tuple) and len(atom.key) > 2 and isinstance(atom.key[1], int):
                    skew_s = self._skew_s(atom.key[1])
                    if skew_s is not None:
                        yield Dying("the stamp", skew_s)

    def _skew_s(self, module: int) -> float | None:
        """The greatest age in seconds at which a function of a module still takes a stamp that it is given."""
        if module not in self._skews:
            self._skews[module] = None
            self._skews[module] = min(self._ages(module), default=None)
        return self._skews[module]

    def _ages(self, module: int) -> Iterator[float]:
        facts = self.engine.linked.modules[module]
        for number, record in enumerate(facts.functions[:MOST_FUNCTIONS]):
            if not number or not record.params:
                continue
            view = self.engine.view(module, number)
            self.engine.ask("own checks of age", 3000)
            for event in view.events("ret", "raise"):
                for seen in self.gates.within(view.condition(event.chain)):
                    item = seen.gate.item.key
                    given = isinstance(item, Value) and any(p.args[1] == number for p in parts(item, "param"))
                    if given and seen.gate.slack_s is not None and seen.gate.slack_s > 0:
                        yield seen.gate.slack_s


def is_made_inside(view: View, number: int, loop: int) -> bool:
    """Whether a term holds a call that the loop's body makes, or a variable that the loop gives anew."""
    calls = {e.a for e in view.events("call") if inside(view, e.chain, loop)}
    pending, seen = [number], set()
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        term = view.terms[at]
        if at in calls or term[0] == "loop" and term[3] == loop:
            return True
        if len(seen) > 200:
            return True
        pending += term_parts(term)
    return False
