"""Statements to facts: one forward walk that keeps, for each name, its value and the condition under which it holds."""

from __future__ import annotations

import ast
from typing import Any

from anchorlint.python.expressions import MOST_STORES, Env
from anchorlint.python.facts import NONE, Class, Facts, Function
from anchorlint.python.guards import Guards


class Walk(Guards):
    """Walks one module. `self.alive` is false once the current path has left."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(path, text)
        self.later: list[tuple[int, Any]] = []
        self.in_class = False

    def facts(self, tree: ast.Module) -> Facts:
        """Walk the module and return its tables."""
        self.functions.append(Function("<module>", "<module>", 1, 1, 1, -1, -1, (), (), NONE, "", ()))
        self.walk_body(tree.body)
        self._close(0)
        self._walk_later()
        globals_ = {name: term for name, term in self.env.items() if isinstance(name, str)}
        return Facts(
            self.path, self.term.terms, self.chains, self.functions, self.classes,
            self.loops, self.tries, globals_, tuple(self.stars),
        )  # fmt: skip

    # functions and classes

    def run_function(self, number: int, node: Any, body: list[ast.stmt], flags: str) -> None:
        """Walk a function's body in an environment of its own."""
        kept = (self.env, self.chain, self.function, self.events, self.flags, self.alive, self.cells)
        kept_loops, kept_later, kept_class = (self.breaks, self.open_loops), self.later, (self.in_class, self.class_now)
        if self.function and not self.in_class:
            self.scopes.append((self.function, self.env))
        self.env = {p.name: self.term("param", number, i) for i, p in enumerate(self.functions[number].params)}
        self.chain, self.function, self.events, self.flags, self.alive, self.cells = 0, number, [], flags, True, set()
        self.breaks, self.open_loops, self.later, self.in_class, self.class_now = {}, [], [], False, -1
        self.walk_body(body)
        if self.alive:
            last = body[-1]
            self.event("end", last, NONE, NONE, self._stores())
        self._close(number)
        self._walk_later()
        self.env, self.chain, self.function, self.events, self.flags, self.alive, self.cells = kept
        (self.breaks, self.open_loops), self.later, (self.in_class, self.class_now) = kept_loops, kept_later, kept_class
        if self.function and not self.in_class:
            self.scopes.pop()

    def _close(self, number: int) -> None:
        self.functions[number] = self.functions[number]._replace(events=tuple(self.events), flags=self.flags)

    def _walk_later(self) -> None:
        later, self.later = self.later, []
        for number, node in later:
            self.run_function(number, node, node.body, "a" if isinstance(node, ast.AsyncFunctionDef) else "")

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        number = self.define(node, node.name, node.args, node.decorator_list, node.returns)
        self.env[node.name] = self.term("def", number)
        self.later.append((number, node))

    def _class(self, node: ast.ClassDef) -> None:
        number = len(self.classes)
        bases, decorators = self.all(node.bases), self.all(node.decorator_list)
        keywords = tuple([(k.arg or "", self.expr(k.value)) for k in node.keywords])
        outer = f"{self.classes[self.class_now][1]}." if self.class_now >= 0 else ""
        line = node.lineno
        self.classes.append(
            Class(node.name, outer + node.name, line, self.function, bases, keywords, decorators, (), ())
        )
        kept = (self.env, self.class_now, self.in_class, self.alive)
        self.env, self.class_now, self.in_class = dict(self.env), number, True
        before, later_from = dict(self.env), len(self.later)
        annotated = {
            s.target.id: (self.annotation(s.annotation), s.lineno)
            for s in node.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }
        self.walk_body(node.body)
        fields, methods = self._members(node, before, annotated)
        self.classes[number] = self.classes[number]._replace(fields=fields, methods=methods)
        for position in range(later_from, len(self.later)):
            method, definition = self.later[position]
            self.later[position] = (method, definition)
        self.env, self.class_now, self.in_class, self.alive = kept
        self.env[node.name] = self.term("classdef", number)

    def _members(self, node: ast.ClassDef, before: Env, annotated: dict[str, tuple[int, int]]) -> tuple[Any, Any]:
        fields, methods = [], []
        lines = {
            t.id: s.lineno for s in node.body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)
        }
        names = [n for n in self.env if isinstance(n, str) and self.env[n] != before.get(n)]
        for name in dict.fromkeys([*annotated, *names]):
            value = self.env.get(name, NONE) if name in names else NONE
            kind = self.term.terms[value] if value >= 0 else ("",)
            if kind[0] == "def" and kind[1] > 0 and self.functions[kind[1]].name == name:
                methods.append((name, kind[1]))
            else:
                note, line = annotated.get(name, (NONE, lines.get(name, node.lineno)))
                fields.append((name, value, note, line))
        return tuple(fields), tuple(methods)

    # statements
    def walk_body(self, body: list[ast.stmt]) -> None:
        """Walk statements until the path leaves."""
        for statement in body:
            if not self.alive:
                return
            handler = _STATEMENTS.get(type(statement))
            if handler is not None:
                getattr(self, handler)(statement)

    def _expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.expr(node.value)

    def _assign(self, node: ast.Assign) -> None:
        value = self.expr(node.value)
        for target in node.targets:
            self.assign(target, value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value))

    def _augmented(self, node: ast.AugAssign) -> None:
        operation = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
        self.assign(node.target, self.expr(operation))

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                key = self.place_of_store(target)
                self.env.pop(key, None)
                self.event("del", target, key)
            elif isinstance(target, ast.Name):
                self.env.pop(target.id, None)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.env[name] = self.term("import", alias.name if alias.asname else name, "", 0)

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((node.module or "", node.level))
            else:
                term = self.term("import", node.module or "", alias.name, node.level)
                self.env[alias.asname or alias.name] = term

    def _global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.cells.update(node.names)

    def _stores(self) -> tuple[tuple[Any, int], ...]:
        stores = [(k, v) for k, v in self.env.items() if isinstance(k, int)]
        loop_names = {n for loop in self.open_loops for n in self.loops[loop].names}
        stores += [(n, self.env[n]) for n in sorted(loop_names) if n in self.env]
        return tuple(stores) if len(stores) <= MOST_STORES else ()

    def _leave(self, kind: str, node: ast.stmt, a: Any, b: int = NONE) -> None:
        self.event(kind, node, a, b, self._stores())
        self.alive = False

    def _return(self, node: ast.Return) -> None:
        value = self.expr(node.value) if node.value else self.constant(None)
        self._leave("ret", node, value)

    def _raise(self, node: ast.Raise) -> None:
        cause = NONE
        if node.cause is not None:
            empty = isinstance(node.cause, ast.Constant) and node.cause.value is None
            cause = -2 if empty else self.expr(node.cause)
        self._leave("raise", node, self.expr(node.exc), cause)

    def _continue(self, node: ast.Continue) -> None:
        if self.open_loops:
            self._leave("cont", node, self.open_loops[-1])

    def _break(self, node: ast.Break) -> None:
        if self.open_loops:
            self.breaks[self.open_loops[-1]].append((self.chain, dict(self.env)))
            self._leave("brk", node, self.open_loops[-1])

    def _assert(self, node: ast.Assert) -> None:
        condition, outside = self.expr(node.test), self.chain
        self.chain = self.tested(condition, False, True, node.test)
        error = self.term("call", self.term("name", "AssertionError"), (), (), *self.place(node))
        self.event("raise", node, error, NONE, self._stores())
        self.chain = outside
        self.chain = self.tested(condition, True, False, node.test)


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as an expression that is read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


_STATEMENTS: dict[type, str] = {
    ast.FunctionDef: "_function", ast.AsyncFunctionDef: "_function", ast.ClassDef: "_class", ast.Expr: "_expression",
    ast.Assign: "_assign", ast.AnnAssign: "_annotated", ast.AugAssign: "_augmented", ast.Delete: "_delete",
    ast.Import: "_import", ast.ImportFrom: "_import_from", ast.Global: "_global", ast.Nonlocal: "_global",
    ast.Return: "_return", ast.Raise: "_raise", ast.Continue: "_continue", ast.Break: "_break",
    ast.Assert: "_assert", ast.If: "_if", ast.Match: "_match", ast.While: "_while", ast.For: "_for",
    ast.AsyncFor: "_for", ast.Try: "_try", ast.TryStar: "_try", ast.With: "_with", ast.AsyncWith: "_with",
}  # fmt: skip
