"""Terms walked: what a term is made of, which terms hold another one, and the frames of a path condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anchorlint.python.facts import NONE, Event, Facts

FUEL = 6_000  #: terms evaluated for one function that is asked about outcomes
_SINGLE = {"attr": (1,), "sub": (1, 2), "bin": (2, 3), "cmp": (2, 3), "un": (2,), "if": (1, 2, 3), "loop": (2,),
           "iter": (1,), "idx": (1,), "rest": (1,), "star": (1,), "entered": (1,), "outer": (2,)}  # fmt: skip
_MANY = {"bool": 2, "phi": 1, "seq": 2, "fstr": 1}


def children(term: tuple) -> Iterator[int]:
    """The terms that a term is made of, closures and functions left out."""
    kind = term[0]
    if kind in _SINGLE:
        for at in _SINGLE[kind]:
            yield term[at]
    elif kind == "call":
        yield term[1]
        yield from term[2]
        for _, value in term[3]:
            yield value
    elif kind in _MANY:
        yield from term[_MANY[kind]]
    elif kind == "map":
        for pair in term[1]:
            yield from pair
    elif kind == "comp":
        yield term[2]
        for iterable, _ in term[3]:
            yield iterable
        yield from term[4]


def inside(facts: Facts, number: int, most: int = 400) -> Iterator[int]:
    """A term and all that it is made of, each once."""
    pending, seen = [number], set()
    while pending and len(seen) < most:
        one = pending.pop()
        if one < 0 or one in seen:
            continue
        seen.add(one)
        yield one
        pending.extend(children(facts.terms[one]))


def outside_calls(facts: Facts, number: int, most: int = 200) -> Iterator[int]:
    """A term and all that it is made of, but not what calls in it are given."""
    pending, seen = [number], set()
    while pending and len(seen) < most:
        one = pending.pop()
        if one < 0 or one in seen:
            continue
        seen.add(one)
        yield one
        if facts.terms[one][0] not in ("call", "comp"):
            pending.extend(children(facts.terms[one]))


def mentions(facts: Facts, number: int, wanted: Iterable[int]) -> bool:
    """Whether a term holds one of these."""
    wanted = wanted if isinstance(wanted, (set, frozenset)) else frozenset(wanted)
    return any(one in wanted for one in inside(facts, number))


def frames(facts: Facts, chain: int) -> Iterator[tuple]:
    """The frames of a path condition, innermost first, without those of joined branches."""
    while chain > 0:
        frame = facts.chains[chain]
        yield frame
        chain = frame[0]


def tests(facts: Facts, chain: int, depth: int = 0) -> Iterator[tuple]:
    """The test frames of a path condition, those of joined branches included."""
    for frame in frames(facts, chain):
        if frame[1] == "test":
            yield frame
        elif frame[1] == "join" and depth < 3:
            for branch in frame[2]:
                yield from _until(facts, branch, frame[3], depth + 1)


def _until(facts: Facts, chain: int, base: int, depth: int) -> Iterator[tuple]:
    while chain > 0 and chain != base:
        frame = facts.chains[chain]
        if frame[1] == "test":
            yield frame
        elif frame[1] == "join" and depth < 3:
            for branch in frame[2]:
                yield from _until(facts, branch, frame[3], depth + 1)
        chain = frame[0]


def handler_of(facts: Facts, chain: int) -> tuple[int, int] | None:
    """The innermost (try, handler) whose except clause a place stands in, or came through."""
    for frame in frames(facts, chain):
        if frame[1] == "exc":
            return frame[2], frame[3]
    return None


def handlers_on(facts: Facts, chain: int, depth: int = 0) -> Iterator[tuple[int, int]]:
    """Every (try, handler) that a path condition comes through, joined branches included."""
    for frame in frames(facts, chain):
        if frame[1] == "exc":
            yield frame[2], frame[3]
        elif frame[1] == "join" and depth < 3:
            for branch in frame[2]:
                yield from handlers_on(facts, branch, depth + 1)


def handler_here(facts: Facts, event: Event, number: int, handler: int) -> bool:
    """Whether an event stands in the text of an except clause."""
    clause = facts.tries[number].handlers[handler]
    return facts.tries[number].kind == "try" and clause.line <= event.line <= clause.last_line


def in_body(facts: Facts, chain: int, number: int) -> bool:
    """Whether a place stands in the body of a try."""
    return any(frame[1] == "try" and frame[2] == number for frame in frames(facts, chain))


def in_loop(facts: Facts, chain: int, loop: int) -> bool:
    """Whether a place stands in a loop's body."""
    return any(frame[1] == "loop" and frame[2] == loop for frame in frames(facts, chain))


def used(facts: Facts, events: Iterable[Event]) -> frozenset[int]:
    """The terms whose value some event of a function makes use of: what is called and thrown away is not in it."""
    roots: set[int] = set()
    for event in events:
        if event.kind == "call":
            roots.update(children(facts.terms[event.a]))
        elif event.kind in ("bind", "set"):
            roots.add(event.b)
        elif event.kind in ("ret", "yield", "raise") and event.a != NONE:
            roots.add(event.a)
        roots.update(frame[2] for frame in tests(facts, event.chain))
    found: set[int] = set()
    for root in roots:
        if root not in found:
            found.update(inside(facts, root))
    return frozenset(found)
