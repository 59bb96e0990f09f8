"""Calls that prove nothing: they connect, start or prepare, and succeed although the work never does."""

from __future__ import annotations

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_paths import loops
from anchorlint.python.facts import Event
from anchorlint.python.link import last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_DEPTH = 3  #: calls within calls
_PREPARES = {"send", "send_str", "send_json", "send_text", "write", "auth", "authenticate", "hello", "ping",
             "subscribe", "login", "recv", "basic_qos", "setsockopt", "settimeout", "bind", "join", "dumps", "encode",
             "declare", "queue_declare", "exchange_declare", "channel", "enter_async_context", "sleep", "monotonic",
             "time", "set", "drain", "create_task", "getLogger", "get_running_loop", "close", "cancel", "clear",
             "raise_for_status", "iter", "len", "str", "int", "repr", "format", "uniform", "min", "max"}  # fmt: skip


class Unproven:
    """Tells preparation from work in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.calls = program.part(CallGraph)
        self._contexts: dict[int, frozenset[tuple]] = {}

    def proves_nothing(self, view: View, event: Event, depth: int) -> bool:
        """Whether a call only connects, starts or prepares: it can succeed although the work never does."""
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if (
            name in _PREPARES
            or name in self.program.words["unproven"]
            or self.calls.is_log(view.module, event, view.number)
        ):
            return True
        if self._is_entered(view, event.a) or name[:1].isupper() or not name:
            return True
        callees = self.calls.callees(view.module, view.number, event.a)
        if not callees or depth >= MOST_DEPTH:
            return False
        for callee in callees:
            inner = self.program.view(callee)
            if any(loops(inner.facts, e.chain) for e in inner.events("call")):
                return False
            if not all(self.proves_nothing(inner, e, depth + 1) for e in inner.events("call")):
                return False
        return True

    def _is_entered(self, view: View, call: int) -> bool:
        return ("entered", call) in self._entered(view)

    def _entered(self, view: View) -> frozenset[tuple]:
        key = view.module
        if key not in self._contexts:
            self._contexts[key] = frozenset(t for t in view.terms if t[0] == "entered")
        return self._contexts[key]
