import json
import os
import time
from pathlib import Path

DEAD_AFTER_S = 600


class Taken(Exception):
    pass


def enter(path: Path) -> None:
    if path.exists():
        note = json.loads(path.read_text())
        if note["pid"] != os.getpid() and time.time() - note["at"] < DEAD_AFTER_S:  # expect: CLK301
            raise Taken(note["pid"])
    path.write_text(json.dumps({"pid": os.getpid(), "at": time.time()}))


def leave(path: Path) -> None:
    path.unlink()
