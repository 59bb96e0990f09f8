from datetime import UTC, datetime, timedelta

import asyncpg

ABANDONED = timedelta(minutes=20)

TAKE = """
UPDATE renders SET worker = $1, claimed_at = $2
 WHERE id = (SELECT id FROM renders WHERE ready = false AND (claimed_at IS NULL OR claimed_at < $3)
             ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, scene
"""


async def take(conn: asyncpg.Connection, worker: str):
    at = datetime.now(UTC)
    return await conn.fetchrow(TAKE, worker, at, at - ABANDONED)


async def deliver(conn: asyncpg.Connection, number: int, worker: str, video: bytes) -> bool:
    done = await conn.execute(
        "UPDATE renders SET ready = true, video = $3 WHERE id = $1 AND worker = $2", number, worker, video
    )
    return done == "UPDATE 1"
