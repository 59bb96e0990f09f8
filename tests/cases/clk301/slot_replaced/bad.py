"""Match/case + dataclass + status object."""

import time
from dataclasses import dataclass, replace
from enum import Enum


class Phase(Enum):
    IDLE = 1
    BUSY = 2
    DONE = 3


@dataclass(frozen=True)
class Slot:
    name: str
    phase: Phase
    since: float
    who: str = ""


class Board:
    def __init__(self, store, me):
        self.store = store
        self.me = me

    def grab(self, name):
        slot = self.store.load(name)
        if slot.phase is Phase.DONE:
            return None
        if slot.phase is Phase.BUSY and time.time() - slot.since < 120:  # expect: CLK301
            return None
        taken = replace(slot, phase=Phase.BUSY, since=time.time(), who=self.me)
        self.store.save(taken)
        return taken

    def finish(self, slot, output):
        output.ship(slot.name)
        self.store.save(replace(slot, phase=Phase.DONE))
