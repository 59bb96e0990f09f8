import asyncio
import enum
import time

KEPT_MS = 3 * 24 * 60 * 60 * 1000


class Answer(enum.Enum):
    DONE = "done"
    AGAIN = "again"


async def replay(log, session):
    reach = int(time.time() * 1000) - KEPT_MS
    if session.opened_ms < reach:  # expect: ANC101
        return Answer.AGAIN
    rows = await log.between(session.opened_ms, session.closed_ms)
    return Answer.DONE if rows else Answer.AGAIN


async def follow(log, session):
    for pause in (1, 10, 60, 600):
        if await replay(log, session) is Answer.DONE:
            return True
        await asyncio.sleep(pause)
    return False
