"""Explains a file or a line: clocks, gates, horizons, what tries again and how often, what a failed read becomes."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.domain.duration import spoken
from anchorlint.domain.gate import said
from anchorlint.domain.linear import Linear, Role
from anchorlint.python.explain_budgets import budgets
from anchorlint.python.explain_outcomes import outcomes
from anchorlint.python.facts import Event
from anchorlint.python.gates import Seen
from anchorlint.python.link import Ref
from anchorlint.python.program import Program
from anchorlint.python.retried import Retried
from anchorlint.python.terms import place
from anchorlint.python.value import Value
from anchorlint.python.view import View


def explain(program: Program, path: str, line: int | None = None) -> str:
    """What is seen in a file, or on one line of it, as text; a sentence that says so where nothing is."""
    module = next((n for n, f in enumerate(program.linked.modules) if f.path == path), None)
    if module is None:
        return f"{path} is not part of the program\n"
    found = [text for function in _functions(program, module, line) for text in _of_function(program, function, line)]
    where = path if line is None else f"{path}:{line}"
    if found:
        return "\n".join(found) + "\n"
    return f"no time value, gate, retry, budget or failed read is seen in {where}\n"


def _functions(program: Program, module: int, line: int | None) -> Iterator[Ref]:
    for number, record in enumerate(program.linked.modules[module].functions):
        if line is None or number == 0 or record.line <= line <= record.end_line:
            yield Ref("fn", module, number)


def _of_function(program: Program, function: Ref, line: int | None) -> Iterator[str]:
    view = program.view(function)
    program.engine.ask("explain")
    texts = [
        *_times(program, view, line),
        *_gates(program, view, line),
        *_retries(program, function, line),
        *budgets(program, function, line),
        *outcomes(program, function, line),
    ]
    if texts:
        yield f"{view.facts.path}:{view.function.line} {view.function.qualname}"
        yield from (f"  {text}" for text in sorted(dict.fromkeys(texts), key=lambda text: int(text.partition(":")[0])))


# time values


def _times(program: Program, view: View, line: int | None) -> Iterator[str]:
    """Each name and field that holds a time value, with its anchor."""
    for event in view.function.events:
        if event.kind in ("bind", "set", "ret") and (line is None or event.line <= line <= event.end_line):
            number = event.a if event.kind == "ret" else event.b
            if number is None or number < 0:
                continue
            text = _anchor(view.value(number))
            if text:
                yield f"{event.line}: {_name(view, event)} = {text}"


def _name(view: View, event: Event) -> str:
    if event.kind == "bind":
        return str(event.a)
    if event.kind == "ret":
        return "returns"
    from anchorlint.python.value import said as called

    target = view.terms[event.a]
    base = called(view.value(target[1])) if target[0] in ("attr", "sub") else ""
    return f"{base}.{target[2]}" if target[0] == "attr" else f"{base}[…]"


def _anchor(value: Value) -> str:
    """A time value in words, with what it is anchored to; empty for anything else."""
    if value.kind == "minmax":
        parts = [_anchor(p) for p in value.args[1]]
        return f"{value.args[0]}({', '.join(parts)})" if all(parts) else ""
    if value.kind != "lin":
        return ""
    dim, form = value.args
    now = form.of_role(Role.NOW)
    if now:
        atom, speed = now[0]
        clock = atom.key[0] if isinstance(atom.key, tuple) else "wall"
        rest = form.without(atom) * (1.0 / speed)
        unit = "" if abs(speed) == 1 else f", in {_unit(abs(speed))}"
        return f"{said('now', rest)}  (slides with the {clock} clock{unit})"
    items = form.of_role(Role.ITEM)
    if items and (dim in ("dt", "td") or form.constant or len(form.terms) > 1):
        atom, factor = items[0]
        return f"{_sum(form)}  (pinned to {atom.text})" if factor > 0 else ""
    number = form.number
    return f"{spoken(number)}  (a duration)" if dim == "td" and number is not None else ""


def _unit(speed: float) -> str:
    return {1000.0: "ms", 1e6: "µs", 1e9: "ns"}.get(speed, f"1/{speed:g} s")


def _sum(form: Linear) -> str:
    parts = []
    for atom, factor in form.terms.items():
        sign = "-" if factor < 0 else "+"
        scale = "" if abs(factor) == 1 else f"{abs(factor):g} * "
        parts.append(f"{sign} {scale}{atom.text}")
    if form.constant:
        parts.append(f"{'-' if form.constant < 0 else '+'} {abs(form.constant):g}")
    return " ".join(parts).removeprefix("+ ")


# gates


def _gates(program: Program, view: View, line: int | None) -> Iterator[str]:
    """Each comparison of a clock with an instant that stays, in this function as its callers call it."""
    wanted = [
        (number, place(term))
        for number, term in enumerate(view.terms)
        if term[0] == "cmp" and (line is None or place(term)[0] <= line <= place(term)[2])
    ]
    contexts = program.retries.contexts.of(Ref("fn", view.module, view.number)) if view.number else ()
    owner = (view.module, view.number) if view.number else None
    for number, where in wanted:
        if program.closed.owner(view.module, where[0]) != owner:
            continue
        for context in (view, *(c.view for c in contexts)):
            for seen in program.gates.within(context.value(number)):
                if seen.place == (view.module, *where):
                    yield _gate(seen)


def _gate(seen: Seen) -> str:
    gate = seen.gate
    what = "closes: holds until" if gate.closing else "opens: holds after"
    later = ", and never again" if gate.closing else ", for ever"
    number = "" if gate.slack_s is not None else " (a part of it has no known number)"
    return f"{seen.place[1]}: gate {what} {gate.text}{later}{number}"


# retries


def _retries(program: Program, function: Ref, line: int | None) -> Iterator[str]:
    """What makes an item of this function be tried again, and the gates that decide it."""
    for retried in program.retries.of(function):
        site = retried.site
        if line is not None and not site.event.line <= line <= site.event.end_line:
            continue
        leaf = program.gates.of(retried.cause.literal)
        tries = program.tries.most(retried)
        most = f", at most {tries} tries" if tries is not None else ""
        if leaf is not None:
            where = f"{program.linked.modules[leaf.place[0]].path}:{leaf.place[1]}"
            yield f"{site.event.line}: tried again ({site.kind}{most}) once {_state(leaf, retried)} ({where})"


def _state(leaf: Seen, retried: Retried) -> str:
    return f"now is {'before' if leaf.gate.closing else 'past'} {leaf.gate.text}"
