"""Which paths of a program may stand under the end of a budget, told before anything is evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from anchorlint.python.budget_asked import YES, Asked, FileAsks
from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_loops import CLOCKS
from anchorlint.python.budget_places import Places
from anchorlint.python.budget_types import BUILTIN
from anchorlint.python.facts import Facts
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.terms import last_name

#: what libraries raise when their own budget is spent: tenacity and requests, celery, urllib3
ENDS = frozenset({"RetryError", "MaxRetriesExceededError", "MaxRetryError"})
TIMEOUTS = frozenset({"TimeoutError", "Timeout", "TimeoutExpired"})
WAITS_OVER = frozenset({"StopIteration", "StopAsyncIteration"})
_CLOCKS_CALLED = CLOCKS - {"total", "sleep"}


class Suspects:
    """The paths of one program that may stand under the end of a budget; more than do, never fewer."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.attempt = program.words["attempt"]
        self.common = BUILTIN | program.words["generic"].words.keys()
        self._files: dict[int, FileAsks] = {}
        self._returned: dict[tuple[int, int], Asked] = {}
        self._told: set[object] = set(YES)  #: the functions that are known to tell
        self._mute: set[object] = set()  #: those that are known not to

    def stands(self, module: int, function: int, chain: int) -> bool:
        """Whether a path of a function may be one on which a budget is over."""
        return chain > 0 and self._file(module).stands(chain, function, self._tell)

    def may_tell(self, module: int, function: int, condition: int) -> bool:
        """Whether a condition of a function may tell that a budget is over, or that it is not."""
        return self._tell(self._file(module).condition(condition, function))

    def _file(self, module: int) -> FileAsks:
        found = self._files.get(module)
        if found is None:
            found = self._files[module] = FileAsks(self, module)
        return found

    # functions that answer

    def _tell(self, asked: Asked) -> bool:
        """Whether the answer of one of these functions may be that a budget is over, or a count.

        Each is asked what it asks in turn, and only the functions that some condition hangs on are looked into.
        """
        told = self._told
        if not told.isdisjoint(asked):
            return True
        seen: set[object] = set()
        pending = [one for one in asked if one not in self._mute]
        above: dict[object, object] = {}
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            for further in self._asked_by(one):
                if further in told:
                    told.add(one)
                    while one in above:
                        one = above[one]
                        told.add(one)
                    return True
                if further not in seen and further not in self._mute:
                    above[further] = one
                    pending.append(further)
        self._mute |= seen
        return False

    def _asked_by(self, one: object) -> Asked:
        """What the values ask that a function returns: by its number, or any of this name and what it stands for."""
        if isinstance(one, tuple):
            return self._answers(*one)
        functions = self._named_functions.get(one, ())
        return frozenset().union(self._renamed_from.get(one, ()), *[self._answers(*function) for function in functions])

    def _answers(self, module: int, number: int) -> Asked:
        """What the values that a function returns ask."""
        found = self._returned.get((module, number))
        if found is None:
            file, terms, asked = self._file(module), self.linked.modules[module].terms, set[object]()
            for event in self.linked.modules[module].functions[number].events:
                if event[0] != "ret" or event[2] < 0:
                    continue
                term = terms[event[2]]
                if term[0] != "const":
                    asked |= file.condition(event[2], number) | file.value(event[2], number)
                elif term[1] == "bool":
                    asked |= file.asked_on(event[1], number)
            found = self._returned[module, number] = frozenset(asked)
        return found

    @cached_property
    def _named_functions(self) -> dict[object, list[tuple[int, int]]]:
        """The functions of the program by their names."""
        found: dict[object, list[tuple[int, int]]] = {}
        for module, facts in enumerate(self.linked.modules):
            for number, function in enumerate(facts.functions):
                found.setdefault(function.name, []).append((module, number))
        return found

    @cached_property
    def _renamed_from(self) -> dict[object, set[str]]:
        """The names that stand behind another one."""
        found: dict[object, set[str]] = {}
        for known, name in self._renamed:
            found.setdefault(name, set()).add(known)
        return found

    @cached_property
    def _renamed(self) -> tuple[tuple[str, str], ...]:
        """The names of what modules and classes give another name, with that name."""
        found = []
        for facts in self.linked.modules:
            for name, number in facts.globals.items():
                known = _name_of(facts, number)
                if known and known != name:
                    found.append((known, name))
            for cls in facts.classes:
                for name, number in cls.methods:
                    if facts.functions[number].name != name:
                        found.append((facts.functions[number].name, name))
        return tuple(found)

    def all_names(self, names: Iterable[str]) -> frozenset[str]:
        """These names and all that modules give to what has one of them."""
        found = set(names)
        while fresh := {name for known, name in self._renamed if known in found} - found:
            found |= fresh
        return frozenset(found)

    # what is asked by name

    @cached_property
    def called(self) -> frozenset[str]:
        """The names under which functions of the project are called."""
        return self.linked.function_names.union([name for _, name in self._renamed])

    @cached_property
    def getters(self) -> frozenset[str]:
        """The names of methods that are decorated, as properties are."""
        found = set()
        for facts in self.linked.modules:
            for cls in facts.classes:
                found.update([name for name, number in cls.methods if facts.functions[number].decorators])
        return frozenset(found)

    @cached_property
    def loops(self) -> frozenset[str]:
        """The last names of what libraries offer to loop over when trying again."""
        loops = self.program.models.retries.loops
        return frozenset([name.rpartition(".")[2] for model in loops for name in model.calls])

    @cached_property
    def ends(self) -> frozenset[str]:
        """The names of classes that stand for the end of a budget or a wait, and of tuples that may hold one."""
        found = {*ENDS, *TIMEOUTS, *WAITS_OVER}
        for facts in self.linked.modules:
            found.update([name for name, number in facts.globals.items() if facts.terms[number][0] == "seq"])
        return self.all_names(found)

    def is_clock(self, name: str) -> bool:
        """Whether a function of this name reads a clock, by a word or because one of the project that has it does."""
        words = self.program.words
        return name in words["clock"] or name in words["now"] or name in self._clocked

    @cached_property
    def _clocked(self) -> frozenset[str]:
        """The names of functions in which a clock is read; a class reads in its making."""
        found: set[str] = set()
        for module, index in enumerate(self.linked.indexes):
            functions = index.facts.functions
            for name in _CLOCKS_CALLED:
                for number, _ in index.calls.get(name, ()):
                    function = functions[number]
                    if function.name == "__init__" and function.cls >= 0:
                        found.update(self._made_by(Ref("cls", module, function.cls)))
                    else:
                        found.add(function.name)
        return self.all_names(found)

    def _made_by(self, cls: Ref) -> list[str]:
        """The names of a class and those below it."""
        below, pending = {cls: None}, [cls]
        while pending:
            fresh = [one for one in self.linked.subclasses.get(pending.pop(), ()) if one not in below]
            below.update(dict.fromkeys(fresh))
            pending += fresh
        return [self.linked.cls(one).name for one in below]


def _name_of(facts: Facts, number: int) -> str:
    """The name of what a global stands for where it can be imported."""
    term = facts.terms[number]
    while term[0] == "if":
        number = term[3]
        term = facts.terms[number]
    kind = term[0]
    if kind == "import":
        return str(term[2] or term[1].rpartition(".")[2])
    if kind == "def":
        return facts.functions[term[1]].name
    return last_name(facts.terms, number) if kind != "classdef" else ""
