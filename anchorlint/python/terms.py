"""Terms: what an expression is made of, flat tuples in one table per module, so that equal expressions are one number.

A term refers to other terms by their number, and always to smaller ones. The first entry is the kind:

    ("const", type name, value)             ("name", identifier)            a module's name or a builtin
    ("param", function, position)           ("outer", function, term)       a closure's view of an outer function
    ("cell", function, name)                a variable that `global` or `nonlocal` shares between functions
    ("attr", base, name)                    ("sub", base, index)
    ("call", callee, args, kwargs, *place)  args: terms, kwargs: (name or "", term)
    ("bin", op, left, right, *place)        ("cmp", op, left, right, *place)
    ("un", op, operand)                     ("bool", "and" | "or", operands)
    ("if", test, then, else)                ("phi", terms)                  merges of control flow
    ("loop", name, before, loop)            a variable at the head of a loop that assigns it
    ("iter", iterable, loop, name)          what one turn of a loop is about
    ("idx", value, position)                ("rest", value, position)       unpacking
    ("seq", "tuple", terms)                 ("seq", "list" | "set", terms, *place)
    ("map", ((key, value), …), *place)      key -1: a merged mapping
    ("star", term)   ("fstr", terms)        ("comp", kind, element, ((iterable, loop), …), tests)
    ("def", function) ("classdef", class)   ("import", module, name | "", level)
    ("exc", try, handler)                   the caught exception
    ("raised", try, handler)                whether that handler was entered
    ("entered", term)                       what `with term as x` binds
    ("yielded", line, column)  ("unknown", line, column)

`place` is line, column, end line, end column, counted from 1 in code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Term = tuple  # heterogeneous by nature: the table goes to disk as it is

#: kinds whose one part stands first
_FIRST = frozenset({"attr", "iter", "idx", "rest", "star", "entered"})

#: where `*place` starts in the kinds that carry one
PLACE_AT = {"call": 4, "bin": 4, "cmp": 4}


def place(term: Term) -> tuple[int, int, int, int]:
    """The place of a call, an operation or a comparison."""
    at = PLACE_AT[term[0]]
    return term[at : at + 4]


def last_name(terms: list[tuple], callee: int) -> str:
    """The last step of a callee: `fetch` for `self.client.fetch`, "" where it has none."""
    term = terms[callee]
    if term[0] == "attr":
        return term[2]
    if term[0] == "name":
        return term[1]
    if term[0] == "import":
        return term[2] or term[1].rpartition(".")[2]
    if term[0] == "outer":
        return last_name(terms, term[2])
    return ""


def parts(term: tuple) -> Sequence[int]:
    """The terms that a term is made of."""
    kind = term[0]
    if kind in _FIRST:
        return (term[1],) if term[1] >= 0 else ()
    if kind == "call":
        return (term[1], *term[2], *[number for _, number in term[3]])
    if kind in ("bin", "cmp"):
        return term[2:4]
    if kind == "sub":
        return term[1:3]
    if kind in ("bool", "seq"):
        return [number for number in term[2] if number >= 0]
    if kind == "if":
        return term[1:]
    if kind in ("phi", "fstr"):
        return term[1]  # type: ignore[no-any-return]
    if kind in ("loop", "outer", "un"):
        return (term[2],) if term[2] >= 0 else ()
    if kind == "map":
        return [number for pair in term[1] for number in pair if number >= 0]
    if kind == "comp":
        return (term[2], *[iterable for iterable, _ in term[3]], *term[4])
    return ()


def made_of(terms: list[tuple], numbers: Iterable[int]) -> Iterator[int]:
    """These terms and all that they are made of, each once."""
    pending = list(numbers)
    seen = set(pending)
    while pending:
        number = pending.pop()
        yield number
        fresh = set(parts(terms[number])) - seen
        seen |= fresh
        pending += fresh
