"""Expressions to terms, with the calls that they make as events under the condition of their operands."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from anchorlint.python.binding import Binding
from anchorlint.python.facts import NONE, Event

if TYPE_CHECKING:
    from collections.abc import Callable

_new: Any = tuple.__new__  # a named tuple made of a tuple, without a call in Python
_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.MatMult: "@",
}  # fmt: skip
_UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Not: "not", ast.Invert: "~"}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class Expressions(Binding):
    """Reads expressions."""

    def expr(self, node: ast.expr | None) -> int:
        """The term of an expression, -1 for none."""
        kind = type(node)
        if kind is ast.Name:  # the most of them
            found = self.env.get(node.id)
            return self._outside(node.id) if found is None else found
        return _READERS[kind](self, node)

    def _none(self, node: None) -> int:
        return NONE

    def _unknown(self, node: ast.expr) -> int:
        return self.term(("unknown", node.lineno, node.col_offset))

    def _constant(self, node: ast.Constant) -> int:
        value = node.value
        return self.term(("const", type(value).__name__, value if value is not ... else None))

    def lookup(self, name: str) -> int:
        """What a name stands for here: a local term, an outer function's term, or a name of the module."""
        found = self.env.get(name)
        return self._outside(name) if found is None else found

    def _outside(self, name: str) -> int:
        if name in self.cells:
            return self.cell(name)
        if self.scopes:
            for function, env in reversed(self.scopes):
                found = env.get(name)
                if found is not None:
                    return self.term(("outer", function, found))
        return self.term(("name", name))

    def cell(self, name: str) -> int:
        """The variable of a `global` or `nonlocal` statement, as a place that several functions share."""
        for function, env in reversed(self.scopes):
            if name in env:
                return self.term(("cell", function, name))
        return self.term(("cell", 0, name))

    def _attribute(self, node: ast.Attribute) -> int:
        term = self.term(("attr", self.expr(node.value), node.attr))
        return self.env.get(term, term) if self.stored else term

    def _subscript(self, node: ast.Subscript) -> int:
        term = self.term(("sub", self.expr(node.value), self.expr(node.slice)))
        return self.env.get(term, term) if self.stored else term

    def _slice(self, node: ast.Slice) -> int:
        return self.term(("seq", "slice", (self.expr(node.lower), self.expr(node.upper), self.expr(node.step))))

    def _call(self, node: ast.Call) -> int:
        callee = self.expr(node.func)
        args = self.all(node.args)
        named = []
        for keyword in node.keywords:
            named.append((keyword.arg or "", self.expr(keyword.value)))
        place = self.place(node)
        term = self.term(("call", callee, args, tuple(named), *place))
        self.events.append(_new(Event, ("call", self.chain, term, NONE, (), *place)))
        return term

    def _binary(self, node: ast.BinOp) -> int:
        left = self.expr(node.left)
        return self.term(("bin", _BINARY[type(node.op)], left, self.expr(node.right), *self.place(node)))

    def _unary(self, node: ast.UnaryOp) -> int:
        operand, op = self.expr(node.operand), _UNARY[type(node.op)]
        kind = self.terms[operand]
        if op == "-" and kind[0] == "const" and kind[1] in ("int", "float"):
            return self.constant(-kind[2])
        return self.term(("un", op, operand))

    def _bool(self, node: ast.BoolOp) -> int:
        outside, holds, operands = self.chain, isinstance(node.op, ast.And), []
        for value in node.values:
            operands.append(self.expr(value))
            self.chain = self.tested(operands[-1], holds, True, value)
        self.chain = outside
        return self.term(("bool", "and" if holds else "or", tuple(operands)))

    def _compare(self, node: ast.Compare) -> int:
        left, parts = self.expr(node.left), []
        at = self.place(node)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.expr(right_node)
            parts.append(self.term(("cmp", _COMPARE[type(op)], left, right, *at)))
            left = right
        return parts[0] if len(parts) == 1 else self.term(("bool", "and", tuple(parts)))

    def _conditional(self, node: ast.IfExp) -> int:
        test, outside = self.expr(node.test), self.chain
        self.chain = self.tested(test, True, True, node.test)
        then = self.expr(node.body)
        self.chain = outside
        self.chain = self.tested(test, False, True, node.test)
        other = self.expr(node.orelse)
        self.chain = outside
        return then if then == other else self.term(("if", test, then, other))

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> int:
        kind, parts = type(node).__name__.lower(), self.all(node.elts)
        # a list is one of its own: two that are written alike are filled apart
        return (
            self.term(("seq", kind, parts)) if kind == "tuple" else self.term(("seq", kind, parts, *self.place(node)))
        )

    def _dict(self, node: ast.Dict) -> int:
        entries = tuple([(self.expr(k), self.expr(v)) for k, v in zip(node.keys, node.values, strict=True)])
        return self.term(("map", entries, *self.place(node)))

    def _starred(self, node: ast.Starred) -> int:
        return self.term(("star", self.expr(node.value)))

    def _joined(self, node: ast.JoinedStr) -> int:
        parts = [v.value if isinstance(v, ast.FormattedValue) else v for v in node.values]
        return self.term(("fstr", self.all(parts)))

    def _await(self, node: ast.Await) -> int:
        return self.expr(node.value)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> int:
        self.flags += "g"
        self.event("yield", node, self.expr(node.value))
        return self.term(("yielded", node.lineno, node.col_offset))

    def _walrus(self, node: ast.NamedExpr) -> int:
        value = self.expr(node.value)
        self.assign(node.target, value)
        return value

    def _lambda(self, node: ast.Lambda) -> int:
        number = self.define(node, "<lambda>", node.args, [], None)
        self.run_function(number, node, [ast.copy_location(ast.Return(node.body), node.body)], "l")
        return self.term(("def", number))

    def _comprehension(self, node: Any) -> int:
        env, chain = self.env, self.chain
        self.env = dict(env)
        loops, tests = [], []
        for part in node.generators:
            iterable = self.expr(part.iter)
            loop = self.open_loop("comp", iterable, (), part.iter, part.iter)
            self.chain = self.frame((self.chain, "loop", loop))
            self.bind_target(part.target, iterable, loop)
            loops.append((iterable, loop))
            for test in part.ifs:
                tests.append(self.expr(test))
                self.chain = self.tested(tests[-1], True, True, test)
        if isinstance(node, ast.DictComp):
            element = self.term(("seq", "tuple", (self.expr(node.key), self.expr(node.value))))
        else:
            element = self.expr(node.elt)
        self.env, self.chain = env, chain
        return self.term(("comp", type(node).__name__, element, tuple(loops), tuple(tests)))


_READERS: dict[type, Callable[[Expressions, Any], int]] = dict.fromkeys(
    ast.expr.__subclasses__(), Expressions._unknown
) | {
    type(None): Expressions._none, ast.Constant: Expressions._constant, ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript, ast.Slice: Expressions._slice, ast.Call: Expressions._call,
    ast.BinOp: Expressions._binary, ast.UnaryOp: Expressions._unary, ast.BoolOp: Expressions._bool,
    ast.Compare: Expressions._compare, ast.IfExp: Expressions._conditional, ast.List: Expressions._sequence,
    ast.Tuple: Expressions._sequence, ast.Set: Expressions._sequence, ast.Dict: Expressions._dict,
    ast.Starred: Expressions._starred, ast.JoinedStr: Expressions._joined, ast.Await: Expressions._await,
    ast.Yield: Expressions._yield, ast.YieldFrom: Expressions._yield, ast.NamedExpr: Expressions._walrus,
    ast.Lambda: Expressions._lambda, ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension, ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._comprehension,
}  # fmt: skip
