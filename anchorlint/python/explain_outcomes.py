"""Explains failed reads: where a failure turns into a value, which value that is, and the actions it selects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from anchorlint.python.budget_calls import CallGraph
from anchorlint.python.budget_paths import goes_on, loops
from anchorlint.python.budget_refunds import Refunds
from anchorlint.python.facts import NONE, Event
from anchorlint.python.failures import Failures
from anchorlint.python.link import Ref, last_name
from anchorlint.python.outcome_gathering import Gathering
from anchorlint.python.outcome_overwrites import Overwrites
from anchorlint.python.outcome_sinks import Sinks, Taken
from anchorlint.python.outcome_terms import handler_here, handler_of
from anchorlint.python.outcomes import Conversion, Outcomes, Place
from anchorlint.python.program import Program
from anchorlint.python.value import Value, said
from anchorlint.python.view import View

_DOES = {
    "delete": "something is deleted", "release": "work is handed over", "seek": "work starts over",
    "create": "something is created", "write": "state is overwritten", "restart": "something is started anew",
    "send": "something is sent", "set": "a state is set", "overwrite": "what is left is written over it",
}  # fmt: skip
_BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}")}


class Selected:
    """The actions of one program that failed reads select; searched for once, by every function of the program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.outcomes = Outcomes(Failures(program.engine))

    @cached_property
    def all(self) -> tuple[Taken, ...]:
        """Every action that a failed read selects, each once, test modules left out."""
        sinks = Sinks(self.outcomes)
        searches = (sinks, Overwrites(sinks), Gathering(sinks))
        found: dict[object, Taken] = {}
        for module, facts in enumerate(self.program.linked.modules):
            if module in self.program.tests and not self.program.include_tests:
                continue
            for number in range(len(facts.functions)):
                for search in searches:
                    for taken in search.of(Ref("fn", module, number)):
                        where = (taken.conversion.module, taken.conversion.place, taken.view.module, taken.event.line)
                        found.setdefault(where, taken)
        return tuple(found.values())


def outcomes(program: Program, function: Ref, line: int | None) -> list[str]:
    """What failed reads become in one function or on one line of it, and what they select there, in source order."""
    view = program.view(function)
    texts = [*_turned(program, view, line), *_selected(program, view, line)]
    return [f"{at}: {text}" for at, text in sorted(texts)]


def _turned(program: Program, view: View, line: int | None) -> Iterator[tuple[int, str]]:
    """Each failure that becomes a value in a function, with the value and what acts on it."""
    for conversion in _conversions(program, view).values():
        if line is not None and not _touches(view, conversion, line):
            continue
        acted = [taken for taken in program.part(Selected).all if _same(taken.conversion, conversion)]
        if acted or not _is_counted(program, view, conversion):
            read = last_name(view.terms, view.terms[conversion.read.a][1]) or "call"
            what = "; ".join(dict.fromkeys(_outcome(program, view, conversion, acted)))
            yield conversion.place[0], f"a failed {read}() (line {conversion.read.line}) {what}"


def _outcome(program: Program, view: View, conversion: Conversion, acted: list[Taken]) -> Iterator[str]:
    turn = _turn(view, conversion)
    yield turn or _becomes(program, view, conversion)
    for taken in acted:
        yield f"selects {_action(program, taken)}"
    if not acted and not turn:
        yield "selects no action that is seen"


def _is_counted(program: Program, view: View, conversion: Conversion) -> bool:
    """Whether the value that is made is the count of a budget, which is said of that."""
    for budget in program.part(Refunds).budgets:
        for write in (*budget.uses, *budget.starts, *budget.refunds, *budget.again):
            if write.function.module == view.module and _makes(write.event, conversion):
                return True
    return False


def _conversions(program: Program, view: View) -> dict[Place, Conversion]:
    """The conversions of a function by their places: of its handlers, and those that only an action brought up."""
    found: dict[Place, Conversion] = {}
    for number, record in enumerate(view.facts.tries):
        if record.function == view.number:
            for handler in range(len(record.handlers)):
                conversion = program.part(Selected).outcomes.conversion(view, number, handler)
                if conversion is not None:
                    found[conversion.place] = conversion
    for taken in program.part(Selected).all:
        conversion = taken.conversion
        if conversion.module == view.module and conversion.read in view.function.events:
            found.setdefault(conversion.place, conversion)
    return found


def _touches(view: View, conversion: Conversion, line: int) -> bool:
    """Whether a line is that of the read, of the value, or in the except clause between them."""
    if line == conversion.read.line or conversion.place[0] <= line <= conversion.place[2]:
        return True
    if conversion.number == NONE:
        return False
    clause = view.facts.tries[conversion.number].handlers[conversion.handler]
    return clause.line <= line <= clause.last_line


def _same(one: Conversion, two: Conversion) -> bool:
    return (one.module, one.place) == (two.module, two.place)


# the value


def _turn(view: View, conversion: Conversion) -> str:
    """`leads to the next turn of the loop in line 27`, where an except clause makes no value and goes on."""
    facts = view.facts
    if conversion.number == NONE or any(_makes(event, conversion) for event in view.function.events):
        return ""
    for loop in loops(facts, facts.tries[conversion.number].chain)[:1]:
        if goes_on(facts, loop, conversion.number, conversion.handler):
            return f"leads to the next turn of the loop in line {facts.loops[loop].line}"
    return ""


def _makes(event: Event, conversion: Conversion) -> bool:
    return _place(event) == conversion.place and event.kind in ("ret", "bind", "set")


def _becomes(program: Program, view: View, conversion: Conversion) -> str:
    """`becomes None`, `becomes number = 0`, `is answered with mark_down()`, `is passed over`."""
    made = next((event for event in view.function.events if _makes(event, conversion)), None)
    within = [e for e in view.function.events if _is_within(view, e, conversion)]
    made = made or next((event for event in within if event.kind in ("ret", "bind", "set")), None)
    if made is not None:
        term = made.a if made.kind == "ret" else made.b
        value = "None" if term == NONE else _value(view.value(term))
        if made.kind == "ret":
            return f"becomes {value}"
        name = made.a if made.kind == "bind" else said(view.value(made.a))
        return f"becomes {name} = {value}"
    graph = program.part(CallGraph)
    calls = [e for e in within if e.kind == "call" and not graph.is_log(view.module, e, view.number)]
    names = [name for e in calls if (name := last_name(view.terms, view.terms[e.a][1]))]
    return f"is answered with {names[-1]}()" if names else "is passed over"


def _is_within(view: View, event: Event, conversion: Conversion) -> bool:
    """Whether an event stands in the text of the except clause."""
    if conversion.number == NONE or not handler_here(view.facts, event, conversion.number, conversion.handler):
        return False
    return handler_of(view.facts, event.chain) == (conversion.number, conversion.handler)


def _value(value: Value) -> str:
    if value.kind in ("none", "true", "false"):
        return value.kind.capitalize()
    if value.kind == "lin" and value.args[1].number is not None:
        return f"{value.args[1].number:g}"
    if value.kind == "seq":
        parts = ", ".join(_value(part) for part in value.args[1])
        opening, closing = _BRACKETS.get(value.args[0], ("[", "]"))
        return f"{opening}{parts}{closing}"
    if value.kind == "map":
        return "{…}" if value.args[0] else "{}"
    return "an object" if value.kind == "obj" else said(value).replace("builtins.", "")


# the action


def _action(program: Program, taken: Taken) -> str:
    path = program.linked.modules[taken.view.module].path
    return f"{_name(taken)} in {path}:{taken.event.line} ({_DOES[taken.action.does]})"


def _name(taken: Taken) -> str:
    if taken.event.kind == "call":
        return f"{last_name(taken.view.terms, taken.view.terms[taken.event.a][1]) or taken.action.name}()"
    return f"the store to {taken.action.name}"


def _selected(program: Program, view: View, line: int | None) -> Iterator[tuple[int, str]]:
    """Each action of a function that a failure selects, with the place at which that became a value."""
    for taken in program.part(Selected).all:
        event = taken.event
        here = (taken.view.module, taken.view.number) == (view.module, view.number)
        if here and (line is None or event.line <= line <= event.end_line):
            conversion = taken.conversion
            terms = program.linked.modules[conversion.module].terms
            read = last_name(terms, terms[conversion.read.a][1]) or "call"
            path = program.linked.modules[conversion.module].path
            text = f"{_name(taken)} is selected by a failed {read}() too ({path}:{conversion.place[0]})"
            yield event.line, f"{text}: {_DOES[taken.action.does]}"


def _place(event: Event) -> Place:
    return event.line, event.column, event.end_line, event.end_column
