"""What can be no constant by its term is none by its value, over every program of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anchorlint.python.confusion import is_constant
from anchorlint.python.constants import Constants
from anchorlint.python.facts import NONE, Event, Facts, read
from anchorlint.python.program import Program
from anchorlint.python.value import Value
from anchorlint.python.view import View

CASES = sorted(path for path in (Path(__file__).parents[2] / "cases").rglob("*.py"))


def read_all() -> list[Facts]:
    """The programs of the cases as files of one program."""
    return [read(f"case_{number}.py", path.read_text(encoding="utf-8")) for number, path in enumerate(CASES)]


def answers(program: Program) -> Iterator[tuple[View, Event, Value]]:
    """Each value that an exit of a function hands back, the arms of a choice one by one."""
    for function in program.functions():
        program.engine.ask(repr(function))
        view = program.view(function)
        for event in view.events("ret"):
            if event.a != NONE:
                value = view.value(event.a)
                for arm in [arm for _, arm in value.args[0]] if value.kind == "case" else [value]:
                    yield view, event, arm


def test_no_constant_comes_from_a_term_that_may_be_none() -> None:
    program = Program(read_all(), include_tests=True)
    constants = Constants(program.linked, program.relevance.callees)
    told = [
        (is_constant(value), constants.may_be(view.module, event.a), f"{view!r}:{event.line} {value!r}")
        for view, event, value in answers(program)
    ]
    assert [text for is_one, may_be, text in told if is_one and not may_be] == []
    assert sum(is_one for is_one, _, _ in told) > 100
    assert sum(not may_be for _, may_be, _ in told) > 100
