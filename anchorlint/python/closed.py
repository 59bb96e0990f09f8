"""What speaks against a report on a gate that has closed: five questions, each of which real code has taught."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.domain.linear import Role
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event
from anchorlint.python.fields import COPIES
from anchorlint.python.gates import Gates, Seen
from anchorlint.python.link import Ref, last_name
from anchorlint.python.removals import Removals
from anchorlint.python.retried import Retried
from anchorlint.python.value import PATHS, Value, parts, root, within
from anchorlint.python.view import View

_CONSTRUCTORS = {"__init__", "__post_init__", "__new__", "__attrs_post_init__", "__setstate__", "create", "from_row"}
_QUIET = {"sleep", "print", "debug", "info", "warning", "error", "exception", "log", "warn", "critical", "monotonic",
          "time", "now", "utcnow", "inc", "observe", "isoformat", "format", "join", "str", "len", "get"}  # fmt: skip
MOST_VIEWS = 8  #: sets of arguments under which a gate's own function is asked what hangs on it


class Closed(Removals):
    """Judges a retry whose cause is that an instant has passed."""

    def __init__(self, engine: Evaluator, gates: Gates) -> None:
        super().__init__(engine)
        self.gates = gates

    # the item is another one at each turn

    def varies(self, retried: Retried, leaf: Seen) -> bool:
        """Whether each turn of the loop is about another item, or about one that the loop moves on."""
        site, item = retried.site, leaf.gate.item.key
        if not isinstance(item, Value):
            return True
        if site.kind != "loop":
            return False
        view = retried.context.view
        if any(self._turns(view, part, site.loop) for part in parts(item, "iter", "loopvar")):
            return True
        return any(step.kind == "result" and self._taken_in(view, step, site.loop) for step in _steps(item))

    def _turns(self, view: View, part: Value, outer: int) -> bool:
        """Whether an element or a variable is another one at each turn of a loop."""
        module, loop = part.args[1:3] if part.kind == "iter" else part.args[0:2]
        return module == view.module and self._inside(view, loop, outer)

    def _inside(self, view: View, loop: int, outer: int) -> bool:
        """Whether a loop is `outer` or stands in it."""
        chains, chain = view.facts.chains, view.facts.loops[loop].chain
        if loop == outer:
            return True
        while chain > 0:
            if chains[chain][1] == "loop" and chains[chain][2] == outer:
                return True
            chain = chains[chain][0]
        return False

    def _taken_in(self, view: View, result: Value, loop: int) -> bool:
        """Whether a value is taken anew in each turn: `queue.get()`, `heappop(heap)`, any call without a key."""
        callee, args, kwargs = result.args
        name = callee.args[1] if callee.kind == "attr" else str(callee.args[0]).rpartition(".")[2]
        taken = name in self.engine.words["consume"] or not (args or kwargs)
        if not taken or callee.kind == "fn":
            return False
        for event in view.events("call"):
            if view.value(event.a) is result and self._stands_in(view, event.chain, loop):
                return True
        return False

    def _stands_in(self, view: View, chain: int, loop: int) -> bool:
        chains = view.facts.chains
        while chain > 0:
            if chains[chain][1] == "loop" and chains[chain][2] == loop:
                return True
            chain = chains[chain][0]
        return False

    # the instant moves

    def is_renewed(self, leaf: Seen) -> bool:
        """Whether the tries move the instant on: a lease, a heartbeat, a next try, anything stored as now."""
        item = leaf.gate.item.key
        if not isinstance(item, Value):
            return True
        name = _field(item)
        if name in self.engine.words["renewed"] and item.kind not in ("param", "result", "iter"):
            return True
        if any(step.kind == "attr" and step.args[1] in self.engine.words["lease"] for step in _steps(item)):
            return True
        return self._stored_as_now(name) or self._copied_as_now(name)

    def is_replaced(self, retried: Retried, leaf: Seen) -> bool:
        """Whether the record that carries the instant is itself replaced nearby: a price, a token or a page."""
        item = leaf.gate.item.key
        records = [step for step in _steps(item) if step is not item and step.kind == "attr"]
        views = (retried.context.view, *retried.context.callers) if records else ()
        return any(view.value(event.a) in records for view in views for event in view.events("set"))

    def _stored_as_now(self, name: str) -> bool:
        for function, event in self._stores.get(name, ()):
            view = self.engine.view(function.module, function.number)
            if view.function.name in _CONSTRUCTORS:
                continue
            target = view.terms[event.a]
            if root(view.value(target[1])).kind not in ("param", "iter", "result", "loopvar", "part"):
                continue
            value = view.value(event.b)
            if value.kind == "lin" and value.args[1].of_role(Role.NOW):
                return True
        return False

    def _copied_as_now(self, field: str) -> bool:
        """Whether a copy of a record is given the present moment: `replace(item, sent_at=time.time())`."""
        for name in COPIES:
            for call in self.engine.linked.calls.get(name, ()):
                view = self.engine.view(call.module, call.function)
                given = [view.value(n) for keyword, n in view.terms[call.event.a][3] if keyword == field]
                if any(value.kind == "lin" and value.args[1].of_role(Role.NOW) for value in given):
                    return True
        return False

    @cached_property
    def _stores(self) -> dict[str, list[tuple[Ref, Event]]]:
        found: dict[str, list[tuple[Ref, Event]]] = {}
        for module, facts in enumerate(self.engine.linked.modules):
            for number, record in enumerate(facts.functions):
                for event in record.events:
                    if event.kind == "set":
                        name = _target_name(facts.terms, facts.terms[event.a])
                        if name:
                            found.setdefault(name, []).append((Ref("fn", module, number), event))
        return found

    # the item ends on this very path

    def ends(self, retried: Retried, leaf: Seen) -> bool:
        """Whether the path on which the instant has passed takes the item away: removed, buried, marked as failed."""
        site, view = retried.site, retried.context.view
        if site.given:
            return self._ends_without(retried)
        below = self._branch(view, site.event.chain, leaf)
        if below is None:
            return False
        on_path = set(self._ancestors(view, site.event.chain, below))
        for event in view.function.events:
            if event is site.event:
                continue
            here = event.chain in on_path or (site.kind == "loop" and self._shares(view, event.chain, below))
            if here and (self._removes(view, event, retried) or self._seals(view, event)):
                return True
        return False

    def _branch(self, view: View, chain: int, leaf: Seen) -> int | None:
        """The outermost path condition of a site that knows that the instant has passed."""
        found = None
        while chain > 0:
            frames = view._one(view.facts.chains[chain])
            if any(seen.place == leaf.place for _, f, _ in frames for seen in self.gates.within(f)):
                found = chain
            chain = view.facts.chains[chain][0]
        return found

    def _shares(self, view: View, chain: int, below: int) -> bool:
        """Whether a path condition has the same test in it as `below`, entered or survived."""
        wanted = view.facts.chains[below][1:4]
        return any(view.facts.chains[c][1:4] == wanted for c in self._ancestors(view, chain, 0))

    def _ancestors(self, view: View, chain: int, below: int) -> Iterator[int]:
        while chain > 0:
            yield chain
            if chain == below:
                return
            chain = view.facts.chains[chain][0]

    # nothing hangs on it

    def is_needed(self, retried: Retried, leaf: Seen) -> bool:
        """Whether work is done only before the instant: a value returned or stored, a call that is no log line."""
        views = list(dict.fromkeys(self._nearby(retried, leaf)))
        owner = self.owner(leaf.place[0], leaf.place[1])
        return any(self._works(view, leaf) or self._works_after(view, owner) for view in views)

    def _works_after(self, view: View, owner: tuple[int, int] | None) -> bool:
        """Whether work follows a call of a function that raises once the instant has passed."""
        if owner is None:
            return False
        record = self.engine.linked.modules[owner[0]].functions[owner[1]]
        if not any(event.kind == "raise" for event in record.events):
            return False
        called: Event | None = None
        for event in view.function.events:
            if event.kind == "call" and last_name(view.terms, view.terms[event.a][1]) == record.name:
                called = event
            elif called is None or event.kind not in ("ret", "set", "call") or not self._is_work(view, event):
                continue
            elif not called.chain or called.chain in self._ancestors(view, event.chain, called.chain):
                return True
        return False

    def _nearby(self, retried: Retried, leaf: Seen) -> Iterator[View]:
        context = retried.context
        yield context.view
        yield from context.callers
        module, line = leaf.place[0], leaf.place[1]
        owner = self.owner(module, line)
        if owner is not None:
            yield from self.engine.views_of(*owner)[:MOST_VIEWS]
            yield from self._between(context.view, owner)
        for step in retried.cause.through:
            yield step if isinstance(step, View) else step.args[0]

    def _between(self, view: View, owner: tuple[int, int]) -> Iterator[View]:
        """The functions through which what is tried again comes to the gate's own function."""
        linked = self.engine.linked
        called = {last_name(view.terms, view.terms[event.a][1]) for event in view.events("call")}
        for call in linked.calls.get(linked.modules[owner[0]].functions[owner[1]].name, ()):
            if linked.modules[call.module].functions[call.function].name in called:
                yield self.engine.view(call.module, call.function)

    def owner(self, module: int, line: int) -> tuple[int, int] | None:
        """The innermost function that a line stands in."""
        best, found = 0, None
        for number, record in enumerate(self.engine.linked.modules[module].functions):
            if number and record.line <= line <= record.end_line and record.line >= best:
                best, found = record.line, (module, number)
        return found

    def _works(self, view: View, leaf: Seen) -> bool:
        for event in view.function.events:
            if event.kind in ("ret", "set", "call", "yield") and self._is_work(view, event):
                condition = view.condition(event.chain)
                if any(s.place == leaf.place and s.gate.closing for s in self.gates.within(condition)):
                    return True
        return False

    def _is_work(self, view: View, event: Event) -> bool:
        if event.kind == "call":
            name = last_name(view.terms, view.terms[event.a][1])
            return name not in _QUIET and name not in self.engine.words["log"]
        if event.kind == "ret":
            value = view.value(event.a) if event.a != NONE else self.engine.values.none
            if value.kind in ("none", "true", "false"):
                return False
            text = value.args[0] if value.kind == "str" else ""
            return not (isinstance(text, str) and text and text in self.engine.words["neutral"])
        # a state that is set, or the moment at which it was, is bookkeeping and no result
        value = view.value(event.b) if event.kind == "set" else None
        return value is None or not (self.engine.arithmetic.fixed(value) or self.engine.is_now(value))


def _steps(path: Value) -> Iterator[Value]:
    yield path
    while path.kind in ("attr", "item", "part"):
        path = path.args[0]
        yield path
    if path.kind == "result" and path.args[0].kind == "attr":
        yield from _steps(path.args[0].args[0])
        if path.args[0].args[1] == "get":
            return
    if path.kind == "iter":
        yield from _steps(path.args[0])


def _field(path: Value) -> str:
    """The last name of a path."""
    if path.kind == "attr":
        return str(path.args[1])
    if path.kind == "item":
        return str(path.args[1].args[0]) if path.args[1].kind == "str" else ""
    if path.kind == "result" and path.args[0].kind == "attr" and path.args[1] and path.args[1][0].kind == "str":
        return str(path.args[1][0].args[0])
    return str(path.args[3]) if path.kind in ("param", "iter") else ""


def _target_name(terms: list[tuple], target: tuple) -> str:
    if target[0] == "attr":
        return str(target[2])
    if target[0] == "sub":
        key = terms[target[2]]
        return str(key[2]) if key[0] == "const" and key[1] == "str" else ""
    return ""


def belongs(target: Value, item: Value) -> bool:
    """Whether a counter is the item's: a field of the same record, or keyed by it."""
    return any(owner.kind in PATHS and within(target, owner) for owner in _owners(item))


def _owners(item: Value) -> Iterator[Value]:
    """The record that an item hangs on, and the record that this one is an element of."""
    owner = root(item)
    yield owner
    if owner.kind == "result" and owner.args[1]:
        yield from _owners(owner.args[1][0])  # what is parsed out of a record is still the record's
    if owner.kind == "iter":
        yield from _owners(owner.args[0])
