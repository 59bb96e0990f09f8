"""A frame may only be uploaded within two days; the spool counts a refusal like a lost connection."""

import time
from dataclasses import dataclass

TAKEN_FOR_S = 2 * 86400


@dataclass
class Frame:
    path: str
    shot_at: float
    turns: int = 0


def accepted(frame: Frame) -> bool:
    return time.time() - frame.shot_at <= TAKEN_FOR_S  # expect: ANC101


def drain(spool, server) -> None:
    for frame in spool.frames():
        try:
            if accepted(frame):
                server.put(frame.path)
                spool.forget(frame)
                continue
        except OSError as error:
            spool.note(frame, error)
        frame.turns += 1
        if frame.turns > 50:
            spool.park(frame)
