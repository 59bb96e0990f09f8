"""Counts of failures that a store keeps for a thing which lives on: `INCR` and `HINCRBY` in Redis, `F(…) + 1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_paths import frames, handlers, is_control
from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_terms import handler_here, handlers_on, inside, outside_calls
from anchorlint.python.program import Program
from anchorlint.python.view import View

_BUMPS = ("incr", "hincrby", "incrby")
_WRITES = frozenset({"set", "hset", "hmset", "hsetnx", "setex", "psetex", "sadd", "zadd"})
_HASHED = ("hset", "hmset", "hsetnx")
_SETTING = ("update", "values", "update_or_create", "bulk_update")
#: calls that may end, renew or empty what is kept under a key
_RESETS = ("delete", "unlink", "hdel", "set", "hset", "hmset", "setex", "psetex", "getset", "getdel", "expire",
           "pexpire", "expireat", "pexpireat", "decr", "decrby", "rename", "eval", "evalsha", "register_script",
           "execute_command", "hexpire", "flushdb", "flushall", "incr", "hincrby", "incrby")  # fmt: skip
_LIMITS = ("__gte", "__gt")


class Kept(NamedTuple):
    """A count that is kept for good: where it is raised, and the write that shows a success which leaves it."""

    name: str
    event: Event
    success: Event


class Remote:
    """Finds the counts of one program's stores that no success gives back."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.ends = program.part(Ends)

    def of(self, module: int) -> Iterator[Kept]:
        """The counts that functions of a module raise where something failed."""
        index = self.linked.indexes[module]
        for name in (*_BUMPS, "update"):
            for number, event in index.calls.get(name, ()):
                if not self._failed(index.facts, event):
                    continue
                view = self.program.view(Ref("fn", module, number))
                found = self._in_rows(view, event) if name == "update" else self._in_redis(view, event)
                if found is not None:
                    yield found

    def _failed(self, facts: Facts, event: Event) -> bool:
        return any(
            not is_control(facts, *one) and handler_here(facts, event, *one) for one in handlers(facts, event.chain)
        )

    def _succeeded(self, view: View, bump: Event) -> Iterator[Event]:
        """The calls that are made only where nothing failed, in the function that counts."""
        first = min(view.facts.tries[number].line for number, _ in handlers(view.facts, bump.chain))
        for event in view.events("call"):
            if event.line > first and not any(handlers_on(view.facts, event.chain)):
                yield event

    # Redis

    def _in_redis(self, view: View, bump: Event) -> Kept | None:
        term = view.terms[bump.a]
        callee = view.terms[term[1]]
        over = self._over(view, bump)
        if callee[0] != "attr" or not term[2] or not over or self._is_step_back(view, term):
            return None
        hashed = callee[2] == "hincrby"
        key = self._literal(view, term[2][0])
        name = (self._literal(view, term[2][1]) if hashed and len(term[2]) > 1 else "") or key
        if not name or (hashed and not key) or self._is_reset(bump, name, key if hashed else name):
            return None
        ended = {field for event in over for field in self._fields(view, event)}
        for event in self._succeeded(view, bump):
            written = view.terms[event.a]
            if last_name(view.terms, written[1]) not in _WRITES or not written[2]:
                continue
            if view.terms[written[1]][1] != callee[1] or not self._is_about(view, written, term, hashed):
                continue
            fields = self._fields(view, event)
            if not fields & ended and self._lives_on(view, bump, event, fields):
                return Kept(name.strip(":/-_."), bump, event)
        return None

    def _over(self, view: View, bump: Event) -> list[Event]:
        """What is done where the count has come to its limit."""
        found = []
        for event in view.events("call", "set", "raise"):
            for _, frame in frames(view.facts, event.chain):
                if frame[0] == "test" and frame[3] and bump.a in set(inside(view.facts, frame[1], 30)):
                    spent = self.ends.spent(view, frame[1], frame[2], timed=False)
                    if spent is not None and bump.a in set(inside(view.facts, spent.term, 10)):
                        found.append(event)
        return found

    def _is_step_back(self, view: View, term: tuple) -> bool:
        return any(view.terms[number][0] == "un" for number in term[2])

    def _literal(self, view: View, number: int) -> str:
        """The longest text that a key is made of, "" where there is none of some length."""
        texts = [
            view.terms[one][2] for one in inside(view.facts, number, 20) if view.terms[one][:2] == ("const", "str")
        ]
        longest = max(texts, key=len, default="")
        return longest if len(longest) > 2 else ""

    def _fields(self, view: View, event: Event) -> set[str]:
        """The fields and keys that a call writes, as far as they are texts."""
        if event.kind != "call":
            return set()
        term = view.terms[event.a]
        given = list(term[2][1:] if last_name(view.terms, term[1]) in _HASHED else term[2])
        found = {self._literal(view, n) for n in given[:1] if view.terms[n][0] != "map"}
        for number in (*given, *(n for _, n in term[3])):
            if view.terms[number][0] == "map":
                found |= {self._literal(view, key) for key, _ in view.terms[number][1] if key >= 0}
        return {text for text in found if text}

    def _is_about(self, view: View, written: tuple, bumped: tuple, hashed: bool) -> bool:
        """Whether a write is about what is counted: under its key, or under one made of the same parameters."""
        if hashed and written[2][0] == bumped[2][0]:
            return True
        own = {n for number in bumped[2] for n in inside(view.facts, number, 20) if view.terms[n][0] == "param"}
        return bool(own & {n for n in inside(view.facts, written[2][0], 20) if view.terms[n][0] == "param"})

    def _is_reset(self, bump: Event, name: str, key: str) -> bool:
        """Whether some call of the program may set the count back, or let it expire: in doubt it does."""
        for index in self.linked.indexes:
            for reset in _RESETS:
                for _, event in index.calls.get(reset, ()):
                    if event is not bump and self._resets(index.facts, event, reset, name, key):
                        return True
        return False

    def _resets(self, facts: Facts, event: Event, reset: str, name: str, key: str) -> bool:
        term = facts.terms[event.a]
        given = [n for arg in (*term[2], *(v for _, v in term[3])) for n in inside(facts, arg, 60)]
        texts = [facts.terms[n][2] for n in given if facts.terms[n][:2] == ("const", "str")]
        if any(name in text for text in texts):
            return True
        if not any(key in text for text in texts):
            return not texts and reset in ("delete", "unlink", "expire", "flushdb", "flushall") and len(term[2]) > 0
        mapping = any(k == "mapping" and facts.terms[v][0] != "map" for k, v in term[3])
        return mapping or reset not in ("hset", "hsetnx", "hincrby")

    def _lives_on(self, view: View, bump: Event, success: Event, fields: set[str]) -> bool:
        """Whether what is counted for is there for more work: it is written again and again, or other work is done."""
        words = self.program.words
        if any(field in words["rewritten"] for field in fields):
            return True
        over = not fields or any(field in words["settled"] for field in fields)
        return not over and self._is_other_work(view, bump, success)

    def _is_other_work(self, view: View, bump: Event, success: Event) -> bool:
        """Whether a success notes something of another parameter than those which the count is kept under."""
        own, noted = self._parameters(view, bump), self._parameters(view, success)
        return bool(noted - own)

    def _parameters(self, view: View, event: Event) -> set[int]:
        term = view.terms[event.a]
        given = (n for one in (*term[2], *(v for _, v in term[3])) for n in outside_calls(view.facts, one, 40))
        return {n for n in given if view.terms[n][0] == "param" and view.terms[n][2] > 0}

    # rows

    def _in_rows(self, view: View, bump: Event) -> Kept | None:
        """`filter(…).update(failures=F("failures") + 1)` and `filter(failures__gte=MOST).update(active=False)`."""
        name = next((k for k, v in view.terms[bump.a][3] if k and self._is_raised(view, k, v)), None)
        if name is None or self._is_set(name):
            return None
        ended: set[str] = set()
        for event in view.events("call"):
            if last_name(view.terms, view.terms[event.a][1]) == "update" and self._asks_limit(view, event, name):
                ended |= {k for k, _ in view.terms[event.a][3] if k}
        for event in self._succeeded(view, bump) if ended else ():
            term = view.terms[event.a]
            if last_name(view.terms, term[1]) != "update" or not self._same_rows(view, term, view.terms[bump.a]):
                continue
            fields = {k for k, _ in term[3] if k}
            if not fields & ended and self._lives_on(view, bump, event, fields):
                return Kept(name, bump, event)
        return None

    def _is_raised(self, view: View, name: str, number: int) -> bool:
        """`F("failures") + 1` for `failures`."""
        term = view.terms[number]
        if term[0] != "bin" or term[1] != "+":
            return False
        read = view.terms[term[2]]
        return (
            read[0] == "call"
            and last_name(view.terms, read[1]) == "F"
            and [view.terms[n] for n in read[2]] == [("const", "str", name)]
        )

    def _asks_limit(self, view: View, event: Event, name: str) -> bool:
        for one in inside(view.facts, event.a, 40):
            term = view.terms[one]
            if term[0] == "call" and any(k in (name + _LIMITS[0], name + _LIMITS[1]) for k, _ in term[3]):
                return True
        return False

    def _same_rows(self, view: View, written: tuple, bumped: tuple) -> bool:
        """Whether both go to the same rows: what they are called on is one expression."""
        one, two = view.terms[written[1]], view.terms[bumped[1]]
        if one[0] != "attr" or two[0] != "attr":
            return False
        return self._asked(view, one[1]) == self._asked(view, two[1])

    def _asked(self, view: View, number: int) -> tuple:
        """An expression without the places of its calls."""
        term = view.terms[number]
        if term[0] != "call":
            return (number,)
        return (self._asked(view, term[1]), term[2], term[3]) if term[1] != number else (number,)

    def _is_set(self, name: str) -> bool:
        """Whether some other write of the program gives a field of this name a value of its own."""
        for index in self.linked.indexes:
            for number, event in index.events("set"):
                target = index.facts.terms[event.a]
                if target[0] == "attr" and target[2] == name and index.facts.functions[number].name != "__init__":
                    return True
            terms = index.facts.terms
            for calls in (index.calls.get(call, ()) for call in _SETTING):
                for _, event in calls:
                    for key, value in terms[event.a][3]:
                        if key == name and terms[value][0] != "bin" or not key:
                            return True
        return False
