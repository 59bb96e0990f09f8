import time

import redis

pool = redis.Redis()
HOLD_S = 45


def seize(room: str, me: str) -> int | None:
    held = pool.hgetall(f"seat:{room}")
    if held and held["who"] != me and float(held["until"]) > time.time():
        return None
    turn = int(held["turn"]) + 1 if held else 1
    pool.hset(f"seat:{room}", mapping={"who": me, "until": time.time() + HOLD_S, "turn": turn})
    return turn


def render(room: str, me: str, archive) -> None:
    turn = seize(room, me)
    if turn is not None:
        built = archive.build(room)
        if int(pool.hget(f"seat:{room}", "turn")) == turn:
            archive.append(room, built)
