"""Finds calls of named functions in SQL text with the place of every argument, whatever the dialect around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

_PIECE = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<dollar>\$(?P<tag>[A-Za-z_]\w*|)\$(?P<body>.*?)(?:\$(?P=tag)\$|\Z))
      | (?P<escaped>[eE]'(?:[^'\\]|''|\\.)*(?:'|\Z))
      | (?P<text>'(?:[^']|'')*(?:'|\Z))
      | (?P<quoted>"[^"]*(?:"|\Z))
      | (?P<word>[A-Za-z_][\w$]*(?:\s*\.\s*[A-Za-z_][\w$]*)*)
      | (?P<mark>:=|=>|::|[(),;\[\]])""",
    re.VERBOSE | re.DOTALL,
)

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


class Argument(msgspec.Struct, frozen=True):
    """One argument: `text` if it is a text constant, `name` if it is passed by name; offsets in code points."""

    start: int
    end: int
    text: str | None = None
    name: str | None = None


class Call(msgspec.Struct, frozen=True):
    """A call of a function by its name in lower case, from its name to its closing parenthesis."""

    name: str
    start: int
    end: int
    arguments: tuple[Argument, ...]


def calls(text: str, names: Sequence[str]) -> Iterator[Call]:
    """Every call of these functions in the order of the text; those in comments and text constants are none."""
    pieces = [piece for piece in _PIECE.finditer(text) if piece.lastgroup != "comment" and not piece["comment"]]
    for place, piece in enumerate(pieces[:-1]):
        said = "".join((piece["word"] or "").split()).lower()
        if said in names and pieces[place + 1]["mark"] == "(":
            found = _call(text, pieces, place, said)
            if found is not None:
                yield found
        body = piece["body"]
        if body and any(name.rpartition(".")[2] in body.lower() for name in names):
            yield from _moved(calls(body, names), piece.start("body"))


def _moved(found: Iterator[Call], by: int) -> Iterator[Call]:
    """The calls of a text within the text, DO blocks and function bodies."""
    for call in found:
        arguments = tuple(
            msgspec.structs.replace(each, start=each.start + by, end=each.end + by) for each in call.arguments
        )
        yield msgspec.structs.replace(call, start=call.start + by, end=call.end + by, arguments=arguments)


def _call(text: str, pieces: list[re.Match[str]], place: int, name: str) -> Call | None:
    """The call whose name stands at `place`, None if its parentheses never close."""
    depth, current, arguments = 0, pieces[place + 1].end(), []
    held: list[re.Match[str]] = []
    for piece in pieces[place + 1 :]:
        mark = piece["mark"]
        depth += mark in ("(", "[") if mark else 0
        if depth == 1 and mark in (",", ")"):
            if text[current : piece.start()].strip():
                arguments.append(_argument(text, current, piece.start(), held))
            current, held = piece.end(), []
        elif depth > 1 or mark not in ("(",):
            held.append(piece)
        depth -= mark in (")", "]") if mark else 0
        if depth == 0:
            return Call(name, pieces[place].start(), piece.end(), tuple(arguments))
    return None


def _argument(text: str, start: int, end: int, pieces: list[re.Match[str]]) -> Argument:
    """One argument from what stands between two commas; a cast of a constant is that constant."""
    name = None
    if len(pieces) > 1 and pieces[0]["word"] and pieces[1]["mark"] in (":=", "=>"):
        name, pieces = pieces[0]["word"].lower(), pieces[2:]
    constant = pieces[0] if pieces else None
    rest = [piece for piece in pieces[1:] if piece["mark"] != "::" and not piece["word"]]
    if constant is None or rest or _constant(constant) is None:
        return Argument(start, end, None, name)
    after = _COMMENT.sub("", text[constant.end() : end]).strip()
    if after and not after.startswith("::"):
        return Argument(start, end, None, name)
    return Argument(constant.start(), constant.end(), _constant(constant), name)


def _constant(piece: re.Match[str]) -> str | None:
    if piece["dollar"]:
        return piece["body"]
    said = piece["text"] or (piece["escaped"][1:] if piece["escaped"] else None)
    return said[1:-1].replace("''", "'") if said else None
