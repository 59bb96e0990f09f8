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
    return await conn.fetchrow(TAKE, worker, at, at - ABANDONED)  # expect: CLK301


async def deliver(conn: asyncpg.Connection, number: int, video: bytes) -> None:
    await conn.execute("UPDATE renders SET ready = true, video = $2 WHERE id = $1", number, video)
