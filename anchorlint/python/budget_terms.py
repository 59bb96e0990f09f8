"""What terms are made of, and which classes an except clause names."""

from __future__ import annotations

from anchorlint.python.link import last_name
from anchorlint.python.program import Program


def class_names(program: Program, module: int, types: int, depth: int = 0) -> list[str]:
    """The last names of the classes that an except clause takes, through tuples that have a name."""
    if types < 0:
        return ["Exception"]
    terms = program.linked.modules[module].terms
    term = terms[types]
    if term[0] == "seq":
        return [name for one in term[2] for name in class_names(program, module, one, depth)]
    ref = program.linked.expression(module, types)
    if ref is not None and ref.kind == "val" and depth < 3:
        return class_names(program, ref.module, ref.number, depth + 1)
    if ref is not None and ref.kind == "cls":
        return [program.linked.cls(ref).name]
    return [ref.dotted.rpartition(".")[2] if ref is not None else last_name(terms, types)]


def parts(term: tuple) -> list[int]:
    """The terms that a term is made of."""
    kind, *rest = term
    if kind in ("attr", "idx", "rest"):
        return [rest[0]]
    if kind == "sub":
        return rest[:2]
    if kind == "call":
        return [rest[0], *rest[1], *(v for _, v in rest[2])]
    if kind in ("bin", "cmp"):
        return rest[1:3]
    if kind == "un":
        return [rest[1]]
    if kind == "bool" or kind == "seq":
        return list(rest[1])
    if kind == "if":
        return rest[:3]
    if kind in ("phi", "fstr"):
        return list(rest[0])
    if kind == "loop":
        return [rest[1]]
    if kind == "iter":
        return [rest[0]]
    if kind == "map":
        return [n for pair in rest[0] for n in pair if n >= 0]
    if kind in ("star", "entered"):
        return [rest[0]]
    if kind == "comp":
        return [rest[1], *(i for i, _ in rest[2]), *rest[3]]
    return []
