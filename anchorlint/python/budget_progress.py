"""What the code shows of progress between failures: work goes on after a success, or from where the last try was."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.budget_paths import inside, loops, place
from anchorlint.python.budget_places import Write
from anchorlint.python.budget_refunds import Budget, Tried
from anchorlint.python.budget_rows import Moved, Rows
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.view import View

MOST_DEPTH = 2  #: calls through which the tried work is followed
MOST_TERMS = 200
_APPENDS = {"a", "ab", "a+", "ab+", "at"}
_DROPS = {"pop", "remove", "discard", "popleft", "clear", "get"}
_LISTENS = {"subscribe", "listen", "consume", "messages", "receive", "events", "watch", "iterator", "read_messages"}
_LOCKS = {"open", "transaction", "cursor", "lock", "suppress", "acquire", "begin", "timeout"}


class Progress(Rows):
    """Looks for progress around the tries of one program."""

    def between(self, budget: Budget) -> Moved | None:
        """Progress that may lie between two failures which one budget counts together."""
        for use in budget.uses:
            for tried in self.refunds.tried(use):
                if self._is_item(use, tried):
                    found = self._item_lives_on(use, tried)
                elif use.place.kind == "entry":
                    found = None
                else:
                    found = self.goes_round(tried) or self.resumes(tried) or self._guards(use, tried)
                    found = found or self._given_row(use, tried)
                if found is not None:
                    return found
        return None

    def _given_row(self, use: Write, tried: Tried) -> Moved | None:
        """A row that the function is given once for each event: a success writes what it writes every time."""
        facts = self.linked.modules[tried.module]
        record = facts.tries[tried.number]
        base = self._base(use, Ref("fn", tried.module, record.function))
        if use.place.kind != "field" or base is None or loops(facts, record.chain):
            return None
        view, number = base
        given = view.terms[number]
        if given[0] != "param" or (given[2] == 0 and view.function.cls >= 0):
            return None
        found = self._item_lives_on(use, tried)
        noted = (e for e in view.events("set") if found is not None and place(e) == found.place)
        return found if any(view.terms[e.a][2] in view.engine.words["rewritten"] for e in noted) else None

    # the work goes on after a success

    def goes_round(self, tried: Tried) -> Moved | None:
        """A loop that takes its next turn after a success as well as after a failure."""
        facts = self.linked.modules[tried.module]
        record = facts.tries[tried.number]
        events = facts.functions[record.function].events
        for loop in loops(facts, record.chain):
            if facts.loops[loop].kind != "while":
                return None
            if not any(self._is_success(facts, e, tried, loop) for e in events):
                return None if self._told_to_end(facts, tried, loop) else self._turns_on(facts, events, tried, loop)
        return None

    def _turns_on(self, facts: Facts, events: tuple[Event, ...], tried: Tried, loop: int) -> Moved | None:
        if any(e.kind in ("back", "cont") and e.a == loop and not self._failed(facts, e, tried) for e in events):
            head = facts.loops[loop]
            where = (head.line, head.column, head.end_line, head.end_column)
            return Moved(tried.module, where, "after a success the same loop goes on")
        return None

    def _is_success(self, facts: Facts, event: Event, tried: Tried, loop: int) -> bool:
        """Whether a successful try leaves the loop here: in the try, in its else, or behind it, whatever it asks."""
        if event.kind not in ("ret", "brk") or self._failed(facts, event, tried):
            return False
        around = loops(facts, event.chain)
        if loop not in around or event.kind == "brk" and event.a != loop:
            return False
        record = facts.tries[tried.number]
        return self.within(facts, event, tried) or event.line > record.line

    def _told_to_end(self, facts: Facts, tried: Tried, loop: int) -> bool:
        """Whether a success sets what the loop's own test asks for."""
        view = self.program.engine.view(tried.module, facts.tries[tried.number].function)
        asked = set(self._terms(view, facts.loops[loop].subject)) if facts.loops[loop].subject >= 0 else set()
        names = {view.terms[n][1] for n in asked if view.terms[n][0] == "loop"}
        for event in view.events("bind", "set"):
            if event.line < facts.tries[tried.number].line or self._failed(facts, event, tried):
                continue
            if self.counters.counter(view, event.b) is None and (event.a in names or event.a in asked):
                return True
        return False

    # the next try goes on where the last one was

    def resumes(self, tried: Tried) -> Moved | None:
        """Work of which a failed try leaves a part done that the next one does not repeat."""
        facts = self.linked.modules[tried.module]
        view = self.program.engine.view(tried.module, facts.tries[tried.number].function)
        body = [e for e in view.function.events if self.within(facts, e, tried)]
        seen: set[Ref] = set()
        return self._advances(view, body, tried) or self._resumes_in(view, body, seen, 0)

    def _advances(self, view: View, body: list[Event], tried: Tried) -> Moved | None:
        """A cursor that the try is told and that every success moves: `page = get(after=at)`, `at = page.next`."""
        around = loops(view.facts, view.facts.tries[tried.number].chain)
        asked: dict[str, set[int]] = {}
        for event in body:
            if event.kind == "call" and not self.calls.is_log(view.module, event, view.number):
                _, _, args, kwargs, *_ = view.terms[event.a]
                told = [n for a in (*args, *(v for _, v in kwargs)) for n in self._terms(view, a)]
                for number in told:
                    if view.terms[number][0] == "loop":
                        asked.setdefault(view.terms[number][1], set()).add(event.a)
        for event in view.events("bind"):
            if event.a not in asked or self._failed(view.facts, event, tried):
                continue
            if not around or not inside(view.facts, event, around[0]):
                continue
            moved = asked[event.a] & set(self._terms(view, event.b))
            if moved and self.counters.counter(view, event.b) is None:
                return Moved(view.module, place(event), "a success moves this on, and the next try begins there")
        return None

    def _resumes_in(self, view: View, body: list[Event], seen: set[Ref], depth: int) -> Moved | None:
        entered = {loop for e in body for loop in loops(view.facts, e.chain)}
        for loop in sorted(entered):
            record = view.facts.loops[loop]
            if record.kind == "for" and any(e.kind == "call" and inside(view.facts, e, loop) for e in body):
                where = (record.line, record.column, record.end_line, record.end_column)
                if self._is_stream(view, record.subject):
                    return Moved(view.module, where, "messages are handled here between two failures")
                if self._checkpointed(view, loop, record.subject) or self._appends(view):
                    return Moved(view.module, where, "each try goes on where the last one stopped")
        if depth >= MOST_DEPTH:
            return None
        for event in body:
            if event.kind == "call":
                for callee in self.calls.callees(view.module, view.number, event.a):
                    if callee not in seen:
                        seen.add(callee)
                        inner = self.program.view(callee)
                        found = self._resumes_in(inner, list(inner.function.events), seen, depth + 1)
                        if found is not None:
                            return found
        return None

    def _is_stream(self, view: View, subject: int) -> bool:
        """Whether a loop goes through what a connection that was entered here gives."""
        term = view.terms[subject]
        if term[0] == "call" and last_name(view.terms, term[1]) in _LISTENS:
            term = view.terms[term[1]]
            term = view.terms[term[1]] if term[0] == "attr" else term
        if term[0] != "entered":
            return False
        call = view.terms[term[1]]
        return call[0] == "call" and last_name(view.terms, call[1]) not in _LOCKS

    def _terms(self, view: View, start: int) -> Iterator[int]:
        pending = [start]
        seen: set[int] = set()
        while pending and len(seen) < MOST_TERMS:
            number = pending.pop()
            if number >= 0 and number not in seen:
                seen.add(number)
                yield number
                pending += parts(view.terms[number])

    def _checkpointed(self, view: View, loop: int, subject: int) -> bool:
        """Whether the loop moves the very thing that it was told to begin at."""
        term = view.terms[subject]
        args = [*term[2], *(v for _, v in term[3])] if term[0] == "call" else []
        told = [n for arg in args for n in self._terms(view, arg)]
        read = {n for n in told if view.terms[n][0] in ("attr", "sub")}
        read |= {view.terms[n][1] for n in read if view.terms[view.terms[n][1]][0] in ("attr", "sub")}
        calls = [view.terms[n] for n in told if view.terms[n][0] == "call"]
        read |= {view.terms[call[1]][1] for call in calls if view.terms[call[1]][0] == "attr"}
        read -= {n for n in read if view.terms[n] == ("param", view.number, 0) and view.function.cls >= 0}
        for event in view.function.events:
            if not inside(view.facts, event, loop):
                continue
            if event.kind == "set" and event.a in read:
                return True
            if event.kind == "call":
                callee = view.terms[view.terms[event.a][1]]
                if (
                    callee[0] == "attr"
                    and callee[1] in read
                    and callee[2] not in _DROPS
                    and self._of_turn(view, event, loop)
                ):
                    return True
        return False

    def _of_turn(self, view: View, event: Event, loop: int) -> bool:
        """Whether a call gets something of what the loop's turn is about."""
        args = view.terms[event.a][2]
        return any(view.terms[n][0] == "iter" and view.terms[n][2] == loop for a in args for n in self._terms(view, a))

    def _appends(self, view: View) -> bool:
        for event in view.events("call"):
            term = view.terms[event.a]
            if last_name(view.terms, term[1]) == "open":
                for value in (*term[2], *(v for _, v in term[3])):
                    if view.terms[value][:2] == ("const", "str") and view.terms[value][2] in _APPENDS:
                        return True
        return False

    # a guard that lets failures through

    def _guards(self, use: Write, tried: Tried) -> Moved | None:
        """A method that passes results and failures on and refuses once there were too many of the latter."""
        facts = self.linked.modules[tried.module]
        record = facts.tries[tried.number]
        if use.place.kind != "field" or use.function != Ref("fn", tried.module, record.function):
            return None
        function = facts.functions[record.function]
        raised = any(e.kind == "raise" and self._failed(facts, e, tried) and e.a < 0 for e in function.events)
        returned = [e for e in function.events if e.kind == "ret" and not self._failed(facts, e, tried)]
        if raised and returned and not loops(facts, record.chain):
            event = returned[0]
            where = (event.line, event.column, event.end_line, event.end_column)
            return Moved(tried.module, where, "a success passes here and changes nothing")
        return None
