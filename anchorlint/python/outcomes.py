"""Outcomes: the except clauses and `suppress` lines that turn a failed read into a value."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.knowledge.families import parts
from anchorlint.python.facts import NONE, Event
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_classes import Caught
from anchorlint.python.outcome_clauses import DOUBTFUL, Clauses, is_outside, may_ask
from anchorlint.python.outcome_terms import FUEL, in_body, used
from anchorlint.python.value import Value
from anchorlint.python.view import View

Place = tuple[int, int, int, int]
_LOOKUPS = frozenset({"head", "get", "describe", "lookup", "find", "stat", "show", "fetch", "read", "inspect"})
_OF_DATA = frozenset().union(*(dir(kind) for kind in (str, bytes, list, dict, set, int, float))) | {
    "group", "groups", "match", "timestamp", "isoformat", "total_seconds", "strftime", "json", "path", "joinpath",
}  # fmt: skip
MOST_DEPTH = 2  #: calls within calls that are looked into for a read


class Conversion(NamedTuple):
    """Where a failure becomes a value: the place, the try and handler, and what was read in vain."""

    module: int
    place: Place
    number: int
    handler: int
    read: Event
    kinds: frozenset[str]


class Outcomes:
    """Finds conversions in one program; every try is judged once."""

    def __init__(self, failures: Failures) -> None:
        self.failures = failures
        self.engine = failures.engine
        self.caught = Caught(failures)
        self.clauses = Clauses(self.caught)
        self._found: dict[tuple[int, int, int], Conversion | None] = {}
        self._reaching: dict[tuple[Ref, bool, int], bool] = {}
        self._used: dict[Ref, frozenset[int]] = {}

    def of(self, literal: Value) -> Conversion | None:
        """The conversion behind a `raised` literal."""
        view, number, handler = literal.args
        return self.conversion(view, number, handler)

    def conversion(self, view: View, number: int, handler: int) -> Conversion | None:
        """Where this handler turns a failed read into a value; None where it does not, or asks the failure first."""
        key = (view.module, number, handler)
        if key not in self._found:
            alone = self.engine.view(view.module, view.number)
            self._found[key] = self._asked(alone, number, handler) if self.clauses.may_convert(*key) else None
        return self._found[key]

    def converts(self, module: int, number: int, handler: int) -> bool:
        """Whether a handler turns a failed read into a value."""
        if not self.clauses.may_convert(module, number, handler):
            return False
        function = self.engine.linked.modules[module].tries[number].function
        return self.conversion(self.engine.view(module, function), number, handler) is not None

    def _asked(self, view: View, number: int, handler: int) -> Conversion | None:
        """A conversion is a question of its own: what was asked before goes on with the fuel that it has."""
        clause = view.facts.tries[number].handlers[handler]
        with self.engine.aside(f"{view.facts.path}:{clause.line} except", FUEL):
            return self._conversion(view, number, handler)

    def _conversion(self, view: View, number: int, handler: int) -> Conversion | None:
        kinds = self.doubtful(view, number, handler)
        read = self.read_in(view, number, kinds) if kinds else None
        place = self._place(view, number, handler) if read is not None else None
        if kinds is None or read is None or place is None:
            return None
        return Conversion(view.module, place, number, handler, read, kinds)

    def doubtful(self, view: View, number: int, handler: int) -> frozenset[str] | None:
        """The kinds of classes of a clause that takes more than proof of absence."""
        kinds = self.caught.kinds(view, number, handler)
        return kinds if kinds and kinds & DOUBTFUL else None

    # reads

    def read_in(self, view: View, number: int, kinds: frozenset[str]) -> Event | None:
        """A call in a try's body that asks something outside and whose answer is used."""
        strict = not kinds - {"wide", "absent", "leaving"}
        for event in self.clauses.body(view.module, number):
            name = parts(last_name(view.terms, view.terms[event.a][1]))[:1]
            if (event.a in self.used(view) or name == ("head",)) and self.reaches_out(view, event, strict):
                return event
        return None

    def looks_up(self, view: View, conversion: Conversion) -> bool:
        """Whether what failed is a look-up of one thing by its name or key, on another machine."""
        for event in self.clauses.body(view.module, conversion.number):
            term = view.terms[event.a]
            words = parts(last_name(view.terms, term[1]))
            if words[:1] and words[0] in _LOOKUPS and (term[2] or term[3]):
                return view.value(term[1]).kind == "attr"
        return False

    def used(self, view: View) -> frozenset[int]:
        """The terms of a function whose value is made use of."""
        ref = Ref("fn", view.module, view.number)
        if ref not in self._used:
            self._used[ref] = used(view.facts, view.function.events)
        return self._used[ref]

    def reaches_out(self, view: View, event: Event, strict: bool, depth: int = 0) -> bool:
        """Whether a call asks something outside of the process; `strict` where the caught class does not say so."""
        term = view.terms[event.a]
        name = last_name(view.terms, term[1])
        if not may_ask(name):
            return False
        callee = view.value(term[1])
        if callee.kind in ("case", "phi"):
            callee = callee.args[0][0][1] if callee.kind == "case" else callee.args[0][0]
        if callee.kind == "fn":
            return depth < MOST_DEPTH and self._function_reaches(Ref("fn", *callee.args[:2]), strict, depth)
        if callee.kind == "ext":
            return is_outside(callee.args[0]) and not name[:1].isupper()  # what is only made has asked nothing yet
        if callee.kind == "cls":
            return False
        if callee.kind != "attr":
            return callee.kind == "param" or (not strict and callee.kind in ("result", "item", "global", "cell"))
        base = callee.args[0]
        if base.kind in ("str", "fstr", "lin", "seq", "map", "comp", "none"):
            return False
        if self.engine.models.store_read(self.engine.calls.target(callee), self.engine.calls.receiver(callee)):
            return True
        owner = self.engine.attributes.type_of(base)
        if owner is not None and owner.kind == "ext":
            return is_outside(owner.dotted) and (not strict or name not in _OF_DATA)
        return name not in _OF_DATA or (not strict and name in ("get", "index", "count", "find", "json"))

    def _function_reaches(self, function: Ref, strict: bool, depth: int) -> bool:
        key = (function, strict, depth)
        found = self._reaching.get(key)
        if found is None:
            self._reaching[key] = False
            view = self.engine.view(function.module, function.number)
            promised = view.function.cls >= 0 and self.engine.attributes.is_abstract(function)
            calls = [e for e in view.function.events if e.kind == "call"][:40]
            found = self._reaching[key] = promised or any(
                self.reaches_out(view, event, strict, depth + 1) for event in calls
            )
        return found

    # places

    def _place(self, view: View, number: int, handler: int) -> Place | None:
        """The statement of a handler that makes the value; None if it asks what failed, or hands on something else."""
        clause = view.facts.tries[number].handlers[handler]
        found: Event | None = None
        for event in self.clauses.handled(view.module, number, handler):
            if event.kind == "ret" and not self.is_answer(view, event.a):
                return None
            if found is None and event.kind in ("ret", "bind", "set") and self._makes(view, event):
                found = event
            if event.kind == "bind" and self._tells_apart(view, event, number):
                return None
        if found is not None:
            return found.line, found.column, found.end_line, found.end_column
        return clause.line, clause.column, clause.end_line, clause.end_column

    def _tells_apart(self, view: View, event: Event, number: int) -> bool:
        """Whether a handler puts something that names the failure in the place of what was read."""
        value = view.value(event.b)
        if value.kind == "obj":
            said = [part for _, part in value.args[1]]
        else:
            said = [*value.args[1], *[part for _, part in value.args[2]]] if value.kind == "result" else []
        if not any(part.kind == "exc" or (part.kind == "str" and part.args[0]) for part in said):
            return False
        read = (e for e in view.function.events if e.kind == "bind" and e.a == event.a)
        return any(in_body(view.facts, e.chain, number) for e in read)

    def _makes(self, view: View, event: Event) -> bool:
        return self.is_answer(view, event.a if event.kind == "ret" else event.b)

    def asks(self, view: View, event: Event, number: int, handler: int) -> bool:
        """Whether an event in a handler stands behind a test of what was caught: a code, a status, a class."""
        return self.clauses.asks(view.module, event, number, handler)

    def is_answer(self, view: View, term: int) -> bool:
        """Whether a value could be an honest answer: None, a bool, a number, a text, something empty or of defaults."""
        return term == NONE or self._is_plain(view.value(term), 0)

    def _is_plain(self, value: Value, depth: int) -> bool:
        kind = value.kind
        if kind in ("none", "true", "false", "str"):
            return True
        if kind == "lin":
            return value.args[1].number is not None
        if kind == "seq":
            return depth < 3 and all(self._is_plain(part, depth + 1) for part in value.args[1])
        if kind == "map":
            return depth < 3 and all(self._is_plain(v, depth + 1) for _, v in value.args[0])
        if kind == "obj":
            return (
                depth < 3
                and not self._is_error(value)
                and all(self._is_plain(v, depth + 1) and (v.kind != "str" or not v.args[0]) for _, v in value.args[1])
            )
        if kind == "result":
            return value.args[0].kind == "ext" and not value.args[1] and not value.args[2]  # set(), dict(), Counter()
        return kind == "attr" and value.args[0].kind == "cls"

    def _is_error(self, value: Value) -> bool:
        return self.failures.is_a(Ref("cls", *value.args[0].args), Ref("ext", dotted="Exception")) and any(
            "Error" in r.dotted or "Exception" in r.dotted
            for r in self.engine.linked.mro(Ref("cls", *value.args[0].args))
        )
