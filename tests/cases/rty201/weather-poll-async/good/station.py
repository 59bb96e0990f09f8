from __future__ import annotations

import asyncio

import httpx

from errors import Unserved

PAUSES_S = (1, 5, 30)


async def reading(client: httpx.AsyncClient, station: str) -> dict:
    status = 0
    for pause_s in PAUSES_S:
        answer = await client.get(f"/stations/{station}/latest")
        if answer.status_code == 200:
            return answer.json()
        status = answer.status_code
        await asyncio.sleep(pause_s)
    raise Unserved(f"{station}: tried {len(PAUSES_S)} times, the last answer was {status}")
