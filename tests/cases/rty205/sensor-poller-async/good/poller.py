import asyncio
import logging

import aiohttp

log = logging.getLogger(__name__)


class Poller:
    def __init__(self, session: aiohttp.ClientSession, url: str, publish) -> None:
        self.session, self.url, self.publish = session, url, publish
        self.errors = 0

    async def forever(self) -> None:
        while True:
            try:
                await self.publish(await self.fetch())
                self.errors = 0
            except aiohttp.ClientError as error:
                self.errors += 1
                if self.errors >= 20:
                    raise SystemExit(f"{self.url}: {error}") from error
            await asyncio.sleep(30)

    async def fetch(self) -> dict:
        async with self.session.get(self.url) as answer:
            answer.raise_for_status()
            return await answer.json()
