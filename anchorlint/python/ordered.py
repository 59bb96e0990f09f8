"""Ordered handles: a number that only rises comes with each message, and is not used where its record is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anchorlint.knowledge.families import parts
from anchorlint.python.fences import Fence, Fences
from anchorlint.python.fieldnames import field_of
from anchorlint.python.forgotten import Forgotten, Sweep
from anchorlint.python.formula import literals
from anchorlint.python.view import View

if TYPE_CHECKING:
    from anchorlint.python.program import Program

_ORDERED = frozenset({"seq", "seqno", "sequence", "serial", "ordinal", "lsn", "version", "revision", "generation",
                      "epoch", "offset", "counter"})  # fmt: skip


class Unordered(NamedTuple):
    """`sweep` forgets what was done; `view` does it again although `handle` would tell an old message."""

    sweep: Sweep
    view: View
    handle: str


class OrderedHandles:
    """Finds ordered handles that nothing compares; one for a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.forgotten = program.part(Forgotten)
        self.fences = program.part(Fences)
        self._handed: dict[int, dict[int, frozenset[str]]] = {}

    def unused(self) -> Iterator[Unordered]:
        """The sweeps of what a message with an ordered handle has done, one for each sweep."""
        for sweep in self.forgotten.sweeps:
            fence = self.fences.around(sweep.touch.view.module)
            for view in () if fence.is_fenced_by_name else fence.views:
                handle = self._handle(view, sweep, fence)
                if handle is not None:
                    if not fence.is_fenced:
                        yield Unordered(sweep, view, handle)
                    break

    def _handle(self, view: View, sweep: Sweep, fence: Fence) -> str | None:
        names = sorted(self._names(view))
        if not names or not self.forgotten.remembers(view, sweep):
            return None
        return next((name for name in names if not self._is_compared(fence, name)), None)

    def _names(self, view: View) -> frozenset[str]:
        """The ordered fields of what the function is handed."""
        handed = self._handed.get(view.module)
        if handed is None:
            handed = self._handed[view.module] = _handed(view.terms)
        return handed.get(view.number, frozenset())

    def _is_compared(self, fence: Fence, name: str) -> bool:
        """Whether any condition of the unit orders the handle, or asks whether it is a certain one."""
        queries = self.forgotten.writes.queries
        for view in fence.views:
            for event in view.events("ret", "raise", "cont", "call", "set"):
                for literal in literals(view.condition(event.chain)) if event.chain else ():
                    sides = literal.args[1:3] if literal.kind == "cmp" else literal.args if literal.kind == "eq" else ()
                    if any(field_of(side, queries) == name for side in sides):
                        return True
        return any(field_of(side, queries) == name for t in fence.touches for side in _compared(t.where))


def _compared(formula: object) -> Iterator[object]:
    for literal in literals(formula):  # type: ignore[arg-type]
        if literal.kind == "cmp":
            yield from literal.args[1:3]
        elif literal.kind == "eq":
            yield from literal.args


def _handed(terms: list[tuple]) -> dict[int, frozenset[str]]:
    """The ordered fields of what each function of a module is handed, by the function's number."""
    found: dict[int, set[str]] = {}
    for term in terms:
        if term[0] == "attr":
            name = term[2]
        elif term[0] == "sub" and terms[term[2]][:2] == ("const", "str"):
            name = terms[term[2]][2]
        else:
            continue
        start = terms[term[1]]
        if start[0] == "param" and start[2] > 0 and _ORDERED & set(parts(name)):
            found.setdefault(start[1], set()).add(name)
    return {number: frozenset(names) for number, names in found.items()}
