"""Asks the registry who serves a shard."""

import httpx


class Registry:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def owner(self, shard: str) -> tuple[bool, str | None, int]:
        """Whether the registry answered, and if so the owner and its term."""
        try:
            answer = await self._http.get(f"/shards/{shard}")
            answer.raise_for_status()
        except httpx.HTTPError:
            return False, None, 0
        body = answer.json()
        return True, body.get("owner"), body.get("term", 0)
