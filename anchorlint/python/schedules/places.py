"""Where the parts of an expression stand: facts place whole calls and mappings, a schedule rule points into them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from anchorlint.domain.span import Span

Place = tuple[int, int, int, int]


class Owner(NamedTuple):
    """What an expression stands within: the body of a `with` on these expressions, or of a function with decorators."""

    kind: str  #: with or def
    parts: tuple[ast.expr, ...]
    name: str


class Places:
    """The calls and mappings of one file by their place, line and column from 1 in code points."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._tree = tree

    @cached_property
    def _nodes(self) -> dict[Place, ast.Call | ast.Dict]:
        found: dict[Place, ast.Call | ast.Dict] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.Call, ast.Dict)):
                found.setdefault(self.place(node), node)
        return found

    @cached_property
    def _owners(self) -> list[tuple[Place, Owner]]:
        found: list[tuple[Place, Owner]] = []
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.With, ast.AsyncWith)):
                owner = Owner("with", tuple(item.context_expr for item in node.items), "")
                found.append((self._body(node.body), owner))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append((self._body(node.body), Owner("def", tuple(node.decorator_list), node.name)))
        return sorted(found, key=lambda pair: pair[0], reverse=True)

    def place(self, node: ast.expr | ast.stmt) -> Place:
        """The place of a node, its end exclusive."""
        last = node.end_lineno or node.lineno
        end = self._column(last, node.end_col_offset or 0)
        return node.lineno, self._column(node.lineno, node.col_offset), last, end

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode("utf-8", "ignore")) + 1

    def _body(self, body: list[ast.stmt]) -> Place:
        first, last = self.place(body[0]), self.place(body[-1])
        return first[0], first[1], last[2], last[3]

    def span(self, place: Place) -> Span:
        """A place as a span of this file."""
        return Span.of(self._path, *place)

    def argument(self, place: Place, name: str, position: int | None) -> Span:
        """The value of an argument; where it comes out of `**` that expression, else the whole call."""
        node = self._nodes.get(place)
        if not isinstance(node, ast.Call):
            return self.span(place)
        for keyword in node.keywords:
            if keyword.arg == name:
                return self.span(self.place(keyword.value))
        plain = node.args if not any(isinstance(arg, ast.Starred) for arg in node.args) else []
        if position is not None and position < len(plain):
            return self.span(self.place(plain[position]))
        merged = next((keyword.value for keyword in node.keywords if keyword.arg is None), None)
        return self.span(self.place(merged)) if merged is not None else self.span(place)

    def given(self, target: Place) -> Span:
        """What is assigned to a target; the target itself where that cannot be told."""
        value = self._given.get(target)
        return self.span(self.place(value)) if value is not None else self.span(target)

    @cached_property
    def _given(self) -> dict[Place, ast.expr]:
        found: dict[Place, ast.expr] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign):
                found.update((self.place(target), node.value) for target in node.targets)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                found[self.place(node.target)] = node.value
        return found

    def entry(self, place: Place, key: str) -> tuple[Span, Span] | None:
        """The key and the value of an entry of a mapping display or of `dict(…)`."""
        node = self._nodes.get(place)
        if isinstance(node, ast.Dict):
            for each, value in zip(node.keys, node.values, strict=True):
                if isinstance(each, ast.Constant) and each.value == key:
                    return self.span(self.place(each)), self.span(self.place(value))
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == key:
                    argument = self.span(self.place(keyword.value))
                    return argument, argument
        return None

    def owners(self, place: Place) -> Iterator[Owner]:
        """What a place stands within, the innermost first."""
        for body, owner in self._owners:
            if body[:2] <= place[:2] and place[2:] <= body[2:]:
                yield owner

    def assigned(self, name: str, before: Place) -> Place | None:
        """The call that was assigned to a name last before a place; None where it is something else."""
        found: tuple[Place, ast.expr] | None = None
        for node in ast.walk(self._tree):
            value: ast.expr | None = None
            if isinstance(node, ast.Assign) and any(_names(target, name) for target in node.targets):
                value = node.value
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                value = next((i.context_expr for i in node.items if _names(i.optional_vars, name)), None)
            if value is not None and self.place(value)[:2] < before[:2] and (not found or found[0] < self.place(value)):
                found = self.place(value), value
        return found[0] if found and isinstance(found[1], ast.Call) else None


def _names(target: ast.expr | None, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name
