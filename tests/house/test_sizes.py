"""Small files, small functions, a sentence for each module: the shape that keeps the house readable."""

from __future__ import annotations

import ast
import re
import statistics

import pytest

from house.source import ROOT, Module, functions, modules

FILE_LINES = 300
FUNCTION_LINES = 60
# Files that may be longer, each with its own bound and the reason.
LONGER: dict[str, int] = {}
# click asks for a command under this name.
OVERRIDES = {"get_command"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}

every_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.path)


@every_module
def test_a_file_stays_small(module: Module) -> None:
    assert module.lines <= LONGER.get(module.path, FILE_LINES)


def test_no_exception_is_kept_for_nothing() -> None:
    lines = {module.path: module.lines for module in modules()}
    assert all(lines.get(path, 0) > FILE_LINES for path in LONGER)


@every_module
def test_a_function_stays_small(module: Module) -> None:
    for function in functions(module):
        length = (function.end_lineno or 0) - function.lineno + 1
        assert length <= FUNCTION_LINES, f"{module.path}:{function.lineno}: {function.name} has {length} lines"


def test_the_usual_function_is_short() -> None:
    lengths = [(f.end_lineno or 0) - f.lineno + 1 for module in modules() for f in functions(module)]
    assert statistics.median(lengths) <= 12


@every_module
def test_a_module_says_what_it_is_for(module: Module) -> None:
    text = ast.get_docstring(module.tree)
    assert text, f"{module.path} has no docstring"
    assert text.split("\n\n")[0].rstrip().endswith("."), f"{module.path}: its docstring does not open with a sentence"


@every_module
def test_public_functions_are_described(module: Module) -> None:
    for node in _public(module.tree):
        assert ast.get_docstring(node), f"{module.path}:{node.lineno}: {node.name} has no docstring"


@every_module
def test_names_say_something(module: Module) -> None:
    assert not VAGUE & set(re.split(r"[/_.]", module.path)), module.path
    for function in functions(module):
        is_getter = function.name.startswith("get_") and function.name not in OVERRIDES
        assert not is_getter, f"{module.path}:{function.lineno}: {function.name}"


def test_rules_hold_no_code() -> None:
    rules = ROOT / "rules"
    assert not [file for file in rules.rglob("*.py") if (rules / "demo") not in file.parents]


def _public(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    top = [node for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]
    classes = [node for node in top if isinstance(node, ast.ClassDef)]
    inner = [node for outer in classes for node in outer.body if isinstance(node, kinds)]
    return [*top, *(node for node in inner if not node.name.startswith("_"))]
