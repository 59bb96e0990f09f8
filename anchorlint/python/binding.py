"""The tables of one file and the state of its walk: places, path conditions, events, and what names are bound to."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import Any

from anchorlint.python.facts import NONE, Event, Function, Loop, Param
from anchorlint.python.terms import Term

_new: Any = tuple.__new__  # a named tuple made of a tuple, without a call in Python
Env = dict[Any, int]  # local name -> term, and term of an attribute or subscript -> term stored there
Place = tuple[int, int, int, int]


class Binding:
    """Holds the tables of one file and the state of the function being walked; expressions become terms."""

    alive: bool = True  #: false once the current path has left

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.terms: list[Term] = []
        self.numbers: dict[Term, int] = {}
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
        self.stored = False  # whether `env` can hold attributes or subscripts
        self.wide = _wide(text)

    def term(self, term: Term) -> int:
        """The number of a term; the same tuple always has the same number."""
        new = len(self.terms)
        number = self.numbers.setdefault(term, new)
        if number == new:
            self.terms.append(term)
        return number

    def place(self, node: Any) -> Place:
        """Where a node stands, in code points from 1."""
        line, end = node.lineno, node.end_lineno
        if self.wide and (line in self.wide or end in self.wide):
            return line, self._column(line, node.col_offset), end, self._column(end, node.end_col_offset)
        return line, node.col_offset + 1, end, node.end_col_offset + 1

    def _column(self, line: int, offset: int) -> int:
        text = self.wide.get(line)
        return (offset if text is None else len(text[:offset].decode("utf-8", "replace"))) + 1

    def frame(self, frame: tuple) -> int:
        """The path condition `frame[0]` with one more frame, which is the rest."""
        new = len(self.chains)
        number = self.chain_numbers.setdefault(frame, new)
        if number == new:
            self.chains.append(frame)
        return number

    def tested(self, condition: int, holds: bool, entered: bool, node: Any) -> int:
        """The current path condition with a test; constant conditions that hold add nothing."""
        return self.frame((self.chain, "test", condition, holds, entered, *self.place(node)))

    def event(self, kind: str, node: Any, a: Any = NONE, b: int = NONE, stores: tuple = ()) -> None:
        """Record what happens here."""
        self.events.append(_new(Event, (kind, self.chain, a, b, stores, *self.place(node))))

    def expr(self, node: ast.expr | None) -> int:
        """The term of an expression, -1 for none (in `expressions`)."""
        raise TypeError("bindings alone cannot read expressions")

    def all(self, nodes: list[ast.expr]) -> tuple[int, ...]:
        """The terms of several expressions."""
        if not nodes:
            return ()
        terms = []
        for node in nodes:
            terms.append(self.expr(node))
        return tuple(terms)

    def constant(self, value: Any) -> int:
        """The term of a literal."""
        return self.term(("const", type(value).__name__, value if value is not ... else None))

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
        self.assign(target, self.term(("iter", iterable, loop, name)))

    def assign(self, target: ast.expr, value: int) -> None:
        """Bind a target to a term: a local name, an attribute, a subscript, or the parts of a tuple."""
        if isinstance(target, ast.Name):
            name = target.id
            if name in self.cells:
                self.event("set", target, self.cell(name), value)
            self.env[name] = value
            self.event("bind", target, name, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            key = self.place_of_store(target)
            self.env[key] = value
            self.stored = True
            self.event("set", target, key, value)

    def place_of_store(self, target: ast.Attribute | ast.Subscript) -> int:
        """The term of an attribute or subscript as a place to store to, not what it holds now."""
        base = self.expr(target.value)
        if isinstance(target, ast.Attribute):
            return self.term(("attr", base, target.attr))
        return self.term(("sub", base, self.expr(target.slice)))

    def _unpack(self, target: ast.Tuple | ast.List, value: int) -> None:
        whole = self.terms[value]
        for position, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                self.assign(part.value, self.term(("rest", value, position)))
            elif whole[0] == "seq" and whole[1] != "set" and len(whole[2]) == len(target.elts):
                self.assign(part, whole[2][position])
            else:
                self.assign(part, self.term(("idx", value, position)))

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
        defaults, first = args.defaults, len(args.posonlyargs)
        missing = first + len(args.args) - len(defaults)
        for at, arg in enumerate(args.posonlyargs + args.args):
            default = self.expr(defaults[at - missing]) if at >= missing else NONE
            found.append(self._param(arg, default, "/" if at < first else "p"))
        if args.vararg:
            found.append(Param(args.vararg.arg, NONE, NONE, "*"))
        for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            found.append(self._param(arg, self.expr(value), "k"))
        if args.kwarg:
            found.append(Param(args.kwarg.arg, NONE, NONE, "**"))
        return tuple(found)

    def _param(self, arg: ast.arg, default: int, kind: str) -> Param:
        annotation = NONE if arg.annotation is None else self.annotation(arg.annotation)
        return _new(Param, (arg.arg, default, annotation, kind))

    def lookup(self, name: str) -> int:
        """What a name stands for here (in `expressions`)."""
        raise TypeError("bindings alone know no scopes")

    def cell(self, name: str) -> int:
        """The variable of a `global` or `nonlocal` statement (in `expressions`)."""
        raise TypeError("bindings alone know no scopes")

    def annotation(self, node: ast.expr | None) -> int:
        """The term of an annotation; a quoted one is read as the expression that it quotes."""
        if node is None:
            return NONE
        if isinstance(node, ast.Name):
            return self.lookup(node.id)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.strip()
            if text.isascii() and text.isidentifier() and not iskeyword(text):
                return self.lookup(text)
            try:
                quoted = ast.parse(text, mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return NONE
            node = _relocated(quoted, node)
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


def _wide(text: str) -> dict[int, bytes]:
    """The lines of a text in which a byte is not a character, by number."""
    if text.isascii():
        return {}
    return {number: line.encode() for number, line in enumerate(text.split("\n"), 1) if not line.isascii()}
