"""Terms walked: which terms hold another one, and the frames of a path condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.terms import parts

FUEL = 6_000  #: terms evaluated for one function that is asked about outcomes
MOST_JOINS = 3  #: joins within joins that are followed


def inside(facts: Facts, number: int, most: int = 400) -> Iterator[int]:
    """A term and all that it is made of, each once."""
    pending, seen = [number], set()
    while pending and len(seen) < most:
        one = pending.pop()
        if one < 0 or one in seen:
            continue
        seen.add(one)
        yield one
        pending.extend(parts(facts.terms[one]))


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
            pending.extend(parts(facts.terms[one]))


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


def tests(facts: Facts, chain: int) -> Iterator[tuple]:
    """The test frames of a path condition, those of joined branches included."""
    for frame in frames(facts, chain):
        yield from tested(facts, frame)


def tested(facts: Facts, frame: tuple, depth: int = 0) -> Iterator[tuple]:
    """The test frames that one frame stands for: itself, or those of the branches that it joins."""
    if frame[1] == "test":
        yield frame
    elif frame[1] == "join" and depth < MOST_JOINS:
        for chain in frame[2]:
            while chain > 0 and chain != frame[3]:
                yield from tested(facts, facts.chains[chain], depth + 1)
                chain = facts.chains[chain][0]


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
        elif frame[1] == "join" and depth < MOST_JOINS:
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


def used(facts: Facts, events: Sequence[Event]) -> frozenset[int]:
    """The terms whose value some event of a function makes use of: what is called and thrown away is not in it."""
    pending: list[int] = []
    for event in events:
        if event.kind == "call":
            pending.extend(parts(facts.terms[event.a]))
        elif event.kind in ("bind", "set"):
            pending.append(event.b)
        elif event.kind in ("ret", "yield", "raise"):
            pending.append(event.a)
    for chain in {event.chain for event in events}:
        pending.extend(frame[2] for frame in tests(facts, chain))
    found: set[int] = set()
    while pending:
        one = pending.pop()
        if one >= 0 and one not in found:
            found.add(one)
            pending.extend(parts(facts.terms[one]))
    return frozenset(found)


def is_assertion(facts: Facts, event: Event) -> bool:
    """Whether an event is the failure of an `assert`: that a caller broke a promise is no lack of progress."""
    if event.kind != "raise" or event.a == NONE or facts.terms[event.a][0] != "call":
        return False
    return facts.terms[facts.terms[event.a][1]] == ("name", "AssertionError")
