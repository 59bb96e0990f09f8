"""Values that are made of a failure: caught exceptions, tracebacks, and the places where these are kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_ends import Ends
from anchorlint.python.budget_places import Places
from anchorlint.python.budget_refunds import Refunds
from anchorlint.python.budget_terms import parts
from anchorlint.python.facts import NONE, Facts
from anchorlint.python.link import Ref, last_name
from anchorlint.python.program import Program
from anchorlint.python.view import View

MOST_TERMS = 500  #: terms of one value that are looked through
MOST_DEPTH = 2
_EXPLAINS = {"format_exc", "format_exception", "exc_info", "print_exc", "exception", "format_tb"}
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
            return (found.kind, found.name) in self.kept
        return kind == "cell" and ("cell", term[2]) in self.kept

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
            if event.kind == "call" and last_name(facts.terms, facts.terms[event.a][1]) in _EXPLAINS - {"exception"}:
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

    @cached_property
    def kept(self) -> frozenset[tuple[str, str]]:
        """The (kind, name) of fields, entries and shared variables into which what was caught is stored somewhere."""
        found: set[tuple[str, str]] = set()
        for module, facts in enumerate(self.linked.modules):
            for number in range(len(facts.functions)):
                found |= set(self._kept_by(self.program.engine.view(module, number)))
        return frozenset(found)

    def _kept_by(self, view: View) -> Iterator[tuple[str, str]]:
        for event in view.events("set", "call"):
            if event.kind == "set":
                target, values = event.a, [event.b]
            else:
                _, callee, args, kwargs, *_ = view.terms[event.a]
                yield from (("field", name) for name, value in kwargs if name and self._plainly(view, value))
                if view.terms[callee][0] != "attr" or view.terms[callee][2] not in _KEEPS:
                    continue
                target, values = view.terms[callee][1], [*args, *(v for _, v in kwargs)]
            if any(self._plainly(view, v) for v in values):
                found = self.places.place(view, target, owned=False)
                if found is not None and found.kind != "local":
                    yield found.kind, found.name

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
            if found[0] == "exc" or found[0] == "param" and self._named_failure(view, found):
                return True
            if found[0] == "call" and last_name(view.terms, found[1]) in _EXPLAINS - {"exception"}:
                return True
            pending += parts(found)
        return False

    def _named_failure(self, view: View, term: tuple) -> bool:
        param = view.facts.functions[term[1]].params[term[2]]
        if self.words.weight(param.name) >= 3:
            return True
        ref = self.linked.expression(view.module, param.annotation) if param.annotation != NONE else None
        return ref is not None and self._is_exception(ref)
