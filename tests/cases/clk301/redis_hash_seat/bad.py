import time

import redis

pool = redis.Redis()
HOLD_S = 45


def seize(room: str, me: str) -> bool:
    held = pool.hgetall(f"seat:{room}")
    if held and held["who"] != me and float(held["until"]) > time.time():  # expect: CLK301
        return False
    pool.hset(f"seat:{room}", mapping={"who": me, "until": time.time() + HOLD_S})
    return True


def leave(room: str) -> None:
    pool.delete(f"seat:{room}")


def render(room: str, me: str, archive) -> None:
    if seize(room, me):
        archive.append(room, archive.build(room))
        leave(room)
