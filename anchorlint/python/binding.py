"""The tables of one file and the state of its walk: places, path conditions, events, and what names are bound to."""

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


class Binding:
    """Holds the tables of one file and the state of the function being walked; expressions become terms."""

    names_of_methods: ClassVar[dict[type, str]] = {}  #: the method for each kind of expression (in `expressions`)

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
            kind: getattr(self, name) for kind, name in self.names_of_methods.items()
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
