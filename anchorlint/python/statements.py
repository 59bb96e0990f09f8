"""Statements to facts: one forward walk that keeps, for each name, its value and the condition under which it holds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from anchorlint.python.binding import Env
from anchorlint.python.facts import NONE, Class, Facts, Function
from anchorlint.python.guards import Guards

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_STORES = 60  #: values kept at one exit; a function with more is no place where a status decides


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
            self.path, self.terms, self.chains, self.functions, self.classes,
            self.loops, self.tries, globals_, tuple(self.stars),
        )  # fmt: skip

    # functions and classes

    def run_function(self, number: int, node: Any, body: list[ast.stmt], flags: str) -> None:
        """Walk a function's body in an environment of its own."""
        kept = (self.env, self.stored, self.chain, self.function, self.events, self.flags, self.alive, self.cells)
        kept_loops, kept_later, kept_class = (self.breaks, self.open_loops), self.later, (self.in_class, self.class_now)
        if self.function and not self.in_class:
            self.scopes.append((self.function, self.env))
        self.env, self.stored, self.chain, self.function, self.events = {}, False, 0, number, []
        self.flags, self.alive, self.cells, self.later = flags, True, set(), []
        self.breaks, self.open_loops, self.in_class, self.class_now = {}, [], False, -1
        for position, param in enumerate(self.functions[number].params):
            self.env[param[0]] = self.term(("param", number, position))
        self.walk_body(body)
        if self.alive:
            last = body[-1]
            self.event("end", last, NONE, NONE, self._stores())
        self._close(number)
        self._walk_later()
        self.env, self.stored, self.chain, self.function, self.events, self.flags, self.alive, self.cells = kept
        (self.breaks, self.open_loops), self.later, (self.in_class, self.class_now) = kept_loops, kept_later, kept_class
        if self.function and not self.in_class:
            self.scopes.pop()

    def _close(self, number: int) -> None:
        self.functions[number] = Function(*self.functions[number][:10], self.flags, tuple(self.events))

    def _walk_later(self) -> None:
        later, self.later = self.later, []
        for number, node in later:
            self.run_function(number, node, node.body, "a" if isinstance(node, ast.AsyncFunctionDef) else "")

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        number = self.define(node, node.name, node.args, node.decorator_list, node.returns)
        self.env[node.name] = self.term(("def", number))
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
        before = dict(self.env)
        annotated = {
            s.target.id: (self.annotation(s.annotation), s.lineno)
            for s in node.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }
        self.walk_body(node.body)
        fields, methods = self._members(node, before, annotated)
        self.classes[number] = self.classes[number]._replace(fields=fields, methods=methods)
        self.env, self.class_now, self.in_class, self.alive = kept
        self.env[node.name] = self.term(("classdef", number))

    def _members(self, node: ast.ClassDef, before: Env, annotated: dict[str, tuple[int, int]]) -> tuple[Any, Any]:
        fields, methods = [], []
        lines = {
            t.id: s.lineno for s in node.body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)
        }
        names = [n for n in self.env if isinstance(n, str) and self.env[n] != before.get(n)]
        for name in dict.fromkeys([*annotated, *names]):
            value = self.env.get(name, NONE) if name in names else NONE
            kind = self.terms[value] if value >= 0 else ("",)
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
                handler(self, statement)

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
            self.env[name] = self.term(("import", alias.name if alias.asname else name, "", 0))

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((node.module or "", node.level))
            else:
                term = self.term(("import", node.module or "", alias.name, node.level))
                self.env[alias.asname or alias.name] = term

    def _global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.cells.update(node.names)

    def _stores(self) -> tuple[tuple[Any, int], ...]:
        stores = [item for item in self.env.items() if type(item[0]) is int] if self.stored else []
        if self.open_loops:
            names = {name for loop in self.open_loops for name in self.loops[loop].names}
            stores += [(name, self.env[name]) for name in sorted(names) if name in self.env]
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
        error = self.term(("call", self.term(("name", "AssertionError")), (), (), *self.place(node)))
        self.event("raise", node, error, NONE, self._stores())
        self.chain = outside
        self.chain = self.tested(condition, True, False, node.test)


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as an expression that is read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


_STATEMENTS: dict[type, Callable[[Walk, Any], None]] = {
    ast.FunctionDef: Walk._function, ast.AsyncFunctionDef: Walk._function, ast.ClassDef: Walk._class,
    ast.Expr: Walk._expression, ast.Assign: Walk._assign, ast.AnnAssign: Walk._annotated,
    ast.AugAssign: Walk._augmented, ast.Delete: Walk._delete, ast.Import: Walk._import,
    ast.ImportFrom: Walk._import_from, ast.Global: Walk._global, ast.Nonlocal: Walk._global,
    ast.Return: Walk._return, ast.Raise: Walk._raise, ast.Continue: Walk._continue, ast.Break: Walk._break,
    ast.Assert: Walk._assert, ast.If: Walk._if, ast.Match: Walk._match, ast.While: Walk._while, ast.For: Walk._for,
    ast.AsyncFor: Walk._for, ast.Try: Walk._try, ast.TryStar: Walk._try, ast.With: Walk._with,
    ast.AsyncWith: Walk._with,
}  # fmt: skip
