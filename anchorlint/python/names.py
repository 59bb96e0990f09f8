"""Module-level names, as values: numbers keep the name that they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anchorlint.domain.linear import Atom, Linear, Role
from anchorlint.python.link import Ref
from anchorlint.python.value import Value

if TYPE_CHECKING:
    from anchorlint.python.evaluate import Evaluator


class Names:
    """What module-level names stand for, as values."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self._globals: dict[tuple[int, str], Value] = {}
        self._cells: dict[int, set[str]] = {}
        self._lines: dict[int, dict[str, int]] = {}

    def global_value(self, module: int, name: str) -> Value:
        """The value of a name at module level."""
        key = (module, name)
        found = self._globals.get(key)
        if found is None:
            self._globals[key] = self.engine.values("global", module, name)
            found = self._globals[key] = self.of_ref(self.engine.linked.name(module, name), name)
        return found

    def of_ref(self, ref: Ref, name: str = "") -> Value:
        """The value of what a name refers to; a number keeps the name that it was given."""
        values = self.engine.values
        if ref.kind == "fn":
            return values("fn", ref.module, ref.number, None, None)
        if ref.kind == "cls":
            return values("cls", ref.module, ref.number)
        if ref.kind == "mod":
            return values("mod", ref.module)
        if ref.kind == "ext":
            return self._outside(ref.dotted)
        owner = name or self._name_of(ref)
        if owner in self._shared(ref.module):
            return values("cell", ref.module, 0, owner)
        value = self.engine.view(ref.module, 0).value(ref.number)
        return self.named(value, owner, ref.module, self._line(ref.module, owner))

    def _outside(self, dotted: str) -> Value:
        values = self.engine.values
        if dotted == "builtins.None":
            return values.none
        if dotted in ("builtins.True", "builtins.False"):
            return values.truth(dotted.endswith("True"))
        return values("ext", dotted)

    def _name_of(self, ref: Ref) -> str:
        globals_ = self.engine.linked.modules[ref.module].globals
        return next((n for n, t in globals_.items() if t == ref.number), "")

    def named(self, value: Value, name: str, module: int, line: int, note: str = "") -> Value:
        """A number under a name: texts can then say both the name and the number."""
        if value.kind != "lin":
            return value
        dim, form = value.args
        number = form.number
        if number is None or form.of_role(Role.NOW) or not name:
            return value
        path = self.engine.linked.modules[module].path
        atom = Atom(Role.NAMED, (module, name, number), name, number, (path, line, note))
        return self.engine.values("lin", dim, Linear(((atom, 1.0),)))

    def _shared(self, module: int) -> set[str]:
        """The module's variables that a `global` statement lets functions assign."""
        found = self._cells.get(module)
        if found is None:
            terms = self.engine.linked.modules[module].terms
            found = self._cells[module] = {t[2] for t in terms if t[0] == "cell" and t[1] == 0}
        return found

    def _line(self, module: int, name: str) -> int:
        lines = self._lines.get(module)
        if lines is None:
            body = self.engine.linked.modules[module].functions[0]
            lines = self._lines[module] = {e.a: e.line for e in body.events if e.kind == "bind"}
        return lines.get(name, 1)
