"""Retry sites: the places that make the same item be tried again, found by what the code does, not by its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from anchorlint.knowledge.tables import Retry
from anchorlint.python.applied import applied
from anchorlint.python.driven import Driven
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event, Facts, Function
from anchorlint.python.fields import COPIES, Fields, counter_place, field_name, same_place
from anchorlint.python.link import Ref, last_name
from anchorlint.python.site import Site
from anchorlint.python.site_loops import Loops
from anchorlint.python.site_messages import Messages
from anchorlint.python.site_rows import Rows
from anchorlint.python.value import PATHS, Value, root
from anchorlint.python.view import View

_BACK = {"put", "put_nowait", "append", "appendleft", "push", "lpush", "rpush", "zadd", "heappush", "insert", "add",
         "extend", "requeue", "enqueue", "re_enqueue", "send", "publish", "send_message", "offer"}  # fmt: skip
_BUMPED = re.compile(r"\b(\w+)\s*=\s*(?:coalesce\(\s*)?(?:\w+\.)?\1\b[^,]*?\+\s*(?:1\b|\?|%s|:\w+)", re.IGNORECASE)
MOST_LOOP = 40  #: ways round one loop that are looked at


class Sites(Messages):
    """Finds the retry sites of one program's functions."""

    def __init__(self, engine: Evaluator) -> None:
        super().__init__(engine)
        self.fields = Fields(engine.linked)
        self.driven = Driven(engine)
        self.loops = Loops(engine)
        self.rows = Rows(engine)

    def of(self, function: Ref, wanted: Callable[[Event], bool] | None = None) -> Iterator[Site]:
        """The retry sites of a function; with `wanted` those at such events, and those that leave a state as it is."""
        record = self.engine.linked.function(function)
        if function.number == 0:
            return
        events = record.events if wanted is None else [e for e in record.events if wanted(e)]
        yield from self._loops(function, events)
        for event in events:
            if event.kind == "set":
                yield from self._bumped(function, event)
            elif event.kind == "call":
                yield from self._called(function, event)
            elif event.kind == "raise":
                yield from self._raised(function, event)
        yield from self._states(function, record)
        yield from self.rows.kept(function)
        yield from self._unacknowledged(function, record)

    def retry_of(self, function: Ref) -> Retry | None:
        """The model of the decorator or runner that calls a function again when it fails."""
        for one in applied(self.engine, function):
            model = self.engine.models.retry_decorator(one.name) if one.name else None
            if model is None and one.kwargs:
                model = self.driven.policy(one.name, one.kwargs)
            given = {name for name, _ in one.kwargs}
            if model is not None and (not model.needs or given & set(model.needs)):
                return model
        return self.driven.runners.get(function)

    # loops

    def _loops(self, function: Ref, events: Iterable[Event]) -> Iterator[Site]:
        facts = self.engine.linked.modules[function.module]
        found: dict[int, int] = {}
        for event in events:
            if event.kind in ("cont", "back"):
                loop = event.a
                found[loop] = found.get(loop, 0) + 1
                if found[loop] <= MOST_LOOP and self.loops.repeats(function, facts.loops[loop]):
                    yield Site(function, "loop", event, loop=loop)

    # counters

    def _bumped(self, function: Ref, event: Event) -> Iterator[Site]:
        terms = self.engine.linked.modules[function.module].terms
        target, value = terms[event.a], terms[event.b]
        if target[0] not in ("attr", "sub") or value[0] != "bin" or value[1] not in "+-":
            return
        step = terms[value[3]]
        if step[0] != "const" or step[1] not in ("int", "float") or not same_place(terms, event.a, value[2]):
            return
        if (
            self.fields.counters & {field_name(terms, target)}
            or field_name(terms, target) in self.engine.words["attempt"]
        ):
            yield Site(function, "bump", event, target=event.a)

    # calls and raises

    def _called(self, function: Ref, event: Event) -> Iterator[Site]:
        facts = self.engine.linked.modules[function.module]
        term = facts.terms[event.a]
        name = last_name(facts.terms, term[1])
        if name in _BACK and term[2]:
            yield from self._put_back(function, event, term, name)
        elif name in self._retrying:
            yield from self._asked(function, event, term)
        elif name == self.engine.linked.function(function).name and self._recursive(function, event, term):
            yield Site(function, "recursion", event)
        elif name == "seek" and self._seeks_back(function, term):
            yield Site(function, "requeue", event)
        elif name in ("execute", "executemany", "fetch", "fetchrow", "update"):
            yield from self._bumped_in_text(function, event, term)
        if name in COPIES:
            yield from self._copied(function, event, term)
        if self._hands_on_itself(function, facts, term):
            yield Site(function, "again", event)

    def _copied(self, function: Ref, event: Event, term: tuple) -> Iterator[Site]:
        """A record that is copied with its counter one higher: `replace(item, tries=item.tries + 1)`."""
        terms = self.engine.linked.modules[function.module].terms
        callee = terms[term[1]]
        records = [n for n in (callee[1] if callee[0] == "attr" else NONE, *term[2][:1]) if n != NONE]
        for keyword, number in term[3]:
            value = terms[number]
            if value[0] != "bin" or value[1] not in "+-" or terms[value[3]][0] != "const":
                continue
            for record in records:
                if self._counts_on(terms, record, keyword, value[2]):
                    yield Site(function, "bump", event, target=counter_place(terms, record, keyword, value[2]))
                    return

    def _counts_on(self, terms: list[tuple], record: int, name: str, read: int) -> bool:
        if name not in self.fields.counters and name not in self.engine.words["attempt"]:
            return False
        return counter_place(terms, record, name, read) != NONE

    @cached_property
    def _retrying(self) -> frozenset[str]:
        """The last names of all calls that put work back, by the models."""
        retries = self.engine.models.retries
        back = [*retries.calls, *(ack for ack in retries.acks if ack.does == "nack")]
        return frozenset(c.rpartition(".")[2] for model in back for c in model.calls)

    def _put_back(self, function: Ref, event: Event, term: tuple, name: str) -> Iterator[Site]:
        view = self.engine.view(function.module, function.number)
        callee = view.value(term[1])
        receiver = self.engine.calls.receiver(callee)
        if name == "heappush" and len(term[2]) > 1:
            receiver = self.engine.calls.receiver(self.engine.values("attr", view.value(term[2][0]), "push"))
        words = self.engine.words
        alone = name in ("put", "put_nowait") and len(term[2]) == 1 and not term[3]
        known = receiver in words["queue"] or receiver in words["waiting"] or self._came_from(view, callee, event)
        if not known and not (alone and self._is_bare(view.value(term[2][0]))):
            return
        if any(self._is_item(view.value(n), function) for n in term[2]):
            yield Site(function, "requeue", event)

    def _is_bare(self, value: Value) -> bool:
        """Whether a value is a whole record that somebody else made: a parameter or an element."""
        return value.kind in ("param", "iter")

    def _came_from(self, view: View, callee: Value, event: Event) -> bool:
        """Whether the receiver is what an element of this function was taken out of."""
        if callee.kind != "attr":
            return False
        source = callee.args[0]
        for taken in view.events("call"):
            if taken.line > event.line:
                break
            term = view.terms[taken.a]
            other = view.value(term[1])
            if other.kind != "attr" or other.args[0] is not source:
                continue
            takes = other.args[1] in self.engine.words["consume"] or (other.args[1] == "get" and not term[2])
            if takes and not self._is_elsewhere(view, view.terms[event.a], term):
                return True
        return False

    def _is_elsewhere(self, view: View, put: tuple, taken: tuple) -> bool:
        """Whether a store of many lists is given an item under another name than the one it was taken from."""
        if len(put[2]) < 2 or not taken[2]:
            return False
        name, source = view.value(put[2][0]), view.value(taken[2][0])
        sources = source.args[1] if source.kind == "seq" else (source,)
        return name.kind == "str" and all(one.kind == "str" and one is not name for one in sources)

    def _is_item(self, value: Value, function: Ref) -> bool:
        if value.kind == "obj":
            return any(self._is_item(v, function) for _, v in value.args[1])
        if value.kind in ("seq", "map"):
            parts = value.args[1] if value.kind == "seq" else tuple(v for _, v in value.args[0])
            return any(self._is_item(v, function) for v in parts)
        return value.kind in PATHS and root(value).kind in ("param", "iter", "result", "loopvar")

    def _recursive(self, function: Ref, event: Event, term: tuple) -> bool:
        ref = self.engine.linked.expression(function.module, term[1])
        if ref is not None and ref.kind != "val":
            return ref == function
        callee = self.engine.view(function.module, function.number).value(term[1])
        return callee.kind == "fn" and callee.args[:2] == (function.module, function.number)

    def _hands_on_itself(self, function: Ref, facts: Facts, term: tuple) -> bool:
        """Whether a call gets the very function that makes it, to be called later: `enqueue_in(60, deliver, item)`."""
        name = self.engine.linked.function(function).name
        for number in (*term[2], *(n for _, n in term[3])):
            given = facts.terms[number]
            if given[-1] == name and given[0] in ("name", "attr") or given == ("def", function.number):
                value = self.engine.view(function.module, function.number).value(number)
                if value.kind == "fn" and value.args[:2] == (function.module, function.number):
                    return True
        return False

    @cached_property
    def polled(self) -> frozenset[Ref]:
        """The functions that something calls until they say yes."""
        return self.driven.polled

    def _bumped_in_text(self, function: Ref, event: Event, term: tuple) -> Iterator[Site]:
        view = self.engine.view(function.module, function.number)
        for number in term[2][:1]:
            if view.terms[number][0] == "const" and not _BUMPED.search(str(view.terms[number][2])):
                continue
            text = view.value(number)
            if text.kind == "result" and text.args[1]:
                text = text.args[1][0]
            if text.kind == "str" and len(text.args[0]) < 4000 and _BUMPED.search(text.args[0]):
                yield Site(function, "bump", event)
        for _, number in term[3]:
            value = view.value(number)
            if value.kind == "result" and value.args[0] == self.engine.values("ext", "+"):
                yield Site(function, "bump", event)

    def _raised(self, function: Ref, event: Event) -> Iterator[Site]:
        if event.a == NONE or not self._may_ask_again(self.engine.linked.modules[function.module].terms, event.a):
            return
        value = self.engine.view(function.module, function.number).value(event.a)
        if value.kind == "result" and value.args[0].kind == "ext":
            name = value.args[0].args[0]
        else:
            name = value.args[0] if value.kind == "ext" else ""
        if name and self.engine.models.retry_raise(name) is not None:
            yield Site(function, "raise", event)

    def _may_ask_again(self, terms: list[tuple], raised: int) -> bool:
        """Whether what is raised may be one of the models' exceptions: a call or a name has to be called like one."""
        term = terms[raised]
        if term[0] in ("call", "attr", "name", "import"):
            name = last_name(terms, term[1] if term[0] == "call" else raised)
            return name in self._asking or name in self.engine.linked.function_names
        return True

    @cached_property
    def _asking(self) -> frozenset[str]:
        return frozenset(c.rpartition(".")[2] for model in self.engine.models.retries.raises for c in model.calls)

    # states

    def _states(self, function: Ref, record: Function) -> Iterator[Site]:
        facts = self.engine.linked.modules[function.module]
        states = {}
        for event in record.events:
            if (
                event.kind == "set"
                and self._is_state(facts.terms, facts.terms[event.a])
                and self._sets_word(facts, event.b)
            ):
                states[event.a] = event
        for target in states:
            for event in record.events:
                if event.kind in ("cont", "back", "ret", "end"):
                    yield Site(function, "stays", event, target=target, state=dict(event.stores).get(target, NONE))

    def _sets_word(self, facts: Facts, number: int) -> bool:
        term = facts.terms[number]
        return (term[0] == "const" and term[1] == "str") or (term[0] == "attr" and facts.terms[term[1]][0] != "param")

    def _is_state(self, terms: list[tuple], target: tuple) -> bool:
        """Whether a target is the state of an item; what is written into a value made right here is kept by nobody."""
        if target[0] not in ("attr", "sub") or terms[target[1]][0] in ("map", "comp", "seq"):
            return False
        name = field_name(terms, target)
        return name in self.fields.states and name not in self.engine.words["reply"]
