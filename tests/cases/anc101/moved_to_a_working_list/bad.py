import json
import time

import redis

from gate import Gate

store = redis.Redis(decode_responses=True)
ASKED, IN_HAND, LOST = "passes:asked", "passes:in-hand", "passes:lost"
GOOD_FOR_S = 120


def opened(entry, gate: Gate):
    if entry["scanned_at"] + GOOD_FOR_S < time.time():  # expect: ANC101
        return False
    return gate.open(entry["lane"])


def serve(gate: Gate):
    while True:
        text = store.blmove(ASKED, IN_HAND, 20, "RIGHT", "LEFT")
        if not text:
            continue
        if not opened(json.loads(text), gate):
            store.rpush(ASKED, text)
        store.lrem(IN_HAND, 1, text)
