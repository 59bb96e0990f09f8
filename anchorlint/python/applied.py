"""Applied decorators: what stands above a function, by its dotted name, and what it is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from anchorlint.python.evaluate import Evaluator
from anchorlint.python.link import Ref
from anchorlint.python.value import Value


class Applied(NamedTuple):
    """One decorator; `name` is empty where nothing tells what it is."""

    name: str
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]


def applied(engine: Evaluator, function: Ref) -> Iterator[Applied]:
    """The decorators of a function, the outermost first."""
    linked = engine.linked
    record = linked.function(function)
    view = engine.view(function.module, max(record.outer, 0))
    for number in record.decorators:
        term = linked.modules[function.module].terms[number]
        called = term[0] == "call"
        ref = linked.expression(function.module, term[1] if called else number)
        name = ref.dotted.removeprefix("builtins.") if ref is not None and ref.kind == "ext" else ""
        if called and not name:
            name = engine.calls.target(view.value(term[1]))
        args = tuple(view.value(n) for n in term[2]) if called else ()
        kwargs = tuple((k, view.value(n)) for k, n in term[3] if k) if called else ()
        yield Applied(name, args, kwargs)
