"""Baselines: comparisons with a remembered value in which "never seen" and "unchanged" are one answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_answers import MOST_RETURNS, Answers
from anchorlint.python.outcome_ordered import ordered_names, stored_name
from anchorlint.python.outcome_remembering import Remembering
from anchorlint.python.outcome_terms import FUEL, frames, inside, is_assertion
from anchorlint.python.outcome_unseen import Unseen
from anchorlint.python.outcomes import Place
from anchorlint.python.view import View

_EQUAL = {"==": True, "!=": False, "is": True, "is not": False}
_NOT_ABOVE = {"<=": True, ">": False}  # now <= last, now > last
_NOT_BELOW = {">=": True, "<": False}  # last >= now, last < now
_NOTHING: frozenset[int] = frozenset()
MOST_DEPTH = 3
MOST_PARTS = 40
_CLOCKS = frozenset({"time", "monotonic", "now", "utcnow", "perf_counter", "clock", "_clock", "_now"})


class Part(NamedTuple):
    """One condition of a step: a term of a view that holds or does not; or one of the terms `joined` is None."""

    view: View
    term: int
    holds: bool
    joined: frozenset[int]


class Missing(NamedTuple):
    """A comparison that takes "never seen" for "unchanged": its place, what is spent on it where, and what was kept."""

    module: int
    place: Place
    view: View
    spent: Event
    kept: str


class Baselines:
    """Finds such comparisons in one program."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self.unseen = Unseen(engine)
        self.failures = Failures(engine)
        self.answers = Answers(engine.linked)
        self.remembering = Remembering(engine.linked, self.answers)

    def functions(self, module: int) -> set[int]:
        """The functions of a module in which something may be spent on such a comparison; in the others `of` finds
        nothing."""
        index = self.engine.linked.indexes[module]
        events = index.events("raise", "set", "bind")
        return {number for number, event in events if self._spending(module, index.facts, event)}

    def of(self, function: Ref) -> Iterator[Missing]:
        """The comparisons on which a function spends a budget, ages a stall clock or gives up."""
        facts = self.engine.linked.modules[function.module]
        record = facts.functions[function.number]
        view: View | None = None
        for event in record.events:
            conditions = self._spending(function.module, facts, event)
            if not conditions:
                continue
            if view is None:
                self.engine.ask(f"{facts.path}:{record.line} {record.qualname}", FUEL)
                view = self.engine.view(function.module, function.number)
            found = self._missing(view, event, conditions)
            if found is not None and (event.kind == "raise" or self._is_counter(view, event)):
                yield found

    def _spending(self, module: int, facts: Facts, event: Event) -> list[tuple[int, bool]]:
        """The conditions under which an event spends, if one of them may compare with something remembered."""
        if not self._may_spend(facts, event) or is_assertion(facts, event):
            return []
        conditions = list(self._conditions(facts, event))
        may_compare = self.remembering.may_compare
        return conditions if any(may_compare(module, one) for one, _ in conditions) else []

    def _may_spend(self, facts: Facts, event: Event) -> bool:
        """Whether an event gives up, or stores a sum, a reading of a clock or a choice: the only ways to spend."""
        if event.kind not in ("set", "bind"):
            return event.kind == "raise" and event.chain > 0
        kind = facts.terms[event.b][0]
        return kind in ("bin", "if") or (kind == "call" and self._is_clock(facts, event.b))

    # what is spent under which conditions

    def _conditions(self, facts: Facts, event: Event) -> Iterator[tuple[int, bool]]:
        """The conditions under which an event spends: those on its path, and those inside its value."""
        if event.kind == "raise":
            yield from self._path(facts, event)
            return
        if self._grows(facts, event.a, event.b, event.kind):
            yield from self._path(facts, event)
            return
        if self._is_clock(facts, event.b):
            tests = list(self._path(facts, event))
            if tests:
                yield tests[0][0], not tests[0][1]
            return
        term = facts.terms[event.b]
        if term[0] != "if":
            return
        for number, holds in ((term[2], True), (term[3], False)):
            if self._grows(facts, event.a, number, event.kind):
                yield term[1], holds
                yield from self._path(facts, event)

    def _path(self, facts: Facts, event: Event) -> Iterator[tuple[int, bool]]:
        for frame in frames(facts, event.chain):
            if frame[1] == "test":
                yield frame[2], frame[3]

    def _grows(self, facts: Facts, target: object, number: int, kind: str) -> bool:
        term = facts.terms[number]
        if term[0] != "bin" or term[1] not in "+-":
            return False
        old = facts.terms[term[2]]
        return term[2] == target if kind == "set" else old[0] == "loop" and old[1] == target

    def _is_clock(self, facts: Facts, number: int) -> bool:
        term = facts.terms[number]
        return term[0] == "call" and not term[2] and last_name(facts.terms, term[1]) in _CLOCKS

    def _is_counter(self, view: View, event: Event) -> bool:
        """Whether what grows is ordered against something: only then is it a budget or a stall clock."""
        if self._is_clock(view.facts, event.b):
            return True
        name = event.a if event.kind == "bind" else stored_name(view.facts, event.a)
        return isinstance(name, str) and (name in self._ordered or self.engine.words.weight("attempt", name) > 0)

    @cached_property
    def _ordered(self) -> frozenset[str]:
        return ordered_names(self.engine.linked.indexes)

    # conditions taken apart

    def _missing(self, view: View, event: Event, conditions: list[tuple[int, bool]]) -> Missing | None:
        parts: list[Part] = []
        for term, holds in conditions:
            parts += self._parts(view, term, holds, _NOTHING, 0)
            if len(parts) > MOST_PARTS:
                return None
        for part in parts:
            sides = self._sides(part)
            if sides is None:
                continue
            for kept, seen in (sides, sides[::-1]):
                if event.kind == "raise" and not self.unseen.stored_here(part.view, kept, seen):
                    continue
                found = self._judged(part, parts, kept, seen)
                if found is not None:
                    at = part.view.terms[part.term][4:8]
                    return Missing(part.view.module, at, view, event, found)
        return None

    def _parts(self, view: View, number: int, holds: bool, joined: frozenset[int], depth: int) -> list[Part]:
        """What must hold, each condition for itself; an alternative that only says "is None" joins the other one."""
        term = view.terms[number]
        if term[0] == "un" and term[1] == "not":
            return self._parts(view, term[2], not holds, joined, depth)
        if term[0] == "bool":
            if (term[1] == "and") == holds:
                return [p for one in term[2] for p in self._parts(view, one, holds, joined, depth)]
            return self._alternatives(view, term[2], holds, depth)
        if term[0] == "call" and depth < MOST_DEPTH:
            inside_of = self._answer(view, number, holds, depth)
            if inside_of is not None:
                return inside_of
        return [Part(view, number, holds, joined)]

    def _alternatives(self, view: View, numbers: tuple[int, ...], holds: bool, depth: int) -> list[Part]:
        absent = {n: self._none_of(view, n, holds) for n in numbers}
        rest = [n for n in numbers if absent[n] is None]
        if len(rest) != 1:
            return []
        return self._parts(view, rest[0], holds, frozenset(n for n in absent.values() if n is not None), depth)

    def _none_of(self, view: View, number: int, holds: bool) -> int | None:
        """The term that a condition says is None (or falsy); None where it says something else."""
        term = view.terms[number]
        if term[0] == "un" and term[1] == "not":
            return self._none_of(view, term[2], not holds)
        if term[0] == "cmp" and view.terms[term[3]][0] == "const" and view.terms[term[3]][1] == "NoneType":
            return term[2] if _EQUAL.get(term[1]) is holds else None
        return number if term[0] in ("attr", "loop", "cell", "param", "call") and not holds else None

    def _answer(self, view: View, number: int, holds: bool, depth: int) -> list[Part] | None:
        """A call of a function of the project as a condition: what its returns compare."""
        if not self.answers.may_decide(last_name(view.terms, view.terms[number][1]), holds):
            return None
        inner = self._called(view, number)
        if inner is None or inner is view:
            return None
        returns = list(inner.events("ret"))
        if not returns or len(returns) > MOST_RETURNS:
            return None
        found: list[Part] = []
        joined = frozenset(n for e in returns if (n := self._says_none(inner, e, holds)) is not None)
        for one in returns:
            if inner.terms[one.a][0] in ("cmp", "bool", "un"):
                parts = self._parts(inner, one.a, holds, joined, depth + 1)
                found += [p._replace(joined=p.joined | joined) for p in parts]
                found += [] if joined else self._on_path(inner, one, depth)
        constant = [e for e in returns if inner.terms[e.a][:3] == ("const", "bool", holds)]
        decided = [e for e in constant if self._says_none(inner, e, holds) is None]
        if not found and len(decided) == 1:
            found = [p._replace(joined=p.joined | joined) for p in self._on_path(inner, decided[0], depth)]
        return found or None

    def _called(self, view: View, number: int) -> View | None:
        """The function that a call runs, under the call's arguments where they matter: where something is compared."""
        callee = view.value(view.terms[number][1])
        if callee.kind == "fn" and callee.args[:2] not in self.remembering.answering:
            return self.engine.view(*callee.args[:2])
        return self.failures.called(view, Event("call", 0, number, NONE, (), 0, 0, 0, 0))

    def _on_path(self, view: View, event: Event, depth: int) -> list[Part]:
        path = self._path(view.facts, event)
        return [p for test, side in path for p in self._parts(view, test, side, _NOTHING, depth + 1)]

    def _says_none(self, view: View, event: Event, holds: bool) -> int | None:
        """What is None where a return of this constant is reached."""
        term = view.terms[event.a]
        if term[:2] != ("const", "bool") or term[2] is not holds:
            return None
        tests = list(self._path(view.facts, event))
        return self._none_of(view, *tests[0]) if tests else None

    # the comparison

    def _sides(self, part: Part) -> tuple[int, int] | None:
        """Both sides of a comparison that here says "unchanged"."""
        term = part.view.terms[part.term]
        if term[0] != "cmp":
            return None
        tables = (_EQUAL if term[1] in ("==", "!=") else {}, _NOT_ABOVE, _NOT_BELOW)
        return (term[2], term[3]) if any(table.get(term[1]) is part.holds for table in tables) else None

    def _judged(self, part: Part, parts: list[Part], kept: int, seen: int) -> str | None:
        """What is remembered under which name, if it may never have been seen and nobody asks."""
        view = part.view
        first = self.unseen.first(view, kept) if self.unseen.is_remembered(view, kept, seen) else None
        if first is None or not self._is_observed(view, seen):
            return None
        ordered = view.terms[part.term][1] not in _EQUAL
        if kept not in part.joined:
            if seen in part.joined:
                return None
            if ordered and any(f.kind == "none" for f in first):
                return None
            if not any(self.unseen.may_be(view, seen, one) for one in first):
                return None
        if any(self._asks(p, view, (kept, seen)) for p in parts if p is not part):
            return None
        return self._said(view, kept)

    def _is_observed(self, view: View, number: int) -> bool:
        """Whether a side is something seen, not a constant that it is compared with."""
        value = view.value(number)
        if value.kind == "lin" and any(
            a.key[:1] == ("default",) for a in value.args[1].terms if isinstance(a.key, tuple)
        ):
            return True
        if value.kind == "ext" or self.engine.arithmetic.fixed(value):
            return False
        return value.kind != "attr" or value.args[0].kind not in ("cls", "ext", "mod")

    def _said(self, view: View, number: int) -> str:
        """The name of what is remembered."""
        term = view.terms[number]
        if term[0] in ("loop", "cell"):
            return str(term[1] if term[0] == "loop" else term[2])
        return f"the remembered {term[2]}" if term[0] == "attr" else "what is remembered"

    def _asks(self, part: Part, view: View, sides: tuple[int, int]) -> bool:
        """Whether a condition asks if one of the sides is there at all."""
        if part.view is not view:
            return False
        term = view.terms[part.term]
        if part.term in sides:
            return True
        if term[0] == "cmp" and view.terms[term[3]][0] == "const":
            return term[2] in sides or self._within_seen(view, term[2], sides)
        return self._within_seen(view, part.term, sides)

    def _within_seen(self, view: View, number: int, sides: tuple[int, int]) -> bool:
        return not set(sides).isdisjoint(inside(view.facts, number, 60))
