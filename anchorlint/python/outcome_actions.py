"""Actions: calls that cannot be taken back, by what models say of them, what SQL they send, or the verb they carry."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import Event
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_terms import frames, tests
from anchorlint.python.value import Value
from anchorlint.python.view import View

_EFFECTS = {"create": "create", "delete": "delete", "seek": "seek", "release": "release"}
#: a verb anywhere in a method's name -> what it does
_VERBS = {
    "delete": "delete", "remove": "delete", "drop": "delete", "purge": "delete", "destroy": "delete",
    "truncate": "delete", "wipe": "delete", "erase": "delete", "prune": "delete", "evict": "delete",
    "rmtree": "delete", "unlink": "delete", "decommission": "delete", "deprovision": "delete", "teardown": "delete",
    "retire": "delete", "revoke": "delete", "deregister": "delete",
    "release": "release", "unlock": "release", "reassign": "release", "takeover": "release", "steal": "release",
    "requeue": "release", "reschedule": "release", "relinquish": "release",
    "seek": "seek", "rewind": "seek", "reseed": "seek", "resync": "seek", "recopy": "seek", "backfill": "seek",
    "replay": "seek", "reindex": "seek", "resnapshot": "seek", "restore": "seek",
    "create": "create", "insert": "create", "provision": "create", "recreate": "create", "issue": "create",
    "mint": "create",
    "overwrite": "write", "rebuild": "write", "reset": "write", "promote": "write", "failover": "write",
    "cutover": "write", "switchover": "write", "relaunch": "restart", "restart": "restart", "respawn": "restart",
    "charge": "send", "refund": "send", "payout": "send", "resend": "send", "seal": "write", "settle": "write",
}  # fmt: skip
#: two words that are one verb
_PAIRS = {("take", "over"): "release", ("hand", "over"): "release", ("give", "up"): "release",
          ("give", "back"): "release", ("put", "back"): "release", ("fail", "over"): "write",
          ("start", "over"): "seek", ("full", "sync"): "seek", ("from", "scratch"): "seek",
          ("mark", "dead"): "write", ("mark", "lost"): "write", ("mark", "done"): "write",
          ("mark", "complete"): "write", ("mark", "failed"): "write", ("cut", "over"): "write"}  # fmt: skip
#: what is made or thrown away inside the process by such a name
_LOCAL = frozenset({
    "task", "future", "connection", "connector", "engine", "session", "context", "client", "logger", "parser",
    "subprocess", "server", "datagram", "transport", "socket", "pool", "app", "application", "thread", "listener",
    "handler", "callback", "observer", "prefix", "suffix", "event", "timer", "loop", "proxy", "instance", "string",
    "spaces", "whitespace", "child", "widget", "filter", "hook", "watch", "reader", "writer", "signal", "done",
    "cookie", "attribute", "default", "option", "issue", "accessories", "accessory", "flow", "entity", "entities",
    "platform", "translations", "coordinator", "dispatcher", "function", "class", "module", "model", "parameter",
    "report", "repr", "message", "response", "request", "exception", "error", "unsub",
})  # fmt: skip
_ALONE = frozenset({"reset", "release", "drop", "issue", "insert", "restore", "create", "seal",
                    "settle", "initialize", "initialise", "remove", "reset_index", "replay"})  # fmt: skip
_SQL = re.compile(r"^\s*(?:--[^\n]*\n\s*)*(delete\s+from|drop\s+\w+|truncate|insert\s+into|replace\s+into|update\s+\w)",
                  re.IGNORECASE)  # fmt: skip
_SQL_DOES = {"dele": "delete", "drop": "delete", "trun": "delete", "inse": "create", "repl": "write", "upda": "write"}
_SENDING = frozenset({"execute", "executemany", "exec_driver_sql"})
_CONTAINERS = {"seq", "map", "comp", "str", "fstr"}
MOST_CALLS = 14  #: calls of a function that is looked into for an action
MOST_DEPTH = 2
MOST_SAME = 8  #: functions of one name that are looked at


class Action(NamedTuple):
    """What a call does to the outside: delete, release, seek, create, write, restart or send, and under which name."""

    does: str
    name: str


class Actions:
    """Judges the calls of one program."""

    def __init__(self, engine: object) -> None:
        self.engine = engine
        self._inner: dict[Ref, Action | None] = {}
        self._acting: dict[tuple[str, int], bool] = {}
        self._spoken: dict[str, str | None] = {}
        self._possible: dict[str, bool] = {}

    def of(self, view: View, event: Event, statement: bool = True, depth: int = 0) -> Action | None:
        """What a call event does; None where it reads, counts, logs or is not understood.

        A call whose answer is used (no `statement`) is not looked into.
        """
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        modelled = self._modelled(view, term, name) if name in self._known else None
        if modelled is not None:
            return modelled
        if name in _SENDING:
            return self._in_sql(view, term, name)
        spoken = self.spoken(name)
        if spoken is not None:
            return Action(spoken, name) if self._reaches_out(view, term, name) else None
        if depth >= MOST_DEPTH or not statement or not self._may_act(name, depth):
            return None
        return self._within(view, event, name, depth)

    def may_be(self, name: str) -> bool:
        """Whether a call of this name may be an action."""
        found = self._possible.get(name)
        if found is None:
            found = self._possible[name] = name in self._known or self.speaks(name) or self._may_act(name, 0)
        return found

    def speaks(self, name: str) -> bool:
        """Whether a name alone says that a call acts, so that nobody looks into it."""
        return name in _SENDING or self.spoken(name) is not None

    def spoken(self, name: str) -> str | None:
        """What a name says that a call does; None where it has no such verb."""
        if name not in self._spoken:
            self._spoken[name] = self._verb(name)
        return self._spoken[name]

    def _verb(self, name: str) -> str | None:
        words = parts(name)
        if not words or not _LOCAL.isdisjoint(words):
            return None
        for pair in zip(words, words[1:], strict=False):
            if pair in _PAIRS:
                return _PAIRS[pair]
        if len(words) > 1 and words[0] in ("is", "has", "can", "should", "was", "on", "get", "list", "find", "to"):
            return None
        return next((_VERBS[word] for word in words if word in _VERBS), None)

    @cached_property
    def _known(self) -> frozenset[str]:
        """The last names of what the models say of actions."""
        models = self.engine.models
        calls = [name for effect in models.effects if effect.does in _EFFECTS for name in effect.calls]
        calls += [name for store in models.stores for delete in store.deletes for name in delete.calls]
        return frozenset(name.rpartition(".")[2] for name in calls)

    @cached_property
    def _functions(self) -> dict[str, list[Ref]]:
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.engine.linked.modules):
            for number, record in enumerate(facts.functions):
                if number and record.events:
                    found.setdefault(record.name, []).append(Ref("fn", module, number))
        return found

    def _may_act(self, name: str, depth: int) -> bool:
        """Whether a function of this name makes a call that may be an action, judged by names alone."""
        key = (name, depth)
        found = self._acting.get(key)
        if found is None:
            self._acting[key] = False
            found = self._acting[key] = any(
                self._has_verb(ref, depth) for ref in self._functions.get(name, ())[:MOST_SAME]
            )
        return found

    def _has_verb(self, function: Ref, depth: int) -> bool:
        facts = self.engine.linked.modules[function.module]
        calls = [e for e in facts.functions[function.number].events if e.kind == "call"]
        if len(calls) > MOST_CALLS:
            return False
        for event in calls:
            name = last_name(facts.terms, facts.terms[event.a][1])
            if name in self._known or self.speaks(name):
                return True
            if depth + 1 < MOST_DEPTH and self._may_act(name, depth + 1):
                return True
        return False

    def _modelled(self, view: View, term: tuple, name: str) -> Action | None:
        models, calls = self.engine.models, self.engine.calls
        callee = view.value(term[1])
        if callee.kind not in ("ext", "attr"):
            return None
        target, receiver = calls.target(callee), calls.receiver(callee)
        effect = models.effect(target, receiver)
        if effect is not None:
            does = _EFFECTS.get(effect.does)
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
