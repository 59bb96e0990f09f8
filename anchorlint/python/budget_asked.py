"""What the conditions of one file ask in order to tell that a budget is over, read off its facts alone.

Few tests ask whether tries or time are over. What asks so compares a place that is counted somewhere or is called like
a count, the turn of a loop, a parameter that is called like a count or is raised in a recursion, or a clock; or it asks
a function of the project, which has to return such a test. All that `Ends` can find is among it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anchorlint.python.budget_loops import CLOCKS
from anchorlint.python.budget_paths import loops
from anchorlint.python.budget_places import Place
from anchorlint.python.budget_terms import parts
from anchorlint.python.link import last_name

if TYPE_CHECKING:
    from anchorlint.python.budget_suspects import Suspects

#: names of functions, (module, function) of those without one; "" where nobody need be asked
Asked = frozenset
NOTHING: Asked = frozenset()
YES: Asked = frozenset([""])
_ASKING = frozenset({"test", "after", "exc"})
_COUNTS = frozenset({"incr", "incrby", "hincrby", "zincrby", "increment", "incr_by", "next"})
_ORDERED = frozenset({"<", "<=", ">", ">="})
_EQUAL = frozenset({"==", "!="})
_SAME = frozenset({"is", "is not"})
_ONE_OF = frozenset({"int", "sum", "max", "min", "abs"})
_THROUGH = frozenset({"enumerate", "reversed", "iter", "list", "tuple", "islice", "zip", "chain"})
_NAMED = frozenset({"name", "import", "attr", "outer", "param"})
_PLACES = frozenset({"attr", "sub", "loop", "cell", "outer", "bool"})
_MADE = frozenset({"call", "map", "seq"})
MOST_TERMS = 40  #: terms of one side of a comparison that are looked through for a clock


class FileAsks:
    """The conditions, paths and values of one file."""

    def __init__(self, program: Suspects, module: int) -> None:
        self.program = program
        self.module = module
        self.index = program.linked.indexes[module]
        self.facts = self.index.facts
        self.terms = self.facts.terms
        self._stands: dict[int, bool] = {0: False}
        self._conditions: dict[int, Asked] = {}
        self._values: dict[int, Asked] = {}
        self._loops: dict[int, tuple[set[int], set[int]]] = {}

    # paths

    def stands(self, chain: int, function: int, tell: Callable[[Asked], bool]) -> bool:
        """Whether a path of a function may be the end of a budget: what is asked on it is told by `tell`."""
        known, chains, way = self._stands, self.facts.chains, []
        while chain not in known:
            way.append(chain)
            chain = chains[chain][0]
        found = known[chain]
        for chain in reversed(way):
            frame = chains[chain]
            if found:
                pass  # what holds at its head holds all the way
            elif frame[1] == "join":
                found = any([self.stands(arm, function, tell) for arm in frame[2]])
            elif frame[1] in _ASKING:
                asked = self._own(frame, function)
                found = bool(asked) and tell(asked)
            known[chain] = found
        return found

    def asked_on(self, chain: int, function: int) -> Asked:
        """What is asked on the way to a place."""
        found, pending, seen = set[object](), [chain], set[int]()
        while pending:
            chain = pending.pop()
            if chain <= 0 or chain in seen:
                continue
            seen.add(chain)
            frame = self.facts.chains[chain]
            pending += (frame[0], *frame[2]) if frame[1] == "join" else frame[:1]
            if frame[1] in _ASKING:
                found |= self._own(frame, function)
        return frozenset(found)

    def _own(self, frame: tuple, function: int) -> Asked:
        """What one test, loop or handler asks."""
        if frame[1] == "test":
            return self.condition(frame[2], function)
        if frame[1] == "after":
            return self._turns(frame[2], function, over=True)
        return self._caught(frame[2], frame[3])

    def _caught(self, number: int, handler: int) -> Asked:
        types = self.facts.tries[number].handlers[handler].types
        if types < 0:
            return NOTHING
        term = self.terms[types]
        for one in term[2] if term[0] == "seq" else (types,):
            if self.terms[one][0] in ("seq", "sub", "bin") or last_name(self.terms, one) in self.program.ends:
                return YES
        return NOTHING

    # loops

    def _turns(self, loop: int, function: int, over: bool = False) -> Asked:
        """Whether a loop may hand out tries: it is left for an answer (only so its end is one), or tries something."""
        record = self.facts.loops[loop]
        if record.kind != "for":
            return NOTHING
        left, tried = self._loops_with(function)
        if loop not in left and (over or loop not in tried):
            return NOTHING
        return YES if self._supplies(record.subject, function) else NOTHING

    def _loops_with(self, function: int) -> tuple[set[int], set[int]]:
        """The loops of a function that are left from inside, and those in which something is tried."""
        found = self._loops.get(function)
        if found is None:
            facts = self.facts
            events = facts.functions[function].events
            left = {loop for e in events if e[0] in ("ret", "brk") for loop in loops(facts, e[1])}
            tried = {loop for t in facts.tries if t.function == function for loop in loops(facts, t.chain)}
            found = self._loops[function] = (left, tried)
        return found

    def _supplies(self, subject: int, function: int) -> bool:
        """Whether a loop's subject may be a number of tries, or pauses between them."""
        term = self.terms[subject]
        kind = term[0]
        if kind in _NAMED:
            return True
        if kind == "seq" and not any([self.terms[part][:2] == ("const", "str") for part in term[2]]):
            return True
        if kind == "call":
            name = last_name(self.terms, term[1])
            if name in ("range", "repeat") or name in self.program.loops:
                return True
            if name in _THROUGH and any([self._supplies(argument, function) for argument in term[2]]):
                return True
        calls = self.index.calls
        return any([number == function for name in ("sleep", "wait") for number, _ in calls.get(name, ())])

    # conditions

    def condition(self, number: int, function: int) -> Asked:
        """What a condition asks to tell that a budget is over, or that it is not."""
        found = self._conditions.get(number)
        if found is None:
            found = self._conditions[number] = self._condition(number, function)
        return found

    def _condition(self, number: int, function: int) -> Asked:
        term = self.terms[number]
        kind = term[0]
        if kind == "cmp":
            return self._compared(term[1], term[2], term[3], function)
        if kind == "un" and term[1] == "not":
            return self.condition(term[2], function)
        if kind == "bool":
            return frozenset().union(*[self.condition(part, function) for part in term[2]])
        return self.value(number, function)

    def _compared(self, operator: str, left: int, right: int, function: int) -> Asked:
        if operator in _SAME:
            return self._wait(left) | self._wait(right)
        ordered = operator in _ORDERED
        if ordered and (self._reads_clock(left) or self._reads_clock(right)):
            return YES
        if not ordered and operator not in _EQUAL:
            return NOTHING
        return self.value(left, function) | self.value(right, function)

    def _wait(self, number: int) -> Asked:
        """What a value asks to be one of a supply of waits, the only count that is ever compared with None."""
        term = self.terms[number]
        kind = term[0]
        if kind == "call":
            if last_name(self.terms, term[1]) in _ONE_OF and term[2]:
                return self._wait(term[2][0])
            return self._called(term, number, -1)
        if kind in ("if", "phi"):
            return frozenset().union(*[self._wait(arm) for arm in (term[2:] if kind == "if" else term[1])])
        if kind == "bin":
            return self._wait(term[2])
        return self._read(term[2]) if kind == "attr" else NOTHING

    # counts

    def value(self, number: int, function: int) -> Asked:
        """What a value asks to be a count of tries."""
        found = self._values.get(number)
        if found is None:
            self._values[number] = NOTHING
            found = self._values[number] = self._value(number, function)
        return found

    def _value(self, number: int, function: int) -> Asked:
        term = self.terms[number]
        kind = term[0]
        if kind == "bin":
            if (self.module, number) in self.program.places.counted:
                return YES
            return self.value(term[2], function) if term[1] in ("+", "-") else NOTHING
        if kind in ("if", "phi"):
            return frozenset().union(*[self.value(arm, function) for arm in (term[2:] if kind == "if" else term[1])])
        if kind == "iter":
            return self._turns(term[2], function)
        if kind == "idx":
            return self.value(term[1], function) if self.terms[term[1]][0] == "iter" and term[2] == 0 else NOTHING
        if kind == "param":
            return self._param(term)
        if kind in _PLACES or kind in _MADE:
            if self._is_counted(number, kind, function):
                return YES
            if kind == "call":
                return self._called(term, number, function)
            return self._read(term[2]) if kind == "attr" else NOTHING
        return NOTHING

    def _read(self, name: str) -> Asked:
        return frozenset([name]) if name in self.program.getters else NOTHING

    def _param(self, term: tuple) -> Asked:
        function = self.facts.functions[term[1]]
        if self.program.attempt.weight(function.params[term[2]].name) >= 3:
            return YES
        called = self.index.calls.get(function.name, ())
        return YES if any([number == term[1] for number, _ in called]) else NOTHING

    def _called(self, term: tuple, number: int, function: int) -> Asked:
        name = last_name(self.terms, term[1])
        if name in _COUNTS:
            return YES
        if name in _ONE_OF and term[2]:
            return self.value(term[2][0], function)
        if name in self.program.common and function >= 0:  # told by the class of its owner or not at all
            callees = self.program.calls.callees(self.module, function, number)
            return frozenset([(one.module, one.number) for one in callees])
        if name:
            return frozenset([name]) if name in self.program.called else NOTHING
        callee = self.terms[term[1]]
        while callee[0] == "outer":
            callee = self.terms[callee[2]]
        return frozenset([(self.module, callee[1])]) if callee[0] == "def" else NOTHING

    def _is_counted(self, number: int, kind: str, function: int) -> bool:
        """Whether a value is read from a place that is counted somewhere, or is called like a count."""
        places, term = self.program.places, self.terms[number]
        if kind == "attr":
            return self._is_count("field", term[2])
        if kind == "sub" and self.terms[term[2]][0] == "const" and self.terms[term[2]][1] == "str":
            return self._is_count("entry", self.terms[term[2]][2])
        view = self.program.program.engine.view
        if kind in _MADE and (self.module, function) not in places.owners:  # then it is no local that grows
            place = places.called(view(self.module, function), term) if kind == "call" else None
        else:
            place = places.place(view(self.module, function), number, owned=False)
        if place is None:
            return False
        if kind == "call" and places.grows(place):
            return True  # `len(failures)`
        return places.sums(place) if place.kind == "local" else self._is_count(place.kind, place.name)

    def _is_count(self, kind: str, name: str) -> bool:
        return self.program.places.sums(Place(kind, None, name)) or self.program.attempt.weight(name) >= 2

    # clocks

    def _reads_clock(self, number: int) -> bool:
        """Whether a clock may be read in an expression: in itself, or by a function of the project that it calls."""
        pending, seen = [number], 0
        while pending and seen < MOST_TERMS:
            term = self.terms[pending.pop()]
            seen += 1
            if term[0] == "call":
                name = last_name(self.terms, term[1])
                if name in CLOCKS or self.program.is_clock(name):
                    return True
                if not name and self.terms[term[1]][0] in ("def", "outer"):
                    return True
            pending += parts(term)
        return False
