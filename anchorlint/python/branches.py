"""Branches: if, match and the merges behind them, where each value keeps the condition under which it holds."""

from __future__ import annotations

import ast
import math
import operator
from typing import Any

from anchorlint.python.binding import Env
from anchorlint.python.expressions import Expressions
from anchorlint.python.facts import NONE


class Branches(Expressions):
    """Walks branches. `self.alive` is false once the current path has left."""

    def walk_body(self, body: list[ast.stmt]) -> None:
        """Walk statements until the path leaves (in `statements`)."""
        raise TypeError("branches alone cannot walk a body")

    def _if(self, node: ast.If, head: bool = True) -> None:
        condition = self.expr(node.test)
        known = self._known(condition)
        if known is not None:
            self.walk_body(node.body if known else node.orelse)
            return
        outside, env = self.chain, self.env
        taken = self.tested(condition, True, True, node.test)
        then = self._branch(taken, dict(env), node.body)
        other_chain = self.tested(condition, False, head, node.test)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self.chain, self.env, self.alive = other_chain, env, True
            self._if(node.orelse[0], head=False)
            other = (self.chain, self.env) if self.alive else None
            self.chain = outside
        else:
            other = self._branch(other_chain, env, node.orelse)
        self._join(outside, condition, node.test, (taken, then), (other_chain, other))

    def _known(self, condition: int) -> bool | None:
        term = self.terms[condition]
        if term[0] == "const":
            return bool(term[2])
        if term[0] == "name" and term[1] == "TYPE_CHECKING":
            return True
        return self._is_supported(term) if term[0] == "cmp" else None

    def _is_supported(self, compared: tuple) -> bool | None:
        """What a comparison of `sys.version_info` says on the newest Python 3, as type checkers take it; else None."""
        asked, version = self.terms[compared[2]], self.terms[compared[3]]
        holds = _COMPARISONS.get(compared[1])
        if holds is None:
            return None
        if asked[0] == "sub" and self.terms[asked[2]][:3] == ("const", "int", 0):
            is_told = self._is_version(self.terms[asked[1]]) and version[:2] == ("const", "int")
            return bool(holds(_NEWEST[0], version[2])) if is_told else None
        if version[:2] != ("seq", "tuple") or not self._is_version(asked):
            return None
        numbers = [self.terms[number] for number in version[2]]
        is_told = numbers and all(number[:2] == ("const", "int") for number in numbers)
        return bool(holds(_NEWEST, tuple(number[2] for number in numbers))) if is_told else None

    def _is_version(self, asked: tuple) -> bool:
        if asked[0] == "attr":
            return asked[2] == "version_info" and self.terms[asked[1]][:2] in (("import", "sys"), ("name", "sys"))
        return asked[:3] == ("import", "sys", "version_info") or asked == ("name", "version_info")

    def _branch(self, chain: int, env: Env, body: list[ast.stmt]) -> tuple[int, Env] | None:
        outside = self.chain
        self.chain, self.env, self.alive = chain, env, True
        self.walk_body(body)
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
                self.chain = self.frame((outside, "join", (then_out[0], other_out[0]), outside))

    def _moved(self, chain: int, below: int, onto: int) -> int:
        """The frames of `chain` above `below`, put onto another condition."""
        frames = []
        while chain not in (below, 0, -1):
            frames.append(self.chains[chain][1:])
            chain = self.chains[chain][0]
        for frame in reversed(frames):
            onto = self.frame((onto, *frame))
        return onto

    def _merge(self, condition: int, then: Env, other: Env) -> Env:
        """Both environments as one; neither is of use after that."""
        if then == other:
            return then
        for key, value in then.items():
            before = other.get(key, NONE)
            if before >= 0:
                if before != value:
                    then[key] = self.term(("if", condition, value, before))
            elif type(key) is int:
                then[key] = self._half(key, condition, value, True)
        for key, value in other.items():
            if key not in then:
                then[key] = self._half(key, condition, value, False)
        return then

    def _half(self, key: Any, condition: int, value: int, holds: bool) -> int:
        """A value that only one branch sets: an attribute keeps what it was, a name may be unbound."""
        if not isinstance(key, int):
            return value
        return self.term(("if", condition, value, key)) if holds else self.term(("if", condition, key, value))

    def _match(self, node: ast.Match) -> None:
        subject = self.expr(node.subject)
        outside, env, ends = self.chain, self.env, []
        chain = outside
        for number, case in enumerate(node.cases):
            self.chain, self.env, self.alive = chain, dict(env), True
            condition = self._pattern(case.pattern, subject)
            if case.guard is not None:
                guard = self.expr(case.guard)
                condition = guard if condition is None else self.term(("bool", "and", (condition, guard)))
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
            self.chain = chains[0] if len(chains) == 1 else self.frame((outside, "join", chains, outside))

    def _pattern(self, pattern: ast.pattern, subject: int) -> int | None:
        """The condition under which a pattern matches, None for always; names are bound on the way."""
        at = self.place(pattern)
        if isinstance(pattern, ast.MatchValue):
            return self.term(("cmp", "==", subject, self.expr(pattern.value), *at))
        if isinstance(pattern, ast.MatchSingleton):
            return self.term(("cmp", "is", subject, self.constant(pattern.value), *at))
        if isinstance(pattern, ast.MatchOr):
            parts = [self._pattern(p, subject) for p in pattern.patterns]
            return None if None in parts else self.term(("bool", "or", tuple(p for p in parts if p is not None)))
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
            test = (self.term(("name", "isinstance")), (subject, self.expr(pattern.cls)), ())
            conditions.append(self.term(("call", *test, *at)))
            parts += [
                (p, self.term(("attr", subject, n)))
                for n, p in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
            ]
            parts += [(p, self.term(("idx", subject, i))) for i, p in enumerate(pattern.patterns)]
        elif isinstance(pattern, ast.MatchMapping):
            parts += [
                (p, self.term(("sub", subject, self.expr(k))))
                for k, p in zip(pattern.keys, pattern.patterns, strict=True)
            ]
        elif isinstance(pattern, ast.MatchSequence):
            parts += [(p, self.term(("idx", subject, i))) for i, p in enumerate(pattern.patterns)]
        conditions += [c for p, s in parts if (c := self._pattern(p, s)) is not None]
        if not conditions:
            return self.term(("unknown", at[0], at[1]))
        return conditions[0] if len(conditions) == 1 else self.term(("bool", "and", tuple(conditions)))

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
            term = self.terms[value]
            parts += term[1] if term[0] == "phi" else (value,)
        unique = tuple(dict.fromkeys(parts))
        return unique[0] if len(unique) == 1 else self.term(("phi", unique[:8]))


_NEWEST = (3, math.inf)  #: a Python 3 above every version that is written down
_COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
