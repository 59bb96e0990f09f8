from __future__ import annotations

import asyncio

import httpx

from errors import Unserved

PAUSES_S = (1, 5, 30)


async def reading(client: httpx.AsyncClient, station: str) -> dict:
    for pause_s in PAUSES_S:
        answer = await client.get(f"/stations/{station}/latest")
        if answer.status_code == 200:
            return answer.json()
        await asyncio.sleep(pause_s)
    raise Unserved(f"{station}: tried {len(PAUSES_S)} times")  # expect: RTY201
