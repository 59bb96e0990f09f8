"""Loops: what holds at the head of a turn, at its end, and behind the loop."""

from __future__ import annotations

import ast
from typing import Any

from anchorlint.python.binding import Env
from anchorlint.python.branches import Branches
from anchorlint.python.facts import NONE

#: what holds no assignment of the function that it stands in
_CLOSED = frozenset((
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Constant, ast.Load, ast.Store, ast.Del,
    *ast.operator.__subclasses__(), *ast.cmpop.__subclasses__(), *ast.unaryop.__subclasses__(),
    *ast.boolop.__subclasses__(), bool, int, str, type(None),
))  # fmt: skip
MOST_BREAKS = 6  #: ways out of a loop that are told apart


class Loops(Branches):
    """Walks loops."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(path, text)
        self.breaks: dict[int, list[tuple[int, Env]]] = {}
        self.open_loops: list[int] = []

    def _stores(self) -> tuple[tuple[Any, int], ...]:
        """What attributes and the loops' names hold at an exit (in `statements`)."""
        raise TypeError("loops alone know no exits")

    def _while(self, node: ast.While) -> None:
        loop, env = self._enter_loop("while", NONE, node, node.test)
        condition = self.expr(node.test)
        self.loops[loop] = self.loops[loop]._replace(subject=condition)
        known = self._known(condition)
        head = self.chain
        if known is None:
            self.chain = self.tested(condition, True, True, node.test)
        self._loop_body(loop, node)
        self.chain = head
        out = None if known else self.tested(condition, False, False, node.test)
        self._leave_loop(loop, out, env, node)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.expr(node.iter)
        loop, env = self._enter_loop("for", iterable, node, node.iter)
        head = self.chain
        self.bind_target(node.target, iterable, loop)
        self._loop_body(loop, node)
        self.chain = head
        self._leave_loop(loop, head, env, node)

    def _enter_loop(self, kind: str, subject: int, node: Any, head: ast.expr) -> tuple[int, Env]:
        names, attributes = _assigned(node)
        loop = self.open_loop(kind, subject, tuple(sorted(names)), head, node)
        self.breaks[loop] = []
        before = dict(self.env)
        for name in sorted(names & self.env.keys()):
            self.env[name] = self.term(("loop", name, self.env[name], loop))
        for key in [k for k in self.env if type(k) is int] if self.stored else ():
            if self.terms[key][-1] in attributes or self.terms[key][0] == "sub":
                del self.env[key]
        self.chain = self.frame((self.chain, "loop", loop))
        return loop, before

    def _loop_body(self, loop: int, node: Any) -> None:
        self.open_loops.append(loop)
        head = dict(self.env)
        self.walk_body(node.body)
        if self.alive:
            self.event("back", node.body[-1], loop, NONE, self._stores())
        self.env = self._either(head, self.env) if self.alive else head
        self.open_loops.pop()
        self.alive = True

    def _leave_loop(self, loop: int, out: int | None, before: Env, node: Any) -> None:
        """After a loop: it ended by its test (`out`), or by one of its breaks."""
        outside, breaks = self.loops[loop].chain, self.breaks.pop(loop)
        ends: list[tuple[int, Env]] = []
        if out is not None:
            # the else part stands after the loop although the loop's own conditions hold there
            self.chain, self.alive = self.frame((out, "after", loop)) if node.orelse else out, True
            self.walk_body(node.orelse)
            if self.alive:
                ends.append((self.chain, self.env))
        ends += breaks
        self.alive = bool(ends)
        if not ends:
            self.chain = outside
            return
        env = ends[0][1]
        for _, other in ends[1:]:
            env = self._either(env, other)
        self.env = env
        base = self.frame((outside, "after", loop))
        chains = tuple(dict.fromkeys([c for c, _ in ends]))
        if len(chains) > MOST_BREAKS or (not breaks and not node.orelse and self.loops[loop].kind == "for"):
            self.chain = base
        else:
            self.chain = self.frame((base, "join", chains, outside))


def _assigned(loop: ast.stmt) -> tuple[set[str], set[Any]]:
    """The names and the attributes that a loop's body assigns."""
    names: set[str] = set()
    attributes: set[Any] = set()
    pending: list[Any] = list(vars(loop).values())
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:
                names.add(node.id)
        elif kind is ast.Attribute:
            if type(node.ctx) is ast.Store:
                attributes.add(node.attr)
            pending.append(node.value)
        elif kind not in _CLOSED:
            for value in node if kind is list else vars(node).values():
                if type(value) not in _CLOSED:
                    pending.append(value)
    return names, attributes
