"""Celery tasks: which function a name stands for, and under which name a function runs."""

from __future__ import annotations

from functools import cached_property

import msgspec

from anchorlint.python.link import Ref
from anchorlint.python.schedules.constants import text
from anchorlint.python.schedules.source import Source
from anchorlint.python.value import Value


class Task(msgspec.Struct, frozen=True):
    """A task of the project: its name and its function."""

    name: str
    ref: Ref
    entrypoint: str


class Tasks:
    """The tasks of a project by name."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def _by_function(self) -> dict[tuple[int, int], Task]:
        linked, found = self.source.linked, {}
        for module, facts in enumerate(linked.modules):
            for number, function in enumerate(facts.functions):
                for decorator in function.decorators:
                    if (stated := self._decorated(module, decorator)) is not None:
                        name = stated or f"{linked.dotted[module]}.{function.name}"
                        entrypoint = f"{linked.dotted[module]}:{function.qualname}"
                        found[module, number] = Task(name, Ref("fn", module, number), entrypoint)
        return found

    def _decorated(self, module: int, decorator: int) -> str | None:
        """The name that a task decorator states, "" for one without; None for another decorator."""
        terms = self.source.linked.modules[module].terms
        term = terms[decorator]
        callee = terms[term[1]] if term[0] == "call" else term
        ref = self.source.linked.expression(module, term[1] if term[0] == "call" else decorator)
        last = callee[2] if callee[0] == "attr" else ref.dotted.rpartition(".")[2] if ref else ""
        if last not in ("task", "shared_task", "periodic_task"):
            return None
        if callee[0] != "attr" and not (ref and ref.dotted.startswith("celery.")):
            return None
        given = dict(term[3]).get("name") if term[0] == "call" else None
        return "" if given is None else text(self.source.engine.view(module, 0).value(given)) or ""

    @cached_property
    def _by_name(self) -> dict[str, Task]:
        return {task.name: task for task in self._by_function.values()}

    def name(self, value: Value | None) -> str | None:
        """The name of a task that is given as a text, as its function, or as its `name`."""
        if value is not None and value.kind == "attr" and value.args[1] == "name":
            value = value.args[0]
        if value is not None and value.kind == "fn":
            task = self._by_function.get((value.args[0], value.args[1]))
            if task is None:
                function = self.source.linked.modules[value.args[0]].functions[value.args[1]]
                return f"{self.source.linked.dotted[value.args[0]]}.{function.name}"
            return task.name
        return text(value)

    def function(self, name: str) -> Task | None:
        """The task of a name; where none states it, the function that the dotted name leads to."""
        if name in self._by_name:
            return self._by_name[name]
        dotted, _, last = name.rpartition(".")
        suffix = dotted.replace(".", "/")
        for task in self._by_function.values():
            path = f"/{self.source.path(task.ref.module)}"
            meant = path.endswith((f"/{suffix}.py", f"/{suffix}/__init__.py"))
            if meant and task.name.rpartition(".")[2] == last:
                return task
        return None

    def of(self, module: int, function: int) -> Task | None:
        """The task that a function is, None if it is none."""
        return self._by_function.get((module, function))
