"""Values that are made of a failure: caught exceptions, tracebacks, and the places where these are kept."""

from __future__ import annotations

from functools import cached_property

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_places import Places
from anchorlint.python.budget_refunds import Refunds
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import NONE, Facts, Param
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_TERMS = 500  #: terms of one value that are looked through
MOST_DEPTH = 2
_EXPLAINS = {"format_exc", "format_exception", "exc_info", "print_exc", "exception", "format_tb"}
_TRACES = _EXPLAINS - {"exception"}
_KEEPS = {"append", "add", "setdefault", "appendleft", "insert", "put", "extend", "update"}


class Causes:
    """Follows failures to the values that are made of them, in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self.places = program.part(Places)
        self.calls = program.part(CallGraph)
        self.counters = program.part(Ends)
        self.refunds = program.part(Refunds)
        self.words = program.words["cause"]
        self._params: dict[tuple[int, int, int], bool] = {}
        self._kept: dict[tuple[str, str], bool] = {}
        self._failing: dict[int, bool] = {}
        self._fills: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self._binds: dict[tuple[int, int], dict[str, tuple[int, ...]]] = {}

    # values that derive from a failure

    def derives(self, view: View, term: int, answers: frozenset[int] = frozenset(), depth: int = 0) -> bool:
        """Whether a value is made of a failure: a caught exception, one of these answers, a place that keeps one."""
        seen: set[int] = set()
        pending = [term]
        while pending and len(seen) < MOST_TERMS:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            if number in answers or self._tells(view, number, depth):
                return True
            pending += self._further(view, number)
        return False

    def _further(self, view: View, number: int) -> list[int]:
        term = view.terms[number]
        if term[0] == "loop":
            return [*parts(term), *self._bound(view).get(term[1], ())]
        if term[0] in ("map", "seq", "comp"):
            return [*parts(term), *self._filled(view).get(number, ())]
        if term[0] == "outer":
            return [term[2]]
        if term[0] == "call" and view.terms[term[1]] in (("name", "len"), ("name", "sum"), ("name", "bool")):
            return []
        if term[0] == "call":  # what a call returns is made of its arguments and of what it is called on
            callee = view.terms[term[1]]
            return [*term[2], *(v for _, v in term[3]), *([callee[1]] if callee[0] == "attr" else [])]
        if term[0] == "sub":
            return [term[1]]
        return parts(term)

    def _filled(self, view: View) -> dict[int, tuple[int, ...]]:
        """Local collections with what is put into them."""
        key = (view.module, view.number)
        found = self._fills.get(key)
        if found is None:
            all_: dict[int, list[int]] = {}
            for event in view.events("set", "call"):
                term = view.terms[event.a]
                if event.kind == "set" and term[0] == "sub":
                    all_.setdefault(term[1], []).append(event.b)
                elif event.kind == "call" and view.terms[term[1]][0] == "attr" and view.terms[term[1]][2] in _KEEPS:
                    all_.setdefault(view.terms[term[1]][1], []).extend(term[2])
            found = self._fills[key] = {base: tuple(terms) for base, terms in all_.items()}
        return found

    def _bound(self, view: View) -> dict[str, tuple[int, ...]]:
        key = (view.module, view.number)
        found = self._binds.get(key)
        if found is None:
            all_: dict[str, list[int]] = {}
            for event in view.events("bind"):
                all_.setdefault(event.a, []).append(event.b)
            found = self._binds[key] = {name: tuple(terms) for name, terms in all_.items()}
        return found

    def _tells(self, view: View, number: int, depth: int) -> bool:
        term = view.terms[number]
        kind = term[0]
        if kind == "exc":
            return True
        if kind == "param":
            return self.is_failure(view, term[1], term[2])
        if kind == "call":
            name = last_name(view.terms, term[1])
            if name in _EXPLAINS:
                return True
            if depth < MOST_DEPTH:
                return any(self._returns(f, depth + 1) for f in self.calls.callees(view.module, view.number, number))
            return False
        if kind in ("attr", "sub"):
            found = self.places.place(view, number, owned=False)
            if found is None:
                return False
            if found.kind in ("field", "entry") and self.words.weight(found.name) >= 3:
                return True
            return self.keeps(found.kind, found.name)
        return False

    def is_itself(self, view: View, term: int) -> bool:
        """Whether a value is a failure as it was caught or handed over."""
        found = view.terms[term]
        return found[0] == "exc" or found[0] == "param" and self.is_failure(view, found[1], found[2])

    def _returns(self, function: Ref, depth: int) -> bool:
        view = self.program.view(function)
        return any(e.a != NONE and self.derives(view, e.a, depth=depth) for e in view.events("ret"))

    def is_failure(self, view: View, function: int, position: int) -> bool:
        """Whether a parameter is a failure: by its type, by its name, or because callers pass what they caught."""
        key = (view.module, function, position)
        if key not in self._params:
            self._params[key] = False
            self._params[key] = self._is_failure(*key)
        return self._params[key]

    def _is_failure(self, module: int, function: int, position: int) -> bool:
        facts = self.linked.modules[module]
        param = facts.functions[function].params[position]
        if param.annotation != NONE:
            ref = self.linked.expression(module, param.annotation)
            if ref is not None and self._is_exception(ref):
                return True
        if self.words.weight(param.name) >= 3 or self._handled_as_failure(facts, function, position):
            return True
        return any(self._passes_failure(call, position) for call in self.calls.callers(Ref("fn", module, function))[:4])

    def _handled_as_failure(self, facts: Facts, function: int, position: int) -> bool:
        """Whether a parameter is raised, or put into a traceback, in its function."""
        for event in facts.functions[function].events:
            if event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in _TRACES:
                if any(facts.terms[a] == ("param", function, position) for a in facts.terms[event.a][2]):
                    return True
            elif event.kind == "raise" and event.a >= 0 and facts.terms[event.a] == ("param", function, position):
                return True
        return False

    def _passes_failure(self, call: object, position: int) -> bool:
        module, event = call.module, call.event  # type: ignore[attr-defined]
        terms = self.linked.modules[module].terms
        _, callee, args, _, *_ = terms[event.a]
        at = position - 1 if terms[callee][0] == "attr" else position
        return 0 <= at < len(args) and terms[args[at]][0] == "exc"

    def _is_exception(self, ref: Ref) -> bool:
        for one in self.linked.mro(ref):
            name = one.dotted.rpartition(".")[2]
            if one.kind == "ext" and (name.endswith(("Error", "Exception")) or name == "BaseException"):
                return True
        return False

    # places that keep failures

    def keeps(self, kind: str, name: str) -> bool:
        """Whether what was caught is stored somewhere in a field or entry of this name."""
        key = (kind, name)
        found = self._kept.get(key)
        if found is None:
            stored = self._stored.get(key, ())
            view = self.program.engine.view
            stored = [one for one in stored if self._holds_failures(one[0])]
            found = self._kept[key] = any(self._plainly(view(m, f), v) for m, f, values in stored for v in values)
        return found

    @cached_property
    def _stored(self) -> dict[tuple[str, str], list[tuple[int, int, tuple[int, ...]]]]:
        """What is stored in the fields and entries of each name: module, function and values."""
        found: dict[tuple[str, str], list[tuple[int, int, tuple[int, ...]]]] = {}
        for module, index in enumerate(self.linked.indexes):
            terms = index.facts.terms
            for number, event in index.events("set"):
                self._store(found, module, number, event[2], (event[3],))
            for name in _KEEPS:
                for number, event in index.calls.get(name, ()):
                    _, callee, args, kwargs, *_ = terms[event[2]]
                    if terms[callee][0] == "attr":
                        self._store(found, module, number, terms[callee][1], (*args, *[v for _, v in kwargs]))
            for number, event in index.events("call"):
                for name, value in terms[event[2]][3]:
                    if name and terms[value][0] != "const":
                        found.setdefault(("field", name), []).append((module, number, (value,)))
        return found

    def _store(self, found: dict, module: int, function: int, target: int, values: tuple[int, ...]) -> None:
        place = self.places.place(self.program.engine.view(module, function), target, owned=False)
        if place is not None and place.kind != "local":
            found.setdefault((place.kind, place.name), []).append((module, function, values))

    def _holds_failures(self, module: int) -> bool:
        """Whether anything in a file is a failure as `_plainly` knows them."""
        found = self._failing.get(module)
        if found is None:
            index = self.linked.indexes[module]
            found = "exc" in index.kinds or not _TRACES.isdisjoint(index.calls)
            if not found:
                params = (param for function in index.facts.functions for param in function.params)
                found = any(self._named_failure(module, param) for param in params)
            self._failing[module] = found
        return found

    def _plainly(self, view: View, term: int) -> bool:
        """Whether an exception or a traceback stands in the expression itself."""
        seen: set[int] = set()
        pending = [term]
        while pending and len(seen) < 60:
            number = pending.pop()
            if number < 0 or number in seen:
                continue
            seen.add(number)
            found = view.terms[number]
            if found[0] == "exc":
                return True
            if found[0] == "param":
                if self._named_failure(view.module, view.facts.functions[found[1]].params[found[2]]):
                    return True
                continue
            if found[0] == "call" and last_name(view.terms, found[1]) in _TRACES:
                return True
            pending += parts(found)
        return False

    def _named_failure(self, module: int, param: Param) -> bool:
        if self.words.weight(param.name) >= 3:
            return True
        ref = self.linked.expression(module, param.annotation) if param.annotation != NONE else None
        return ref is not None and self._is_exception(ref)
