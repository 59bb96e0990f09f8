import time

from fastapi import HTTPException

SKEW = 300


async def verify(request, db):
    stamp = int(request.headers["x-stamp"])
    now = int(time.time())
    if not (now - SKEW <= stamp <= now + SKEW):  # expect: CLK301
        raise HTTPException(401)
    nonce = request.headers["x-nonce"]
    seen = await db.fetch_one("SELECT 1 FROM nonces WHERE nonce = :n", {"n": nonce})
    if seen:
        raise HTTPException(409)
    await db.execute("INSERT INTO nonces (nonce, seen_at) VALUES (:n, :s)", {"n": nonce, "s": now})


async def prune(db):
    await db.execute("DELETE FROM nonces WHERE seen_at < :limit", {"limit": int(time.time()) - SKEW})
