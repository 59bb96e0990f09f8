"""What the house tests read: the modules of anchorlint, parsed once."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "anchorlint"


class Module(msgspec.Struct, frozen=True):
    """One module: its path from the root with `/`, its number of lines and its tree."""

    path: str
    lines: int
    tree: ast.Module

    @property
    def package(self) -> str:
        """The layer it belongs to: `python` for anchorlint/python/names.py, `main` for anchorlint/main.py."""
        return self.path.split("/")[1].removesuffix(".py")


@functools.cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, sorted by path."""
    return tuple(_read(file) for file in sorted(PACKAGE.rglob("*.py")))


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module, nested ones included."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _read(file: Path) -> Module:
    text = file.read_text(encoding="utf-8")
    return Module(file.relative_to(ROOT).as_posix(), text.count("\n"), ast.parse(text))
