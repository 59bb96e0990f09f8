import asyncio
import enum
import time

KEPT_MS = 3 * 24 * 60 * 60 * 1000


class Answer(enum.Enum):
    DONE = "done"
    AGAIN = "again"
    GONE = "gone"


async def replay(log, session):
    reach = int(time.time() * 1000) - KEPT_MS
    if session.opened_ms < reach:
        return Answer.GONE
    rows = await log.between(session.opened_ms, session.closed_ms)
    return Answer.DONE if rows else Answer.AGAIN


async def follow(log, session):
    for pause in (1, 10, 60, 600):
        answer = await replay(log, session)
        if answer is not Answer.AGAIN:
            return answer is Answer.DONE
        await asyncio.sleep(pause)
    return False
