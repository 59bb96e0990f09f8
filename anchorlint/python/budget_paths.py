"""Path conditions as the budget rules read them: which tests, handlers and loops an event stands under."""

from __future__ import annotations

from collections.abc import Iterator

from anchorlint.python.facts import NONE, Event, Facts
from anchorlint.python.link import last_name
from anchorlint.python.terms import parts

Frame = tuple  # the frame of a chain without its parent, kind first
_CONTROL = {"StopIteration", "StopAsyncIteration", "IndexError", "KeyError", "AttributeError", "Empty", "QueueEmpty",
            "Full", "QueueFull", "BlockingIOError", "InterruptedError", "ImportError", "ModuleNotFoundError",
            "NameError",
            "GeneratorExit", "CancelledError", "UnicodeDecodeError", "UnicodeError", "LookupError",
            "NotImplementedError", "WatchError", "KeyboardInterrupt", "EOFError"}  # fmt: skip
MOST_FRAMES = 60  #: frames of one path that are looked at, the innermost ones


def frames(facts: Facts, chain: int) -> Iterator[tuple[int, Frame]]:
    """The frames of a path, innermost first, each with its chain; a join with one arm is that arm."""
    pending = [(chain, 0)]
    seen = 0
    while pending and seen < MOST_FRAMES:
        chain, stop = pending.pop()
        while chain > 0 and chain != stop and seen < MOST_FRAMES:
            parent, *frame = facts.chains[chain]
            seen += 1
            yield chain, tuple(frame)
            if frame[0] == "join" and len(frame[1]) == 1 and frame[1][0] > 0:
                pending.append((parent, stop))
                chain, stop = frame[1][0], frame[2]
                continue
            chain = parent


def above(facts: Facts, outer: int, inner: int) -> bool:
    """Whether everything that holds at `outer` holds at `inner` too."""
    if outer <= 0:
        return True
    chain = inner
    while chain > 0:
        if chain == outer:
            return True
        chain = facts.chains[chain][0]
    return False


def handlers(facts: Facts, chain: int) -> list[tuple[int, int]]:
    """The (try, handler) that a path has gone through, innermost first."""
    return [(frame[1], frame[2]) for _, frame in frames(facts, chain) if frame[0] == "exc"]


def trying(facts: Facts, chain: int) -> list[int]:
    """The tries in whose body a path stands, innermost first."""
    found: list[int] = []
    while chain > 0:  # not through joins: behind a loop these lead back into it
        frame = facts.chains[chain]
        if frame[1] == "try":
            found.append(frame[2])
        chain = frame[0]
    return found


def handled(facts: Facts, event: Event) -> bool:
    """Whether an event stands within the lines of a handler, so that python knows what is being handled."""
    for number, handler in handlers(facts, event.chain):
        record = facts.tries[number].handlers[handler]
        if record.line <= event.line <= record.last_line and facts.tries[number].kind == "try":
            return True
    return False


def loops(facts: Facts, chain: int) -> list[int]:
    """The loops that a path stands inside of, innermost first."""
    found: list[int] = []
    left: set[int] = set()
    while chain > 0:  # not through joins: behind a loop these lead back into it
        frame = facts.chains[chain]
        if frame[1] == "after":
            left.add(frame[2])
        elif frame[1] == "loop" and frame[2] not in left:
            found.append(frame[2])
        chain = frame[0]
    return found


def inside(facts: Facts, event: Event, loop: int) -> bool:
    """Whether an event stands in a loop's body."""
    return loop in loops(facts, event.chain)


def tries_in(facts: Facts, loop: int) -> list[int]:
    """The tries that stand in a loop's body, comprehensions and functions within it left out."""
    function = facts.loops[loop].function
    numbered = enumerate(facts.tries)
    return [n for n, record in numbered if record.function == function and loop in loops(facts, record.chain)]


def entry(facts: Facts, number: int, handler: int) -> int:
    """The path on which a handler begins, 0 if it is not to be found."""
    key = (facts.tries[number].chain, "exc", number, handler)
    for chain in range(len(facts.chains) - 1, 0, -1):
        if facts.chains[chain] == key:
            return chain
    return 0


def leaves(facts: Facts, number: int, handler: int) -> bool:
    """Whether a handler always leaves the function: its own last word is a raise or a return."""
    chain = entry(facts, number, handler)
    events = facts.functions[facts.tries[number].function].events
    return chain == 0 or any(e.kind in ("raise", "ret") and e.chain == chain for e in events)


def raises(facts: Facts, number: int, handler: int) -> bool:
    """Whether something is raised in a handler."""
    events = facts.functions[facts.tries[number].function].events
    return any(e.kind == "raise" and (number, handler) in handlers(facts, e.chain) for e in events)


def goes_on(facts: Facts, loop: int, number: int, handler: int) -> bool:
    """Whether a handler leads to the next turn of a loop."""
    if leaves(facts, number, handler):
        return False
    for event in facts.functions[facts.tries[number].function].events:
        if event.kind in ("back", "cont") and event.a == loop and _passes(facts, event.chain, number, handler):
            return True
    return False


def goes_up(facts: Facts, event: Event) -> bool:
    """Whether a handler raises what it caught again behind an event in it, whatever that has done."""
    function = next(facts.tries[number].function for number, _ in handlers(facts, event.chain))
    again = [e for e in facts.functions[function].events if e.kind == "raise" and e.a == NONE and e.line >= event.line]
    return any(above(facts, one.chain, event.chain) for one in again)


def is_passed(facts: Facts, number: int, event: Event) -> bool:
    """Whether a failure that `with suppress(…)` swallows before an event has nothing to do with it.

    It goes on there either way, and no test on the way to the event asks how it went.
    """
    record = facts.tries[number]
    if record.kind != "suppress" or record.last_line >= event.line or loops(facts, event.chain):
        return False
    body = [e for e in facts.functions[record.function].events if number in trying(facts, e.chain)]
    if any(e.kind in ("ret", "brk", "cont", "raise") for e in body):
        return False
    pending = [frame[1] for _, frame in frames(facts, event.chain) if frame[0] == "test"]
    seen: set[int] = set()
    while pending:
        term = pending.pop()
        if facts.terms[term][:2] == ("raised", number):
            return False
        if term not in seen:
            seen.add(term)
            pending += parts(facts.terms[term])
    return True


def _passes(facts: Facts, chain: int, number: int, handler: int) -> bool:
    """Whether a path may have gone through a handler: it is not in the try, its else, or another handler of it."""
    for _, frame in frames(facts, chain):
        if frame[0] == "exc" and frame[1] == number:
            return bool(frame[2] == handler)
        if frame[0] in ("try", "noexc") and frame[1] == number:
            return False
    return True


def is_control(facts: Facts, number: int, handler: int) -> bool:
    """Whether a handler takes only what steers the flow of a program: an empty queue, a missing key, an end."""
    types = facts.tries[number].handlers[handler].types
    if types < 0:
        return False
    term = facts.terms[types]
    each = term[2] if term[0] == "seq" else (types,)
    return bool(each) and all(last_name(facts.terms, one) in _CONTROL for one in each)


def place(event: Event) -> tuple[int, int, int, int]:
    """Line, column, end line and end column of an event."""
    return event.line, event.column, event.end_line, event.end_column


def holds(outer: Event, inner: Event) -> bool:
    """Whether one event's text contains another's."""
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    end = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    same = (outer.line, outer.column, outer.end_line, outer.end_column) == (
        inner.line, inner.column, inner.end_line, inner.end_column)  # fmt: skip
    return start and end and not same
