"""Asks the registry who serves a shard."""

import httpx


class Registry:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def owner(self, shard: str) -> tuple[str | None, int]:
        try:
            answer = await self._http.get(f"/shards/{shard}")
            answer.raise_for_status()
        except httpx.HTTPError:
            return None, 0  # expect: RTY203
        body = answer.json()
        return body.get("owner"), body.get("term", 0)
