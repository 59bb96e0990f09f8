"""A retry site: a place that makes the same item be tried again."""

from __future__ import annotations

from typing import NamedTuple

from anchorlint.python.facts import NONE, Event
from anchorlint.python.refs import Ref


class Site(NamedTuple):
    """A place where the same work is given another try.

    kind     what happens there
    loop     the loop goes round (`loop` is its number)
    bump     a counter that belongs to the item grows (`target` is its place)
    stays    the item leaves with the state by which it is picked up again (`waiting` are its words in SQL text)
    requeue  the item is put back into what it came from
    call     a framework's retry is asked for; raise: by an exception that means it
    again    the function has itself called later; recursion: at once
    unacked  a message is left without the acknowledgement that other ways through the loop give (`given` are their
             path conditions where the end of the loop's body lies behind them, so that none of them may have held)
    poll     a test that is called until it says yes says no
    decorator  an exception leaves a function that is called again (`decorated`); the event is where it is raised
    """

    function: Ref
    kind: str
    event: Event
    loop: int = NONE
    target: int = NONE
    state: int = NONE
    decorated: Ref | None = None
    given: tuple[int, ...] = ()
    waiting: frozenset[str] = frozenset()
