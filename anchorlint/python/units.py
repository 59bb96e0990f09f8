"""Units: the modules that work on the same records, by what imports what."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anchorlint.python.facts import Event
from anchorlint.python.link import Ref
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

MOST_MODULES = 24
MOST_FUNCTIONS = 500


class Units:
    """Knows which modules stand together; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linked = program.linked
        self._imports: list[frozenset[int]] | None = None
        self._importers: dict[int, set[int]] = {}
        self._views: dict[int, tuple[View, ...]] = {}
        self._around: dict[int, tuple[int, ...]] = {}

    def views(self, module: int) -> tuple[View, ...]:
        """Every function of the modules around one, each with parameters that stand for themselves."""
        found = self._views.get(module)
        if found is None:
            made: list[View] = []
            for number in self.around(module):
                for function in range(len(self.linked.modules[number].functions)):
                    made.append(self.program.engine.view(number, function))
            found = self._views[module] = tuple(made[:MOST_FUNCTIONS])
        return found

    def around(self, module: int) -> tuple[int, ...]:
        """The module, what it imports, who imports it, and who else imports what it imports, the nearest first."""
        found = self._around.get(module)
        if found is None:
            found = self._around[module] = self._near(module)
        return found

    def _near(self, module: int) -> tuple[int, ...]:
        order: dict[int, None] = {module: None}
        imports, importers = self._links()
        beside = [*sorted(imports[module]), *sorted(importers.get(module, ()))]
        order.update(dict.fromkeys(beside))
        for number in sorted(imports[module]):
            order.update(dict.fromkeys(sorted(importers.get(number, ()))))
        tests = self.program.tests
        kept = [n for n in order if n == module or n not in tests]
        return tuple(kept[:MOST_MODULES])

    def _links(self) -> tuple[list[frozenset[int]], dict[int, set[int]]]:
        if self._imports is None:
            self._imports = [self._imported(n) for n in range(len(self.linked.modules))]
            for number, imported in enumerate(self._imports):
                for other in imported:
                    self._importers.setdefault(other, set()).add(number)
        return self._imports, self._importers

    def _imported(self, module: int) -> frozenset[int]:
        found = set()
        terms = self.linked.modules[module].terms
        for number in self.linked.indexes[module].kinds.get("import", ()):
            _, name, attribute, level = terms[number]
            if not level and name.partition(".")[0] in sys.stdlib_module_names:
                continue
            ref = self.linked.imported(module, name, attribute, level)
            if ref.module >= 0 and ref.module != module:
                found.add(ref.module)
        return frozenset(found)


def called(view: View, event: Event) -> View | None:
    """The view of the project's function that a call enters, None for any other call."""
    engine = view.engine
    term = view.terms[event.a]
    callee = view.value(term[1])
    if callee.kind != "fn":
        return None
    module, number, bound, closure = callee.args
    args = [view.value(n) for n in term[2] if view.terms[n][0] != "star"]
    kwargs = tuple([(k, view.value(n)) for k, n in term[3] if k])
    given = engine.calls.bind(Ref("fn", module, number), tuple(args if bound is None else [bound, *args]), kwargs)
    if given is None or any(g is not None and g.size > 400 for g in given):
        return None
    return engine.view(module, number, given, closure)


def callees(view: View) -> Iterator[tuple[Event, View]]:
    """The calls of a function that enter another one of the project."""
    for event in view.events("call"):
        inner = called(view, event)
        if inner is not None and inner is not view:
            yield event, inner
