"""Where budgets are kept: every place that the program counts up or down, and every write that starts it anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from anchorlint.python.budget_paths import handlers
from anchorlint.python.budget_variables import Place as Place
from anchorlint.python.budget_writes import GROWING, SHRINKING, Writes
from anchorlint.python.budget_writes import Write as Write
from anchorlint.python.facts import Event, Facts
from anchorlint.python.index import Index
from anchorlint.python.link import Ref
from anchorlint.python.program import Program

_NUMBERS = ("int", "float")
_GROWS = GROWING | {"update", "next"}


class Places(Writes):
    """Every write to a place that is counted somewhere in one program.

    Functions are read only where their facts hold a sum that is stored, or a store to a place that is asked about.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.attempt = program.words["attempt"]
        self._read: dict[Ref, tuple[Write, ...]] = {}
        self._writes: dict[Place, tuple[Write, ...]] = {}
        self._same: dict[Place, tuple[Write, ...]] = {}

    def of(self, place: Place) -> tuple[Write, ...]:
        """The writes to one place; none where nothing counts on it."""
        found = self._same.get(place)
        if found is None:
            found = self._same[place] = tuple([w for w in self._all(_key(place)) if self.same(w.place, place)])
        return found

    def _all(self, key: Place) -> tuple[Write, ...]:
        """The writes to the places of a kind and name, to a local only those of its function."""
        found = self._writes.get(key)
        if found is None:
            functions = set(self._stores.get(key, ()))
            if key.kind == "local":
                functions.add(Ref("fn", *key.owner))
            of_place = (w for f in sorted(functions) for w in self._of(f) if _key(w.place) == key)
            all_ = tuple(of_place) if key in self._summed_keys or key in self._grown_keys else ()
            found = self._writes[key] = tuple(map(self._owned, all_)) if any(w.step for w in all_) else ()
        return found

    def _of(self, function: Ref) -> tuple[Write, ...]:
        found = self._read.get(function)
        if found is None:
            found = self._read[function] = tuple(self.written(function))
        return found

    def _owned(self, write: Write) -> Write:
        """The write with the class that its field belongs to: worked out only for names that are counted."""
        if write.place.kind != "field":
            return write
        view = self.program.view(write.function)
        target = write.event.a
        if write.event.kind == "call" and not write.grows and write.value >= 0:
            target = view.terms[write.value][2]
        elif write.event.kind == "call":
            callee = view.terms[view.terms[target][1]]
            target = callee[1] if callee[0] == "attr" else view.terms[target][2][0]
        place = self.place(view, target)
        return write._replace(place=place) if place is not None and place.name == write.place.name else write

    # what is counted

    @cached_property
    def counted(self) -> dict[tuple[int, int], Write]:
        """Each (module, term) that is a sum stored to the place that it counts on, with its write."""
        return {(w.function.module, w.value): self._owned(w) for w in self._sums}

    @cached_property
    def tallies(self) -> tuple[Place, ...]:
        """The places that a test may take for a count of tries.

        A number counts, and so does a collection that grows where a failure is handled, a supply that is drawn on, or
        what is called like a count; nothing else is ever one (see `Counters`).
        """
        keys = dict.fromkeys(_key(w.place) for w in self._sums)
        for key, function, event in self._grown:
            named = key.kind != "local" and self.attempt.weight(key.name) >= 2
            facts = self.linked.modules[function.module]
            if named or self._draws(facts, event) or handlers(facts, event.chain):
                keys[key] = None
        return tuple(dict.fromkeys(w.place for key in keys for w in self._all(key) if w.step))

    def _draws(self, facts: Facts, event: Event) -> bool:
        return facts.terms[facts.terms[event.a][1]] == ("name", "next")

    def sums(self, place: Place) -> bool:
        """Whether a number is counted at a place of this kind and name."""
        return _key(place) in self._summed_keys

    def grows(self, place: Place) -> bool:
        """Whether a collection of this kind and name grows, or a supply shrinks."""
        return _key(place) in self._grown_keys

    @cached_property
    def owners(self) -> frozenset[tuple[int, int]]:
        """The (module, function) of the locals that are counted or grow."""
        keys = (*self._summed_keys, *self._grown_keys)
        return frozenset([key.owner for key in keys if key.kind == "local"])

    @cached_property
    def _summed_keys(self) -> frozenset[Place]:
        return frozenset([_key(w.place) for w in self._sums])

    @cached_property
    def _grown_keys(self) -> frozenset[Place]:
        return frozenset([key for key, _, _ in self._grown])

    @cached_property
    def _sums(self) -> tuple[Write, ...]:
        """The writes that store a number more or less than what the place held."""
        functions = [f for module in self._modules for f in self._summing(module)]
        return tuple([w for f in functions for w in self._of(f) if w.step and not w.grows])

    def _summing(self, module: int) -> list[Ref]:
        """The functions of a module that store a sum, or pass one on under a name, as `written` asks of a count."""
        index = self.linked.indexes[module]
        sums = _sums(index.facts, index.kinds.get("bin", ()))
        if not sums:
            return []
        terms = index.facts.terms
        arms = {n for n in index.kinds.get("if", ()) if terms[n][2] in sums or terms[n][3] in sums}
        stored = {number for number, event in index.events("bind", "set") if event[3] in sums or event[3] in arms}
        stored.update(number for number, event in index.events("call") if _passes(terms[event[2]][3], sums))
        return [Ref("fn", module, number) for number in sorted(stored)]

    # who stores

    @cached_property
    def _modules(self) -> list[int]:
        tests = () if self.program.include_tests else self.program.tests
        return [module for module in range(len(self.linked.modules)) if module not in tests]

    @cached_property
    def _stores(self) -> dict[Place, dict[Ref, None]]:
        """The places that are stored to with the functions that do so, plain locals left out: theirs binds them."""
        found: dict[Place, dict[Ref, None]] = {}
        for key, function, _ in self._grown:
            found.setdefault(key, {})[function] = None
        for write in self._sums:
            found.setdefault(_key(write.place), {})[write.function] = None
        for module in self._modules:
            index = self.linked.indexes[module]
            for number, event in index.events("set", "del"):
                if event[2] >= 0:
                    self._note(found, Ref("fn", module, number), event[2])
            for number, event in _calls(index, SHRINKING):
                self._note_call(found, Ref("fn", module, number), event)
        return found

    def _note(self, found: dict[Place, dict[Ref, None]], function: Ref, target: int) -> None:
        place = self.place(self.program.view(function), target, owned=False)
        if place is not None:
            found.setdefault(_key(place), {})[function] = None

    def _note_call(self, found: dict[Place, dict[Ref, None]], function: Ref, event: Event) -> None:
        for write in self._mutated(self.program.view(function), function, event):
            found.setdefault(_key(write.place), {})[function] = None

    @cached_property
    def _grown(self) -> tuple[tuple[Place, Ref, Event], ...]:
        """The calls by which a collection grows or a supply shrinks, with what does."""
        found = []
        for module in self._modules:
            for number, event in _calls(self.linked.indexes[module], _GROWS):
                function = Ref("fn", module, number)
                for write in self._mutated(self.program.view(function), function, event):
                    if write.step and write.grows:
                        found.append((_key(write.place), function, event))
        return tuple(found)


def _key(place: Place) -> Place:
    """The place as far as its kind and name tell; a local belongs to its function."""
    return place if place.kind == "local" or place.owner is None else Place(place.kind, None, place.name)


def _sums(facts: Facts, operations: Iterable[int]) -> set[int]:
    """The sums of something and what may be a number: a literal, a named constant, a parameter."""
    terms, found = facts.terms, set()
    for number in operations:
        _, operator, left, right, *_ = terms[number]
        if operator in ("+", "-"):
            for side in (left, right):
                term = terms[side]
                if term[1] in _NUMBERS if term[0] == "const" else term[0] in ("name", "param"):
                    found.add(number)
    return found


def _passes(keywords: tuple[tuple[str, int], ...], sums: set[int]) -> bool:
    return any([number in sums for _, number in keywords]) if keywords else False


def _calls(index: Index, names: Iterable[str]) -> Iterator[tuple[int, Event]]:
    for name in names:
        yield from index.calls.get(name, ())
