"""Actions: calls that cannot be taken back, by what models say of them, what SQL they send, or the verb they carry."""

from __future__ import annotations

import re
from typing import NamedTuple

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_terms import frames, tests
from anchorlint.python.outcome_verbs import EFFECTS, MOST_CALLS, SENDING, Verbs
from anchorlint.python.value import Value
from anchorlint.python.view import View

_ALONE = frozenset({"reset", "release", "drop", "issue", "insert", "restore", "create", "seal",
                    "settle", "initialize", "initialise", "remove", "reset_index", "replay"})  # fmt: skip
_SQL = re.compile(r"^\s*(?:--[^\n]*\n\s*)*(delete\s+from|drop\s+\w+|truncate|insert\s+into|replace\s+into|update\s+\w)",
                  re.IGNORECASE)  # fmt: skip
_SQL_DOES = {"dele": "delete", "drop": "delete", "trun": "delete", "inse": "create", "repl": "write", "upda": "write"}
_CONTAINERS = {"seq", "map", "comp", "str", "fstr"}
MOST_DEPTH = 2


class Action(NamedTuple):
    """What a call does to the outside: delete, release, seek, create, write, restart or send, and under which name."""

    does: str
    name: str


class Actions:
    """Judges the calls of one program."""

    def __init__(self, engine: object) -> None:
        self.engine = engine
        self._inner: dict[Ref, Action | None] = {}
        self.verbs = Verbs(engine.linked, engine.models)

    def of(self, view: View, event: Event, statement: bool = True, depth: int = 0) -> Action | None:
        """What a call event does; None where it reads, counts, logs or is not understood.

        A call whose answer is used (no `statement`) is not looked into.
        """
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        modelled = self._modelled(view, term, name) if name in self.verbs.known else None
        if modelled is not None:
            return modelled
        if name in SENDING:
            return self._in_sql(view, term, name)
        spoken = self.verbs.spoken(name)
        if spoken is not None:
            return Action(spoken, name) if self._reaches_out(view, term, name) else None
        if depth >= MOST_DEPTH or not statement or not self.verbs.leads_to_action(name, depth):
            return None
        return self._within(view, event, name, depth)

    def _modelled(self, view: View, term: tuple, name: str) -> Action | None:
        models, calls = self.engine.models, self.engine.calls
        callee = view.value(term[1])
        if callee.kind not in ("ext", "attr"):
            return None
        target, receiver = calls.target(callee), calls.receiver(callee)
        effect = models.effect(target, receiver)
        if effect is not None:
            does = EFFECTS.get(effect.does)
            return Action(does, name) if does else None
        if models.store_delete(target, receiver) is not None:
            return Action("delete", name)
        return None

    def _reaches_out(self, view: View, term: tuple, name: str) -> bool:
        """Whether a verb is about something outside: not about a list, a lock or an object made here."""
        callee = view.value(term[1])
        if callee.kind in ("case", "phi"):
            callee = callee.args[0][0][1] if callee.kind == "case" else callee.args[0][0]
        arguments = len(term[2]) + len(term[3])
        if callee.kind == "fn":
            return not self._is_hollow(Ref("fn", *callee.args[:2]))
        if callee.kind in ("cls", "obj", "param"):
            return callee.kind == "param"
        if callee.kind != "attr":
            return callee.kind == "ext" and arguments > 0 and not callee.args[0].startswith("?.")
        base = callee.args[0]
        if base.kind in _CONTAINERS or (name in _ALONE and not arguments):
            return False
        if name in ("remove", "insert", "discard") and not self._is_typed(base):
            return False  # a list or a set, for all that is known
        receiver = self.engine.calls.receiver(callee)
        return "lock" not in parts(receiver) and "semaphore" not in parts(receiver)

    def _is_typed(self, base: Value) -> bool:
        owner = self.engine.attributes.type_of(base)
        return owner is not None and not owner.dotted.startswith("builtins.")

    def _is_hollow(self, function: Ref) -> bool:
        """Whether a function of the project only touches what is its own: no call, or only calls of builtins."""
        record = self.engine.linked.function(function)
        if self.engine.attributes.is_abstract(function):
            return False
        terms = self.engine.linked.modules[function.module].terms
        return all(terms[terms[e.a][1]][0] == "name" for e in record.events if e.kind == "call")

    def _in_sql(self, view: View, term: tuple, name: str) -> Action | None:
        for number in term[2][:1]:
            value = view.value(number)
            if value.kind == "fstr" and value.args[0]:
                value = value.args[0][0]
            if value.kind == "result" and value.args[1]:
                value = value.args[1][0]  # text("…")
            found = _SQL.match(value.args[0]) if value.kind == "str" else None
            if found:
                return Action(_SQL_DOES[found.group(1)[:4].lower()], name)
        return None

    def _within(self, view: View, event: Event, name: str, depth: int) -> Action | None:
        """What a short function of the project does without asking anything further."""
        callee = view.value(view.terms[event.a][1])
        if callee.kind != "fn":
            return None
        ref = Ref("fn", *callee.args[:2])
        if ref not in self._inner:
            self._inner[ref] = None
            self._inner[ref] = self._of_body(ref, depth)
        found = self._inner[ref]
        return found._replace(name=name) if found is not None else None

    def _of_body(self, function: Ref, depth: int) -> Action | None:
        view = self.engine.view(function.module, function.number)
        calls = [e for e in view.function.events if e.kind == "call"]
        if len(calls) > MOST_CALLS:
            return None
        for event in calls:
            if any(tests(view.facts, event.chain)) or any(f[1] == "exc" for f in frames(view.facts, event.chain)):
                continue
            found = self.of(view, event, True, depth + 1)
            if found is not None:
                return found
        return None
