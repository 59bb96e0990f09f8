"""Failures: try statements, and `with` blocks that swallow what is raised in them."""

from __future__ import annotations

import ast
from typing import Any

from anchorlint.python.binding import Env
from anchorlint.python.facts import NONE, Handler, Try
from anchorlint.python.loops import Loops


class Guards(Loops):
    """Walks what guards against failures."""

    def _try(self, node: Any) -> None:
        handlers = tuple([
            Handler(self.expr(h.type), h.name or "", *self.place(h.type or h), h.end_lineno) for h in node.handlers
        ])  # fmt: skip
        number, before, outside = self._open_try("try", handlers, node), dict(self.env), self.chain
        start = self.frame((outside, "try", number))
        body = self._branch(start, dict(before), node.body)
        after_body = self._body_env(before, start)
        ends: list[tuple[int | None, int, Any]] = []
        for position, handler in enumerate(node.handlers):
            entry = self.frame((outside, "exc", number, position))
            env = self._either(before, after_body)
            if handler.name:
                env[handler.name] = self.term(("exc", number, position))
            out = self._branch(entry, env, handler.body)
            ends.append((self.term(("raised", number, position)), entry, out))
        if body is not None:
            quiet = self.frame((outside, "noexc", number))
            survived = self._moved(body[0], start, quiet)
            self.chain = survived
            body = self._branch(survived, body[1], node.orelse)
            ends.append((None, quiet, body))
        else:
            ends.append((None, outside, None))
        self._after_try(outside, before, after_body, ends, node)

    def _open_try(self, kind: str, handlers: tuple[Handler, ...], node: Any) -> int:
        self.tries.append(Try(self.function, kind, self.chain, handlers, node.lineno, node.end_lineno))
        return len(self.tries) - 1

    def _body_env(self, before: Env, start: int) -> Env:
        """What the try body may have bound when it failed: the last environment that it was walked in."""
        return self.env if self.env is not before else before

    def _after_try(self, outside: int, before: Env, after_body: Env, ends: Any, node: Any) -> None:
        alive = [end for end in ends if end[2] is not None]
        whole = [end for end in alive if end[2][0] == end[1]]
        self.chain, self.alive = outside, bool(alive)
        if alive:
            env = alive[-1][2][1]
            for condition, _, out in reversed(alive[:-1]):
                env = self._merge(condition, out[1], env)
            self.env = env
        if node.finalbody:
            self._finally(node, before, after_body)
        if not self.alive or len(whole) == len(ends):
            return
        chains = tuple(out[0] for _, _, out in alive)
        self.chain = chains[0] if len(chains) == 1 else self.frame((self.chain, "join", chains, outside))

    def _finally(self, node: Any, before: Env, after_body: Env) -> None:
        alive = self.alive
        if not alive:
            self.env = self._either(before, after_body)
        self.alive = True
        self.walk_body(node.finalbody)
        self.alive = self.alive and alive

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        swallowing: tuple[str, int, ast.withitem] | None = None
        for item in node.items:
            context = self.expr(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, self.term(("entered", context)))
            swallowing = self._swallows(item, context) or swallowing
        if swallowing is None:
            self.walk_body(node.body)
            return
        kind, types, item = swallowing
        handler = Handler(types, "", *self.place(item.context_expr), node.lineno)
        number, before, outside = self._open_try(kind, (handler,), node), dict(self.env), self.chain
        start = self.frame((outside, "try", number))
        body = self._branch(start, dict(before), node.body)
        after_body = self._body_env(before, start)
        entry = self.frame((outside, "exc", number, 0))
        ends: list[Any] = [(self.term(("raised", number, 0)), entry, (entry, self._either(before, after_body)))]
        quiet = self.frame((outside, "noexc", number))
        ends.append((None, quiet, None if body is None else (self._moved(body[0], start, quiet), body[1])))
        self._after_try(outside, before, after_body, ends, _WITHOUT_FINALLY)

    def _swallows(self, item: ast.withitem, context: int) -> tuple[str, int, ast.withitem] | None:
        term = self.terms[context]
        if term[0] == "iter":
            return "attempt", NONE, item
        if term[0] == "call" and self._is_suppress(term[1]):
            return "suppress", self.term(("seq", "tuple", term[2])), item
        return None

    def _is_suppress(self, callee: int) -> bool:
        term = self.terms[callee]
        if term[0] == "attr" and term[2] == "suppress":
            base = self.terms[term[1]]
            return base[0] == "import" and base[1] == "contextlib" or base == ("name", "contextlib")
        if term[0] == "name":
            return term[1] == "suppress"
        return term[:3] == ("import", "contextlib", "suppress")


class _NoFinally:
    finalbody: tuple[ast.stmt, ...] = ()


_WITHOUT_FINALLY = _NoFinally()
