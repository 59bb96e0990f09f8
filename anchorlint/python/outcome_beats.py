"""Beats: loops whose turns are no tries of what a try statement in them does, though its failures lead to the next."""

from __future__ import annotations

from anchorlint.python.facts import Event, Facts
from anchorlint.python.link import last_name
from anchorlint.python.outcome_terms import frames, inside
from anchorlint.python.outcomes import Outcomes
from anchorlint.python.view import View

_PAUSES = frozenset({"sleep", "wait"})


class Beats:
    """Tells polls and services of one program from loops that try again."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes

    def is_apart(self, view: View, event: Event, number: int) -> bool:
        """Whether a way out of a loop hangs on an answer of its own, as a poll's does: then what is tried is only read
        beside the work."""
        facts, read = view.facts, self._read(view, number)
        if any(frame[1] in ("try", "noexc") and frame[2] == number for frame in frames(facts, event.chain)):
            return False
        if not read <= self.outcomes.used(view):
            return False
        asked = [event.b] if event.kind == "bind" else [event.a] if event.kind == "ret" else []
        made = {one for term in (*asked, *_asked(facts, event.chain)) for one in inside(facts, term)}
        if any(facts.terms[one][:2] == ("raised", number) for one in made):
            return False
        return read.isdisjoint(made) and any(facts.terms[one][0] == "call" for one in made)

    def is_service(self, view: View, events: list[Event], loop: int) -> bool:
        """Whether a loop pauses at its head and goes on after a success too, whatever the answer was."""
        if not any(_is_pause(view.facts, event, loop) for event in events):
            return False
        return any(event.kind == "cont" and event.a == loop and self._is_after_success(view, event) for event in events)

    def _is_after_success(self, view: View, event: Event) -> bool:
        """Whether a place stands in the body of a try, on no answer that is got there and in no except clause."""
        facts = view.facts
        above = list(frames(facts, event.chain))
        number = next((frame[2] for frame in above if frame[1] == "try"), None)
        if number is None or any(frame[1] == "exc" for frame in above):
            return False
        read = self._read(view, number)
        return all(read.isdisjoint(inside(facts, term)) for term in _asked(facts, event.chain))

    def _read(self, view: View, number: int) -> frozenset[int]:
        """The calls in the body of a try."""
        return frozenset(call.a for call in self.outcomes.clauses.body(view.module, number))


def _asked(facts: Facts, chain: int) -> list[int]:
    """The conditions that a place hangs on."""
    return [frame[2] for frame in frames(facts, chain) if frame[1] == "test"]


def _is_pause(facts: Facts, event: Event, loop: int) -> bool:
    """Whether an event is a pause that every turn of a loop makes."""
    if event.kind != "call" or last_name(facts.terms, facts.terms[event.a][1]) not in _PAUSES:
        return False
    frame = facts.chains[event.chain]
    return frame[1:3] == ("loop", loop)
