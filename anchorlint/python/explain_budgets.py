"""Explains budgets: what counts tries or ends them in time, its limit, what uses it up and what gives it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import NamedTuple

from anchorlint.domain.gate import said as instant_said
from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.budget_ends import Ends, Spent
from anchorlint.python.budget_limits import limit_of
from anchorlint.python.budget_paths import goes_on, inside, is_control, loops, tries_in
from anchorlint.python.budget_places import Write
from anchorlint.python.budget_refunds import Budget, Refunds
from anchorlint.python.link import Ref
from anchorlint.python.policy import Policy
from anchorlint.python.program import Program
from anchorlint.python.value import PATHS, Value, said
from anchorlint.python.view import View

Said = tuple[int, int, str]  #: first line, last line, what is said of them


class Asked(NamedTuple):
    """A test on some path of a function: its condition, whether it holds there, the path before it, its lines."""

    term: int
    holds: bool
    chain: int
    line: int
    end_line: int


def budgets(program: Program, function: Ref, line: int | None) -> list[str]:
    """What one function, or one line of it, has to do with budgets; a text for each place, in source order."""
    view = program.view(function)
    texts = [
        *_counted(program, view, function),
        *_handed_out(program, view),
        *_decorated(program, view, function),
        *_timed(program, view),
    ]
    wanted = [one for one in texts if line is None or one[0] <= line <= one[1]]
    return [f"{first}: {text}" for first, _, text in sorted(wanted)]


# counters


def _counted(program: Program, view: View, function: Ref) -> Iterator[Said]:
    for budget in program.part(Refunds).budgets:
        name = _name(program, budget)
        for write in budget.uses:
            if write.function == function:
                yield _at(write, f"a failure uses up budget {name}{_limit(program, budget)}{_back(program, budget)}")
        for writes, what in (
            (budget.starts, "begins"),
            (budget.refunds, "is given back"),
            (budget.again, "begins anew once it is over"),
        ):
            for write in writes:
                if write.function == function:
                    yield _at(write, f"budget {name} {what}")
        for test, _ in _over(program, view, budget.ends):
            yield test.line, test.end_line, f"budget {name} is held against its limit{_number(program, budget)}"


def _at(write: Write, text: str) -> Said:
    return write.event.line, write.event.end_line, text


def _name(program: Program, budget: Budget) -> str:
    kind, owner, name = budget.place
    if kind == "field" and isinstance(owner, Ref):
        return f"{program.linked.cls(owner).name}.{name}"
    return f"[{name!r}]" if kind == "entry" else name


def _number(program: Program, budget: Budget) -> str:
    """` of 8`, ` of self.most`, or nothing where the limit is neither a number nor something that has a name."""
    number = limit_of(program, budget)
    if number is None and budget.uses[0].step < 0:
        number = next((n for w in budget.starts if (n := _stored(program, w)) is not None), None)
    if number is not None:
        return f" of {number:g}"
    for end in budget.ends:
        value = program.view(end.function).value(end.limit) if end.limit >= 0 else None
        while value is not None and value.kind in ("case", "phi"):
            value = value.args[0][0][1] if value.kind == "case" else value.args[0][0]
        if value is not None and value.kind in PATHS and value.kind != "unknown":
            return f" of {said(value)}"
        if value is not None and value.kind == "lin" and value.args[1].terms:
            return f" of {instant_said('', value.args[1]).strip(' +')}"
    return ""


def _stored(program: Program, write: Write) -> float | None:
    value = program.view(write.function).value(write.value) if write.value >= 0 else None
    return value.args[1].number if value is not None and value.kind == "lin" else None


def _limit(program: Program, budget: Budget) -> str:
    tested = [
        _place(program, end.function.module, test.line)
        for function in dict.fromkeys(end.function for end in budget.ends)
        for test, end in _over(program, program.view(function), budget.ends)
    ]
    where = f", tested in {_listed(tested)}" if tested else ""
    number = _number(program, budget)
    return f" (limit{number.removeprefix(' of')}{where})" if number else f" (limit unknown{where})"


def _back(program: Program, budget: Budget) -> str:
    def places(writes: Iterable[Write]) -> str:
        return _listed([_place(program, w.function.module, w.event.line) for w in writes])

    if budget.refunds:
        return f"; given back in {places(budget.refunds)}"
    if budget.again:
        return f"; nothing gives it back, it begins anew once it is over ({places(budget.again)})"
    return "; nothing gives it back"


def _place(program: Program, module: int, line: int) -> str:
    return f"{program.linked.modules[module].path}:{line}"


def _listed(places: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(places))


def _over(program: Program, view: View, ends: tuple[Spent, ...]) -> Iterator[tuple[Asked, Spent]]:
    """The tests of a function that ask whether a budget is over, or its answers to that question; each line once."""
    seen = set()
    for test in (*_tests(view), *_answers(view)):
        found = program.part(Ends).spent(view, test.term, test.holds, timed=False)
        if found in ends and test.line not in seen:
            seen.add(test.line)
            yield test, found


def _answers(view: View) -> Iterator[Asked]:
    """The comparisons that a function returns."""
    for event in view.events("ret"):
        if event.a >= 0 and view.terms[event.a][0] in ("cmp", "bool", "un"):
            for holds in (True, False):
                yield Asked(event.a, holds, event.chain, event.line, event.end_line)


def _tests(view: View) -> Iterator[Asked]:
    """The tests on the paths of a function, those of joined branches included."""
    pending = [event.chain for event in view.function.events]
    seen: set[int] = set()
    while pending:
        chain = pending.pop()
        if chain <= 0 or chain in seen:
            continue
        seen.add(chain)
        frame = view.facts.chains[chain]
        pending.append(frame[0])
        if frame[1] == "join":
            pending.extend(frame[2])
        elif frame[1] == "test":
            yield Asked(frame[2], frame[3], frame[0], frame[5], frame[7])


# turns of a loop, calls of a decorator


def _handed_out(program: Program, view: View) -> Iterator[Said]:
    """The loops that give a number of tries to one piece of work."""
    for number, record in enumerate(view.facts.loops):
        if record.function != view.number or not program.part(Ends).hands_out(view, number):
            continue
        most = program.tries.turns(view.value(record.subject))
        tries = f"{most} tries" if most is not None else "a number of tries"
        caught = [
            str(view.facts.tries[one].handlers[handler].line)
            for one in tries_in(view.facts, number)
            for handler in range(len(view.facts.tries[one].handlers))
            if goes_on(view.facts, number, one, handler) and not is_control(view.facts, one, handler)
        ]
        lines = f"line{'s' if len(set(caught)) > 1 else ''} {_listed(caught)}"
        what = f"a failure caught in {lines}" if caught else "an answer that is no success"
        yield (
            record.line,
            record.end_line,
            f"the loop hands out {tries}; {what} uses one up, and only entering the loop anew gives them back",
        )


def _decorated(program: Program, view: View, function: Ref) -> Iterator[Said]:
    """The number of tries that a decorator gives to each call."""
    model = program.retries.sites.retry_of(function)
    if model is None or not view.function.decorators:
        return
    number = Policy(program.retries.engine, program.retries.failures, function, model).attempts()
    line = view.function.line
    if number is not None and isfinite(number):
        text = f"the decorator hands out {number:g} tries; a failure uses one up, and each call begins anew"
        yield line, line, text
    elif number is not None:
        yield line, line, "the decorator sets no limit to the number of tries"


# deadlines


def _timed(program: Program, view: View) -> Iterator[Said]:
    """The tests that end the tries of a loop because time has gone by."""
    ends, seen = program.part(Ends), set()
    for test in _tests(view):
        around = loops(view.facts, test.chain)
        if test.line in seen or not any(ends.tries_anew(view, loop) for loop in around):
            continue
        found = ends.spent(view, test.term, test.holds)
        if found is not None and found.kind == "time" and found.limit >= 0:
            seen.add(test.line)
            yield test.line, test.end_line, _time(program, program.view(found.function), found, around)


def _time(program: Program, view: View, spent: Spent, around: list[int]) -> str:
    """`the tries end once now is past the clock in line 36 + 1m, …`: the instant, and what sets it anew."""
    late, limit = _form(program, view.value(spent.term)), _form(program, view.value(spent.limit))
    form = late - limit if late is not None and limit is not None else Linear()
    readings = [atom for atom, _ in form.of_role(Role.NOW)]
    if not readings:
        return "the tries end once enough time has gone by"
    now = max(readings, key=lambda atom: _line(atom.key))
    instant = form.without(now) * (-1.0 / form.terms[now])
    start = next((atom for atom, factor in instant.terms.items() if factor == 1), None)
    if start is None:
        return f"the tries end once now is past {instant_said('', instant).strip(' +')}; waiting uses the time up"
    text = f"the clock in line {_line(start.key)}" if start.role is Role.NOW else start.text
    anew = _anew(view, start, around)
    until = instant_said(text, instant.without(start))
    return f"the tries end once now is past {until}; waiting uses the time up{anew}"


def _form(program: Program, value: Value) -> Linear | None:
    """The linear form of a value, of its first arm that has one where it has several."""
    if value.kind in ("case", "phi"):
        arms = [arm[1] if value.kind == "case" else arm for arm in value.args[0]]
        return next((form for arm in arms if (form := _form(program, arm)) is not None), None)
    found = program.engine.arithmetic.linear(value)
    return found[1] if found is not None else None


def _line(key: object) -> int:
    return next((k for k in key[2:] if isinstance(k, int)), 0) if isinstance(key, tuple) else 0


def _anew(view: View, start: Atom, around: list[int]) -> str:
    """What gives the time back: a new reading of the clock within the loop."""
    if start.role is Role.NOW:
        records = [view.facts.loops[loop] for loop in around]
        if any(record.line < _line(start.key) <= record.last_line for record in records):
            return f", and line {_line(start.key)} gives it back"
        return ", and nothing gives it back"
    if isinstance(start.key, Value) and start.key.kind == "loopvar":
        name = start.key.args[2]
        lines = [
            str(e.line) for e in view.events("bind") if e.a == name and any(inside(view.facts, e, n) for n in around)
        ]
        return f", and line {_listed(lines)} gives it back" if lines else ", and nothing gives it back"
    return ""
