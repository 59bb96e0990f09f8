"""Statements to facts: one forward walk that keeps, for each name, its value and the condition under which it holds."""

from __future__ import annotations

import ast
from typing import Any

from anchorlint.python.expressions import MOST_STORES, Env, Expressions
from anchorlint.python.facts import NONE, Class, Facts, Function, Handler, Try

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
MOST_BREAKS = 6  #: ways out of a loop that are told apart


class Walk(Expressions):
    """Walks one module. `self.alive` is false once the current path has left."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(path, text)
        self.alive = True
        self.breaks: dict[int, list[tuple[int, Env]]] = {}
        self.open_loops: list[int] = []
        self.later: list[tuple[int, Any]] = []
        self.in_class = False

    def facts(self, tree: ast.Module) -> Facts:
        """Walk the module and return its tables."""
        self.functions.append(Function("<module>", "<module>", 1, 1, 1, -1, -1, (), (), NONE, "", ()))
        self._body(tree.body)
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
        self._body(body)
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
        self._body(node.body)
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

    def _body(self, body: list[ast.stmt]) -> None:
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

    # branches

    def _if(self, node: ast.If, head: bool = True) -> None:
        condition = self.expr(node.test)
        known = self._known(condition)
        if known is not None:
            self._body(node.body if known else node.orelse)
            return
        outside, env = self.chain, self.env
        taken = self.tested(condition, True, True, node.test)
        then = self._branch(taken, dict(env), node.body)
        other_chain = self.tested(condition, False, head, node.test)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self.chain, self.env, self.alive = other_chain, dict(env), True
            self._if(node.orelse[0], head=False)
            other = (self.chain, self.env) if self.alive else None
            self.chain = outside
        else:
            other = self._branch(other_chain, dict(env), node.orelse)
        self._join(outside, condition, node.test, (taken, then), (other_chain, other))

    def _known(self, condition: int) -> bool | None:
        term = self.term.terms[condition]
        if term[0] == "const":
            return bool(term[2])
        if term[0] == "name" and term[1] == "TYPE_CHECKING":
            return True
        return None

    def _branch(self, chain: int, env: Env, body: list[ast.stmt]) -> tuple[int, Env] | None:
        outside = self.chain
        self.chain, self.env, self.alive = chain, env, True
        self._body(body)
        result = (self.chain, self.env) if self.alive else None
        self.chain = outside
        return result

    def _join(self, outside: int, condition: int, test: ast.expr, then: Any, other: Any) -> None:
        (then_in, then_out), (other_in, other_out) = then, other
        self.chain, self.alive = outside, True
        if then_out is None and other_out is None:
            self.alive = False
        elif then_out is None or other_out is None:
            holds = other_out is None
            kept_in, kept = (then_in, then_out) if holds else (other_in, other_out)
            self.env = kept[1]
            self.chain = self._moved(kept[0], kept_in, self.tested(condition, holds, False, test))
        else:
            self.env = self._merge(condition, then_out[1], other_out[1])
            if then_out[0] != then_in or other_out[0] != other_in:
                self.chain = self.frame(outside, "join", (then_out[0], other_out[0]), outside)

    def _moved(self, chain: int, below: int, onto: int) -> int:
        """The frames of `chain` above `below`, put onto another condition."""
        frames = []
        while chain not in (below, 0, -1):
            frames.append(self.chains[chain][1:])
            chain = self.chains[chain][0]
        for frame in reversed(frames):
            onto = self.frame(onto, *frame)
        return onto

    def _merge(self, condition: int, then: Env, other: Env) -> Env:
        merged: Env = {}
        for key, value in then.items():
            before = other.get(key, NONE)
            if before == value:
                merged[key] = value
            elif before >= 0:
                merged[key] = self.term("if", condition, value, before)
            else:
                merged[key] = self._half(key, condition, value, True)
        for key, value in other.items():
            if key not in then:
                merged[key] = self._half(key, condition, value, False)
        return merged

    def _half(self, key: Any, condition: int, value: int, holds: bool) -> int:
        """A value that only one branch sets: an attribute keeps what it was, a name may be unbound."""
        if not isinstance(key, int):
            return value
        return self.term("if", condition, value, key) if holds else self.term("if", condition, key, value)

    def _match(self, node: ast.Match) -> None:
        subject = self.expr(node.subject)
        outside, env, ends = self.chain, self.env, []
        chain = outside
        for number, case in enumerate(node.cases):
            self.chain, self.env, self.alive = chain, dict(env), True
            condition = self._pattern(case.pattern, subject)
            if case.guard is not None:
                guard = self.expr(case.guard)
                condition = guard if condition is None else self.term("bool", "and", (condition, guard))
            if condition is None:
                ends.append((None, chain, self._branch(chain, self.env, case.body)))
                break
            self.chain = chain
            taken = self.tested(condition, True, True, case.pattern)
            ends.append((condition, taken, self._branch(taken, self.env, case.body)))
            self.chain = chain
            chain = self.tested(condition, False, number == 0, case.pattern)
        else:
            ends.append((None, chain, (chain, dict(env))))
        self._join_many(outside, ends)

    def _join_many(self, outside: int, ends: list[tuple[Any, int, Any]]) -> None:
        alive = [(condition, entry, out) for condition, entry, out in ends if out is not None]
        self.alive = bool(alive)
        self.chain = outside
        if not alive:
            return
        env = alive[-1][2][1]
        for condition, _, out in reversed(alive[:-1]):
            env = self._merge(condition, out[1], env)
        self.env = env
        if len(alive) < len(ends) or any(out[0] != entry for _, entry, out in alive):
            chains = tuple([out[0] for _, _, out in alive])
            self.chain = chains[0] if len(chains) == 1 else self.frame(outside, "join", chains, outside)

    def _pattern(self, pattern: ast.pattern, subject: int) -> int | None:
        """The condition under which a pattern matches, None for always; names are bound on the way."""
        at = self.place(pattern)
        if isinstance(pattern, ast.MatchValue):
            return self.term("cmp", "==", subject, self.expr(pattern.value), *at)
        if isinstance(pattern, ast.MatchSingleton):
            return self.term("cmp", "is", subject, self.constant(pattern.value), *at)
        if isinstance(pattern, ast.MatchOr):
            parts = [self._pattern(p, subject) for p in pattern.patterns]
            return None if None in parts else self.term("bool", "or", tuple(p for p in parts if p is not None))
        if isinstance(pattern, ast.MatchAs):
            condition = self._pattern(pattern.pattern, subject) if pattern.pattern else None
            if pattern.name:
                self.env[pattern.name] = subject
            return condition
        return self._structure(pattern, subject, at)

    def _structure(self, pattern: ast.pattern, subject: int, at: tuple[int, int, int, int]) -> int:
        parts: list[tuple[ast.pattern, int]] = []
        conditions: list[int] = []
        if isinstance(pattern, ast.MatchClass):
            test = (self.term("name", "isinstance"), (subject, self.expr(pattern.cls)), ())
            conditions.append(self.term("call", *test, *at))
            parts += [
                (p, self.term("attr", subject, n)) for n, p in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
            ]
            parts += [(p, self.term("idx", subject, i)) for i, p in enumerate(pattern.patterns)]
        elif isinstance(pattern, ast.MatchMapping):
            parts += [
                (p, self.term("sub", subject, self.expr(k)))
                for k, p in zip(pattern.keys, pattern.patterns, strict=True)
            ]
        elif isinstance(pattern, ast.MatchSequence):
            parts += [(p, self.term("idx", subject, i)) for i, p in enumerate(pattern.patterns)]
        conditions += [c for p, s in parts if (c := self._pattern(p, s)) is not None]
        if not conditions:
            return self.term("unknown", at[0], at[1])
        return conditions[0] if len(conditions) == 1 else self.term("bool", "and", tuple(conditions))

    # loops

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
        for name in names & self.env.keys():
            self.env[name] = self.term("loop", name, self.env[name], loop)
        for key in [k for k in self.env if isinstance(k, int)]:
            if self.term.terms[key][-1] in attributes or self.term.terms[key][0] == "sub":
                del self.env[key]
        self.chain = self.frame(self.chain, "loop", loop)
        return loop, before

    def _loop_body(self, loop: int, node: Any) -> None:
        self.open_loops.append(loop)
        self.head_env = dict(self.env)
        head = self.head_env
        self._body(node.body)
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
            self.chain, self.alive = self.frame(out, "after", loop) if node.orelse else out, True
            self._body(node.orelse)
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
        base = self.frame(outside, "after", loop)
        chains = tuple(dict.fromkeys([c for c, _ in ends]))
        if len(chains) > MOST_BREAKS or (not breaks and not node.orelse and self.loops[loop].kind == "for"):
            self.chain = base
        else:
            self.chain = self.frame(base, "join", chains, outside)

    def _either(self, one: Env, two: Env) -> Env:
        """Both environments, with a `phi` where they differ."""
        merged = dict(one)
        for key, value in two.items():
            mine = merged.get(key, key if isinstance(key, int) else NONE)
            if mine != value:
                merged[key] = value if mine < 0 else self._phi(mine, value)
        return merged

    def _phi(self, *values: int) -> int:
        parts: list[int] = []
        for value in values:
            term = self.term.terms[value]
            parts += term[1] if term[0] == "phi" else (value,)
        unique = tuple(dict.fromkeys(parts))
        return unique[0] if len(unique) == 1 else self.term("phi", unique[:8])

    # failures

    def _try(self, node: Any) -> None:
        handlers = tuple([
            Handler(self.expr(h.type), h.name or "", *self.place(h.type or h), h.end_lineno) for h in node.handlers
        ])  # fmt: skip
        number, before, outside = self._open_try("try", handlers, node), dict(self.env), self.chain
        start = self.frame(outside, "try", number)
        body = self._branch(start, dict(before), node.body)
        after_body = self._body_env(before, start)
        ends: list[tuple[int | None, int, Any]] = []
        for position, handler in enumerate(node.handlers):
            entry = self.frame(outside, "exc", number, position)
            env = self._either(before, after_body)
            if handler.name:
                env[handler.name] = self.term("exc", number, position)
            out = self._branch(entry, env, handler.body)
            ends.append((self.term("raised", number, position), entry, out))
        if body is not None:
            quiet = self.frame(outside, "noexc", number)
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
        self.chain = chains[0] if len(chains) == 1 else self.frame(self.chain, "join", chains, outside)

    def _finally(self, node: Any, before: Env, after_body: Env) -> None:
        alive = self.alive
        if not alive:
            self.env = self._either(before, after_body)
        self.alive = True
        self._body(node.finalbody)
        self.alive = self.alive and alive

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        swallowing: tuple[str, int, ast.withitem] | None = None
        for item in node.items:
            context = self.expr(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, self.term("entered", context))
            swallowing = self._swallows(item, context) or swallowing
        if swallowing is None:
            self._body(node.body)
            return
        kind, types, item = swallowing
        handler = Handler(types, "", *self.place(item.context_expr), node.lineno)
        number, before, outside = self._open_try(kind, (handler,), node), dict(self.env), self.chain
        start = self.frame(outside, "try", number)
        body = self._branch(start, dict(before), node.body)
        after_body = self._body_env(before, start)
        entry = self.frame(outside, "exc", number, 0)
        ends: list[Any] = [(self.term("raised", number, 0), entry, (entry, self._either(before, after_body)))]
        quiet = self.frame(outside, "noexc", number)
        ends.append((None, quiet, None if body is None else (self._moved(body[0], start, quiet), body[1])))
        self._after_try(outside, before, after_body, ends, _WITHOUT_FINALLY)

    def _swallows(self, item: ast.withitem, context: int) -> tuple[str, int, ast.withitem] | None:
        term = self.term.terms[context]
        if term[0] == "iter":
            return "attempt", NONE, item
        if term[0] == "call" and self._is_suppress(term[1]):
            return "suppress", self.term("seq", "tuple", term[2]), item
        return None

    def _is_suppress(self, callee: int) -> bool:
        term = self.term.terms[callee]
        if term[0] == "attr" and term[2] == "suppress":
            base = self.term.terms[term[1]]
            return base[0] == "import" and base[1] == "contextlib" or base == ("name", "contextlib")
        if term[0] == "name":
            return term[1] == "suppress"
        return term[:3] == ("import", "contextlib", "suppress")


class _NoFinally:
    finalbody: tuple[ast.stmt, ...] = ()


_WITHOUT_FINALLY = _NoFinally()


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as an expression that is read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


def _assigned(loop: ast.stmt) -> tuple[set[str], set[Any]]:
    """The names and the attributes that a loop's body assigns."""
    names: set[str] = set()
    attributes: set[Any] = set()
    pending: list[ast.AST] = list(ast.iter_child_nodes(loop))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                attributes.add(node.attr)
            pending.append(node.value)
        elif not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))
    return names, attributes


_STATEMENTS: dict[type, str] = {
    ast.FunctionDef: "_function", ast.AsyncFunctionDef: "_function", ast.ClassDef: "_class", ast.Expr: "_expression",
    ast.Assign: "_assign", ast.AnnAssign: "_annotated", ast.AugAssign: "_augmented", ast.Delete: "_delete",
    ast.Import: "_import", ast.ImportFrom: "_import_from", ast.Global: "_global", ast.Nonlocal: "_global",
    ast.Return: "_return", ast.Raise: "_raise", ast.Continue: "_continue", ast.Break: "_break",
    ast.Assert: "_assert", ast.If: "_if", ast.Match: "_match", ast.While: "_while", ast.For: "_for",
    ast.AsyncFor: "_for", ast.Try: "_try", ast.TryStar: "_try", ast.With: "_with", ast.AsyncWith: "_with",
}  # fmt: skip
