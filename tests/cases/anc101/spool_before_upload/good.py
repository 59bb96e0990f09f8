"""A frame that has grown too old for the server is dropped by name; a lost connection is counted."""

import time
from dataclasses import dataclass

TAKEN_FOR_S = 2 * 86400


@dataclass
class Frame:
    path: str
    shot_at: float
    turns: int = 0


def accepted(frame: Frame) -> bool:
    return time.time() - frame.shot_at <= TAKEN_FOR_S


def drain(spool, server) -> None:
    for frame in spool.frames():
        if not accepted(frame):
            spool.drop(frame, reason="older than the server takes")
            continue
        try:
            server.put(frame.path)
            spool.forget(frame)
            continue
        except OSError as error:
            spool.note(frame, error)
        frame.turns += 1
        if frame.turns > 50:
            spool.park(frame)
