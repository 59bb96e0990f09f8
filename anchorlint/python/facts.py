"""Facts: all that one Python file says, in flat tables, without knowledge of any other file."""

from __future__ import annotations

import marshal
from itertools import repeat
from typing import Any, NamedTuple

from anchorlint.python.terms import Term

NONE = -1  #: no term


class Param(NamedTuple):
    """A parameter; `default` and `annotation` are terms of the enclosing function or -1; kind is `/ p * k` or `**`."""

    name: str
    default: int
    annotation: int
    kind: str


class Event(NamedTuple):
    """Something a function does, in source order.

    kind     a, b
    call     the call's term
    ret      the returned term
    raise    the exception's term or -1 (re-raise), its cause's term, -1 without `from`, -2 for `from None`
    end      falls off the end
    cont, brk, back    the loop; `back` is the end of its body
    bind     a local name (str), its new term
    set      the target's term (attribute or subscript), its new term
    del      the target's term
    yield    the term
    `chain` is the path condition; `stores` the local and attribute values that hold at an exit.
    """

    kind: str
    chain: int
    a: Any
    b: int
    stores: tuple[tuple[Any, int], ...]
    line: int
    column: int
    end_line: int
    end_column: int


class Function(NamedTuple):
    """A function, method or lambda; number 0 is the module's body."""

    name: str
    qualname: str
    line: int
    column: int
    end_line: int
    cls: int
    outer: int
    params: tuple[Param, ...]
    decorators: tuple[int, ...]
    returns: int
    flags: str  #: a: async, g: generator, l: lambda
    events: tuple[Event, ...]


class Class(NamedTuple):
    """A class; `fields` are (name, value or -1, annotation or -1, line) of its body, `methods` name -> function."""

    name: str
    qualname: str
    line: int
    function: int
    bases: tuple[int, ...]
    keywords: tuple[tuple[str, int], ...]
    decorators: tuple[int, ...]
    fields: tuple[tuple[str, int, int, int], ...]
    methods: tuple[tuple[str, int], ...]


class Loop(NamedTuple):
    """A loop; kind is while, for or comp, `subject` the test or the iterable, `chain` holds outside of it."""

    function: int
    kind: str
    subject: int
    chain: int
    names: tuple[str, ...]
    line: int
    column: int
    end_line: int
    end_column: int
    last_line: int


class Handler(NamedTuple):
    """An except clause; `types` is a term or -1 for a bare one."""

    types: int
    name: str
    line: int
    column: int
    end_line: int
    end_column: int
    last_line: int


class Try(NamedTuple):
    """A try statement, or a `with` that swallows: kind is try, suppress or attempt."""

    function: int
    kind: str
    chain: int
    handlers: tuple[Handler, ...]
    line: int
    last_line: int


class Facts:
    """The tables of one file. `chains[n]` is (parent, frame kind, …); 0 is the empty path condition.

    Frames: ("test", condition, holds, entered, *place), ("join", chains, base), ("loop", loop), ("after", loop),
    ("try", try), ("exc", try, handler), ("noexc", try). A test is *entered* when the statement stands inside that
    branch; otherwise the path survived because the other branch left.
    """

    __slots__ = ("chains", "classes", "functions", "globals", "loops", "path", "stars", "terms", "tries")

    def __init__(
        self,
        path: str,
        terms: list[Term],
        chains: list[tuple],
        functions: list[Function],
        classes: list[Class],
        loops: list[Loop],
        tries: list[Try],
        globals_: dict[str, int],
        stars: tuple[tuple[str, int], ...],
    ) -> None:
        self.path = path
        self.terms = terms
        self.chains = chains
        self.functions = functions
        self.classes = classes
        self.loops = loops
        self.tries = tries
        self.globals = globals_
        self.stars = stars

    def pack(self) -> bytes:
        """The tables as bytes for the cache; only the same Python version reads them back."""
        return marshal.dumps(
            (
                self.path,
                self.terms,
                self.chains,
                [(*f[:7], tuple(map(tuple, f.params)), *f[8:11], tuple(map(tuple, f.events))) for f in self.functions],
                [tuple(c) for c in self.classes],
                [tuple(x) for x in self.loops],
                [(*t[:3], tuple(map(tuple, t.handlers)), *t[4:]) for t in self.tries],
                self.globals,
                self.stars,
            )
        )

    @classmethod
    def unpack(cls, data: bytes) -> Facts:
        """The facts that `pack` made bytes of; ValueError, EOFError or TypeError if they are not whole."""
        path, terms, chains, functions, classes, loops, tries, globals_, stars = marshal.loads(data)
        new: Any = tuple.__new__  # `_make` of a named tuple takes three times as long
        return cls(
            path,
            terms,
            chains,
            [
                Function(*f[:7], tuple(map(new, repeat(Param), f[7])), *f[8:11], tuple(map(new, repeat(Event), f[11])))
                for f in functions
            ],
            [Class._make(c) for c in classes],
            [Loop._make(x) for x in loops],
            [Try(*t[:3], tuple(map(Handler._make, t[3])), *t[4:]) for t in tries],
            globals_,
            stars,
        )


def read(path: str, text: str) -> Facts:
    """The facts of one file; raises `parse.Unparsed` where the text is no Python that anything here can read."""
    from anchorlint.python.parse import parse
    from anchorlint.python.statements import Walk

    tree = parse(path, text)
    return Walk(path, text).facts(tree)
