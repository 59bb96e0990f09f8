"""Verbs: what the name of a call says that it does, and the names of functions that make such calls."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from anchorlint.knowledge.families import parts
from anchorlint.knowledge.models import Models
from anchorlint.python.link import Linked, Ref

#: effects of the models that are actions, and what they do
EFFECTS = {"create": "create", "delete": "delete", "seek": "seek", "release": "release"}
#: calls that send the text that they are given
SENDING = frozenset({"execute", "executemany", "exec_driver_sql"})
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
MOST_CALLS = 14  #: calls of a function that is looked into for an action
MOST_SAME = 8  #: functions of one name that are looked at


class Verbs:
    """Judges the names of one program's calls; nothing here is evaluated."""

    def __init__(self, linked: Linked, models: Models) -> None:
        self.linked = linked
        self.models = models
        self._spoken: dict[str, str | None] = {}

    def may_be(self, name: str) -> bool:
        """Whether a call of this name may be an action."""
        return name in self._acting or name in self._leading[0]

    def speaks(self, name: str) -> bool:
        """Whether a name alone says that a call acts, so that nobody looks into it."""
        return self.spoken(name) is not None or name in SENDING

    def spoken(self, name: str) -> str | None:
        """What a name says that a call does; None where it has no such verb."""
        if name not in self._spoken:
            self._spoken[name] = _verb(name)
        return self._spoken[name]

    @cached_property
    def known(self) -> frozenset[str]:
        """The last names of what the models say of actions."""
        calls = [name for effect in self.models.effects if effect.does in EFFECTS for name in effect.calls]
        calls += [name for store in self.models.stores for delete in store.deletes for name in delete.calls]
        return frozenset(name.rpartition(".")[2] for name in calls)

    def leads_to_action(self, name: str, depth: int) -> bool:
        """Whether a function of this name makes a call that may be an action; `depth` functions were looked into."""
        return name in self._leading[depth]

    @cached_property
    def _leading(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names of short functions that act themselves or through another one, and of those that act themselves."""
        acting = self._short(self.callers(self._acting))
        inner = self._names(acting)
        return self._names(acting | self._short(self.callers(inner))), inner

    @cached_property
    def _acting(self) -> frozenset[str]:
        """The names of calls that say themselves that they act."""
        return frozenset(name for name in self.called if name in self.known or self.speaks(name))

    @cached_property
    def called(self) -> frozenset[str]:
        """The names of all that is called in the program."""
        return frozenset().union(*[index.calls for index in self.linked.indexes])

    def callers(self, names: Set[str]) -> set[tuple[int, int]]:
        """The functions that call something of one of these names."""
        return {
            (module, number)
            for module, index in enumerate(self.linked.indexes)
            for name in index.calls.keys() & names
            for number, _ in index.calls[name]
        }

    def _short(self, functions: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """Those of some functions that make few calls."""
        modules = self.linked.modules
        return {
            (module, number)
            for module, number in functions
            if sum([event[0] == "call" for event in modules[module].functions[number].events]) <= MOST_CALLS
        }

    def _names(self, functions: set[tuple[int, int]]) -> frozenset[str]:
        """The names of some functions, where they are among the first of the program that have it."""
        modules = self.linked.modules
        names = {modules[module].functions[number].name for module, number in functions if number}
        return frozenset(n for n in names if not functions.isdisjoint([r[1:3] for r in self.named[n][:MOST_SAME]]))

    @cached_property
    def named(self) -> dict[str, list[Ref]]:
        """The program's functions by their names, without those of which nothing is known."""
        found: dict[str, list[Ref]] = {}
        for module, facts in enumerate(self.linked.modules):
            for number, record in enumerate(facts.functions):
                if record.events:
                    found.setdefault(record.name, []).append(Ref("fn", module, number))
        return found


def _verb(name: str) -> str | None:
    words = parts(name)
    if not words or not _LOCAL.isdisjoint(words):
        return None
    for pair in zip(words, words[1:], strict=False):
        if pair in _PAIRS:
            return _PAIRS[pair]
    if len(words) > 1 and words[0] in ("is", "has", "can", "should", "was", "on", "get", "list", "find", "to"):
        return None
    return next((_VERBS[word] for word in words if word in _VERBS), None)
