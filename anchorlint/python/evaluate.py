"""The evaluator: makes views, keeps the fuel of a query, and answers what a function returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.knowledge.models import Models
from anchorlint.knowledge.tables import SECONDS
from anchorlint.knowledge.words import Words
from anchorlint.python.arithmetic import Arithmetic
from anchorlint.python.attributes import Attributes
from anchorlint.python.calls import Calls
from anchorlint.python.exits import exits
from anchorlint.python.facts import NONE
from anchorlint.python.formula import Formulas, literals
from anchorlint.python.link import Linked, Ref
from anchorlint.python.names import Names
from anchorlint.python.value import FORMULAS, Value, Values, within
from anchorlint.python.view import View

MOST_DEPTH = 12  #: calls within calls
MOST_TIMES = 8  #: arguments under which one question looks into one function
MOST_TURNS = 2  #: times that a function which comes to itself is looked into within itself
MOST_VALUE = 2500  #: nodes of a returned value
SMALL = 6  #: events of a function that is looked into in any case
FUEL = 3_000  #: terms evaluated for one question


class Evaluator:
    """Everything that is known while one program is looked at."""

    def __init__(
        self, linked: Linked, models: Models, words: Words, looks_into: Callable[[Ref], bool] | None = None
    ) -> None:
        self._looks_into = looks_into
        self.linked = linked
        self.models = models
        self.words = words
        self.values = Values()
        self.formulas = Formulas(self.values)
        self.arithmetic = Arithmetic(self.values, self.formulas)
        self.names = Names(self)
        self.attributes = Attributes(self)
        self.calls = Calls(self)
        self.depth = 0
        self.fuel = FUEL
        self.spent: set[str] = set()
        self.asking = ""
        self._entered: dict[tuple[int, int], int] = {}  #: how often this question has gone into each function
        self._within: dict[tuple[int, int], list[int]] = {}  #: functions being answered, with the size of what they get
        self._exits: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self._views: dict[tuple[Any, ...], View] = {}
        self._views_of: dict[tuple[int, int], list[View]] = {}
        self._parameters: dict[tuple[int, int, int], Value] = {}

    # fuel

    def ask(self, what: str, fuel: int = FUEL) -> None:
        """Begin a question with so much fuel; `what` is named in the statistics if it runs dry."""
        self.fuel = fuel
        self.asking = what
        self._entered.clear()

    @contextmanager
    def aside(self, what: str, fuel: int = FUEL) -> Iterator[None]:
        """Ask something with so much fuel of its own in the midst of another question, which goes on as it was."""
        before = self.fuel, self.asking, self._entered
        self.fuel, self.asking, self._entered = fuel, what, {}
        try:
            yield
        finally:
            self.fuel, self.asking, self._entered = before

    # views

    def view(self, module: int, number: int, args: tuple[Value | None, ...] = (), closure: View | None = None) -> View:
        """The view of a function under these arguments; None stands for a parameter as itself."""
        key = (module, number, args, closure)
        found = self._views.get(key)
        if found is None:
            if closure is None:
                outer = self.linked.modules[module].functions[number].outer
                closure = self.view(module, outer) if outer > 0 else None
            found = self._views[key] = View(self, module, number, args, closure, self.depth)
            self._views_of.setdefault((module, number), []).append(found)
        return found

    def views_of(self, module: int, number: int) -> list[View]:
        """The views of a function that have been made so far, by itself first."""
        alone = self.view(module, number)
        return [alone, *(v for v in self._views_of[(module, number)] if v is not alone)]

    def parameter(self, module: int, function: int, position: int, name: str) -> Value:
        """A parameter that stands for itself; one that is called like a reading of now is one."""
        key = (module, function, position)
        found = self._parameters.get(key)
        if found is None:
            found = self._parameters[key] = self._parameter(module, function, position, name)
        return found

    def _parameter(self, module: int, function: int, position: int, name: str) -> Value:
        path = self.values("param", module, function, position, name)
        per_second = self._now_scale(name)
        record = self.linked.modules[module].functions[function]
        if per_second is None or (position == 0 and record.cls >= 0) or record.flags == "l":
            return path
        annotated = self.linked.expression(module, record.params[position].annotation)
        if annotated is not None and annotated.kind == "cls":
            return path  # a clock object
        atom = Atom(Role.NOW, ("wall", "param", module, function, position), name)
        return self.values("lin", "any", Linear(((atom, per_second),)))

    def _now_scale(self, name: str) -> float | None:
        """How much a parameter that is named like a reading of now grows in a second; None for any other name."""
        if name not in self.words["now"]:
            return None
        unit = self.words.unit(name)
        return 1.0 / SECONDS[unit] if unit in ("ms", "us", "ns") else 1.0

    # questions

    def returned(self, view: View) -> Value:
        """What a function returns: one value, or a case over its exits in terms of its arguments."""
        if view.returned is not None:
            return view.returned
        ways = self._exits_of(view)
        if not ways or view.busy or self.depth >= MOST_DEPTH or not self._goes_into(view):
            return self.opaque(view)
        around = self._within.setdefault((view.module, view.number), [])
        around.append(view.given)
        view.busy = True
        self.depth += 1
        try:
            result = self._returned(view, ways)
        finally:
            around.pop()
            self.depth -= 1
            view.busy = False
        if self.fuel > 0:
            view.returned = result
        return result

    def _goes_into(self, view: View) -> bool:
        """Whether a question has not yet seen a function under too many arguments, as one that walks a tree is.

        Within itself it is looked into where it gets no more than before: walking down a tree tells nothing new.
        """
        function = view.module, view.number
        around = self._within.get(function)
        if around and (len(around) >= MOST_TURNS or view.given > around[-1]):
            return False
        times = self._entered[function] = self._entered.get(function, 0) + 1
        if times > MOST_TIMES:
            self.spent.add(self.asking)
        return times <= MOST_TIMES

    def _exits_of(self, view: View) -> tuple[tuple[int, int], ...]:
        """How a function is left; nothing where that tells nothing of what it returns."""
        key = view.module, view.number
        found = self._exits.get(key)
        if found is None:
            told = "g" not in view.function.flags and not self._is_promised(view) and self._is_worth(view)
            found = self._exits[key] = exits(view.facts, view.number) if told else ()
        return found

    def _is_worth(self, view: View) -> bool:
        """Whether a function is worth its evaluation: one that matters here, or one that is small anyway."""
        if self._looks_into is None or len(view.function.events) <= SMALL:
            return True
        return self._looks_into(Ref("fn", view.module, view.number))

    def _is_promised(self, view: View) -> bool:
        """Whether a method only says that somebody else has it: what it returns is not None but unknown."""
        return view.function.cls >= 0 and self.attributes.is_abstract(Ref("fn", view.module, view.number))

    def _returned(self, view: View, ways: tuple[tuple[int, int], ...]) -> Value:
        if len(ways) == 1:
            return self._left_with(view, ways[0][0])
        arms = []
        for term, chain in ways:
            condition = view.left(chain)
            if condition is not self.values.false:
                arms.append((condition, self._left_with(view, term)))
        result = self.arithmetic.case(arms)
        return result if result.size <= MOST_VALUE else self.opaque(view)

    def _left_with(self, view: View, term: int) -> Value:
        return self.values.none if term == NONE else view.value(term)

    def opaque(self, view: View) -> Value:
        """The result of a call that is not looked into; the same arguments give the same result."""
        function = self.values("fn", view.module, view.number, None, None)
        args = tuple(a if a is not None else self.values.none for a in view.args)
        if sum([a.size for a in args]) > 120:
            args = (self.values("unknown", view.module, hash(args), 2),)
        return self.values("result", function, args, ())

    # kinds of values

    def is_formula(self, value: Value) -> bool:
        """Whether a value is true or false and nothing else."""
        return value.kind in FORMULAS

    def is_now(self, value: Value) -> bool:
        """Whether a value is a reading of a clock, whatever its unit."""
        if value.kind != "lin":
            return False
        form: Linear = value.args[1]
        return not form.constant and len(form.terms) == 1 and next(iter(form.terms)).role is Role.NOW

    def about(self, formula: Value, value: Value) -> bool:
        """Whether a condition asks about a value."""
        return any(within(literal, value) for literal in literals(formula))

    def falsy(self, value: Value) -> Value:
        """What a value is when it is falsy: None, where its truth asks for no more."""
        return self.values.false if self.is_formula(value) else self.values.none
