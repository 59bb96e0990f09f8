"""Expressions to terms, with the calls that they make as events under the condition of their operands."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar

from anchorlint.python.facts import NONE, Event, Function, Loop, Param
from anchorlint.python.terms import Table

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.MatMult: "@",
}  # fmt: skip
_UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Not: "not", ast.Invert: "~"}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
MOST_STORES = 60  #: values kept at one exit; a function with more is no place where a status decides

Env = dict[Any, int]  # local name -> term, and term of an attribute or subscript -> term stored there


class Expressions:
    """Holds the tables of one file and the state of the function being walked; expressions become terms."""

    _dispatch: ClassVar[dict[type, str]] = {}

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.term = Table()
        self.chains: list[tuple] = [(-1, "start")]
        self.chain_numbers: dict[tuple, int] = {}
        self.functions: list[Any] = []
        self.classes: list[Any] = []
        self.loops: list[Any] = []
        self.tries: list[Any] = []
        self.stars: list[tuple[str, int]] = []
        self.env: Env = {}
        self.chain = 0
        self.function = 0
        self.events: list[Event] = []
        self.scopes: list[tuple[int, Env]] = []
        self.cells: set[str] = set()
        self.flags = ""
        self._lines = None if text.isascii() else text.split("\n")
        self._handlers: dict[type, Callable[[Any], int]] = {
            kind: getattr(self, name) for kind, name in _EXPRESSIONS.items()
        }

    def place(self, node: Any) -> tuple[int, int, int, int]:
        """Where a node stands, in code points from 1."""
        line, end = node.lineno, node.end_lineno
        if self._lines is None:
            return line, node.col_offset + 1, end, node.end_col_offset + 1
        return line, self._column(line, node.col_offset), end, self._column(end, node.end_col_offset)

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1] if self._lines and line <= len(self._lines) else ""
        return (offset if text.isascii() else len(text.encode()[:offset].decode("utf-8", "replace"))) + 1

    def frame(self, parent: int, *frame: Any) -> int:
        """The path condition `parent` with one more frame."""
        key = (parent, *frame)
        number = self.chain_numbers.get(key)
        if number is None:
            number = self.chain_numbers[key] = len(self.chains)
            self.chains.append(key)
        return number

    def tested(self, condition: int, holds: bool, entered: bool, node: Any) -> int:
        """The current path condition with a test; constant conditions that hold add nothing."""
        return self.frame(self.chain, "test", condition, holds, entered, *self.place(node))

    def event(self, kind: str, node: Any, a: Any = NONE, b: int = NONE, stores: tuple = ()) -> None:
        """Record what happens here."""
        self.events.append(Event(kind, self.chain, a, b, stores, *self.place(node)))

    def expr(self, node: ast.expr | None) -> int:
        """The term of an expression, -1 for none."""
        if node is None:
            return NONE
        handler = self._handlers.get(type(node))
        if handler is None:
            return self.term("unknown", node.lineno, node.col_offset)
        return handler(node)

    def all(self, nodes: list[ast.expr]) -> tuple[int, ...]:
        """The terms of several expressions."""
        return tuple([self.expr(n) for n in nodes])

    def constant(self, value: Any) -> int:
        """The term of a literal."""
        return self.term("const", type(value).__name__, value if value is not ... else None)

    # one method for each kind of expression

    def _constant(self, node: ast.Constant) -> int:
        return self.constant(node.value)

    def _name(self, node: ast.Name) -> int:
        return self.lookup(node.id)

    def lookup(self, name: str) -> int:
        """What a name stands for here: a local term, an outer function's term, or a name of the module."""
        found = self.env.get(name)
        if found is not None:
            return found
        if name in self.cells:
            return self.cell(name)
        for function, env in reversed(self.scopes):
            found = env.get(name)
            if found is not None:
                return self.term("outer", function, found)
        return self.term("name", name)

    def cell(self, name: str) -> int:
        """The variable of a `global` or `nonlocal` statement, as a place that several functions share."""
        for function, env in reversed(self.scopes):
            if name in env:
                return self.term("cell", function, name)
        return self.term("cell", 0, name)

    def _attribute(self, node: ast.Attribute) -> int:
        term = self.term("attr", self.expr(node.value), node.attr)
        return self.env.get(term, term)

    def _subscript(self, node: ast.Subscript) -> int:
        term = self.term("sub", self.expr(node.value), self.expr(node.slice))
        return self.env.get(term, term)

    def _slice(self, node: ast.Slice) -> int:
        return self.term("seq", "slice", (self.expr(node.lower), self.expr(node.upper), self.expr(node.step)))

    def _call(self, node: ast.Call) -> int:
        callee = self.expr(node.func)
        args = self.all(node.args)
        kwargs = tuple([(k.arg or "", self.expr(k.value)) for k in node.keywords])
        term = self.term("call", callee, args, kwargs, *self.place(node))
        self.event("call", node, term)
        return term

    def _binary(self, node: ast.BinOp) -> int:
        left = self.expr(node.left)
        return self.term("bin", _BINARY[type(node.op)], left, self.expr(node.right), *self.place(node))

    def _unary(self, node: ast.UnaryOp) -> int:
        operand, op = self.expr(node.operand), _UNARY[type(node.op)]
        kind = self.term.terms[operand]
        if op == "-" and kind[0] == "const" and kind[1] in ("int", "float"):
            return self.constant(-kind[2])
        return self.term("un", op, operand)

    def _bool(self, node: ast.BoolOp) -> int:
        outside, holds, operands = self.chain, isinstance(node.op, ast.And), []
        for value in node.values:
            operands.append(self.expr(value))
            self.chain = self.tested(operands[-1], holds, True, value)
        self.chain = outside
        return self.term("bool", "and" if holds else "or", tuple(operands))

    def _compare(self, node: ast.Compare) -> int:
        left, parts = self.expr(node.left), []
        at = self.place(node)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.expr(right_node)
            parts.append(self.term("cmp", _COMPARE[type(op)], left, right, *at))
            left = right
        return parts[0] if len(parts) == 1 else self.term("bool", "and", tuple(parts))

    def _conditional(self, node: ast.IfExp) -> int:
        test, outside = self.expr(node.test), self.chain
        self.chain = self.tested(test, True, True, node.test)
        then = self.expr(node.body)
        self.chain = outside
        self.chain = self.tested(test, False, True, node.test)
        other = self.expr(node.orelse)
        self.chain = outside
        return then if then == other else self.term("if", test, then, other)

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> int:
        kind, parts = type(node).__name__.lower(), self.all(node.elts)
        # a list is one of its own: two that are written alike are filled apart
        return self.term("seq", kind, parts) if kind == "tuple" else self.term("seq", kind, parts, *self.place(node))

    def _dict(self, node: ast.Dict) -> int:
        entries = tuple([(self.expr(k), self.expr(v)) for k, v in zip(node.keys, node.values, strict=True)])
        return self.term("map", entries, *self.place(node))

    def _starred(self, node: ast.Starred) -> int:
        return self.term("star", self.expr(node.value))

    def _joined(self, node: ast.JoinedStr) -> int:
        parts = [v.value if isinstance(v, ast.FormattedValue) else v for v in node.values]
        return self.term("fstr", self.all(parts))

    def _await(self, node: ast.Await) -> int:
        return self.expr(node.value)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> int:
        self.flags += "g"
        self.event("yield", node, self.expr(node.value))
        return self.term("yielded", node.lineno, node.col_offset)

    def _walrus(self, node: ast.NamedExpr) -> int:
        value = self.expr(node.value)
        self.assign(node.target, value)
        return value

    def _lambda(self, node: ast.Lambda) -> int:
        number = self.define(node, "<lambda>", node.args, [], None)
        self.run_function(number, node, [ast.copy_location(ast.Return(node.body), node.body)], "l")
        return self.term("def", number)

    def _comprehension(self, node: Any) -> int:
        env, chain = self.env, self.chain
        self.env = dict(env)
        loops, tests = [], []
        for part in node.generators:
            iterable = self.expr(part.iter)
            loop = self.open_loop("comp", iterable, (), part.iter, part.iter)
            self.chain = self.frame(self.chain, "loop", loop)
            self.bind_target(part.target, iterable, loop)
            loops.append((iterable, loop))
            for test in part.ifs:
                tests.append(self.expr(test))
                self.chain = self.tested(tests[-1], True, True, test)
        if isinstance(node, ast.DictComp):
            element = self.term("seq", "tuple", (self.expr(node.key), self.expr(node.value)))
        else:
            element = self.expr(node.elt)
        self.env, self.chain = env, chain
        return self.term("comp", type(node).__name__, element, tuple(loops), tuple(tests))

    # binding

    def open_loop(self, kind: str, subject: int, names: tuple[str, ...], head: Any, whole: Any) -> int:
        """A new loop outside of whose body the current path condition holds."""
        self.loops.append(Loop(self.function, kind, subject, self.chain, names, *self.place(head), whole.end_lineno))
        return len(self.loops) - 1

    def bind_target(self, target: ast.expr, iterable: int, loop: int) -> None:
        """Bind a loop's target; a tuple takes its parts by position."""
        name = target.id if isinstance(target, ast.Name) else ""
        if isinstance(target, (ast.Tuple, ast.List)):
            name = ", ".join([part.id if isinstance(part, ast.Name) else "" for part in target.elts])
        self.assign(target, self.term("iter", iterable, loop, name))

    def assign(self, target: ast.expr, value: int) -> None:
        """Bind a target to a term: a local name, an attribute, a subscript, or the parts of a tuple."""
        if isinstance(target, ast.Name):
            if target.id in self.cells:
                self.event("set", target, self.cell(target.id), value)
            self.env[target.id] = value
            self.event("bind", target, target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            key = self.place_of_store(target)
            self.env[key] = value
            self.event("set", target, key, value)

    def place_of_store(self, target: ast.Attribute | ast.Subscript) -> int:
        """The term of an attribute or subscript as a place to store to, not what it holds now."""
        base = self.expr(target.value)
        if isinstance(target, ast.Attribute):
            return self.term("attr", base, target.attr)
        return self.term("sub", base, self.expr(target.slice))

    def _unpack(self, target: ast.Tuple | ast.List, value: int) -> None:
        whole = self.term.terms[value]
        for position, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                self.assign(part.value, self.term("rest", value, position))
            elif whole[0] == "seq" and whole[1] != "set" and len(whole[2]) == len(target.elts):
                self.assign(part, whole[2][position])
            else:
                self.assign(part, self.term("idx", value, position))

    # functions

    def define(self, node: Any, name: str, args: ast.arguments, decorators: list[ast.expr], returns: Any) -> int:
        """A new function whose body is not walked yet; defaults and decorators belong to the enclosing function."""
        qualname = name
        owner = self.functions[self.function] if self.functions else None
        cls = self.class_now
        if cls >= 0:
            qualname = f"{self.classes[cls][1]}.{name}"
        elif owner is not None and self.function:
            qualname = f"{owner.qualname}.{name}"
        params = self._params(args)
        line, column, end_line, _ = self.place(node)
        function = Function(
            name, qualname, line, column, end_line, cls, self.function, params,
            self.all(decorators), self.annotation(returns), "", (),
        )  # fmt: skip
        self.functions.append(function)
        return len(self.functions) - 1

    def _params(self, args: ast.arguments) -> tuple[Param, ...]:
        found = []
        positional = [(a, "/") for a in args.posonlyargs] + [(a, "p") for a in args.args]
        missing = len(positional) - len(args.defaults)
        for at, (arg, kind) in enumerate(positional):
            default = self.expr(args.defaults[at - missing]) if at >= missing else NONE
            found.append(Param(arg.arg, default, self.annotation(arg.annotation), kind))
        if args.vararg:
            found.append(Param(args.vararg.arg, NONE, NONE, "*"))
        for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            found.append(Param(arg.arg, self.expr(value), self.annotation(arg.annotation), "k"))
        if args.kwarg:
            found.append(Param(args.kwarg.arg, NONE, NONE, "**"))
        return tuple(found)

    def annotation(self, node: ast.expr | None) -> int:
        """The term of an annotation; a quoted one is read as the expression that it quotes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                quoted = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return NONE
            node = _relocated(quoted, node)
        if node is None:
            return NONE
        events, self.events = self.events, []
        try:
            return self.expr(node)
        finally:
            self.events = events

    # what statements add

    class_now: int = -1

    def run_function(self, number: int, node: Any, body: list[ast.stmt], flags: str) -> None:
        """Walk a function's body (in `statements`)."""
        raise TypeError("expressions alone cannot walk a body")


def _relocated(tree: ast.expr, at: ast.expr) -> ast.expr:
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            ast.copy_location(node, at)
    return tree


_EXPRESSIONS: dict[type, str] = {
    ast.Constant: "_constant", ast.Name: "_name", ast.Attribute: "_attribute", ast.Subscript: "_subscript",
    ast.Slice: "_slice", ast.Call: "_call", ast.BinOp: "_binary", ast.UnaryOp: "_unary", ast.BoolOp: "_bool",
    ast.Compare: "_compare", ast.IfExp: "_conditional", ast.List: "_sequence", ast.Tuple: "_sequence",
    ast.Set: "_sequence", ast.Dict: "_dict", ast.Starred: "_starred", ast.JoinedStr: "_joined", ast.Await: "_await",
    ast.Yield: "_yield", ast.YieldFrom: "_yield", ast.NamedExpr: "_walrus", ast.Lambda: "_lambda",
    ast.ListComp: "_comprehension", ast.SetComp: "_comprehension", ast.GeneratorExp: "_comprehension",
    ast.DictComp: "_comprehension",
}  # fmt: skip
