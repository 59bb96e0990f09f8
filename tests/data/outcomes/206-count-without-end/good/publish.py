"""Publishes a release page."""

import asyncio
import itertools

import aiohttp


async def publish(session: aiohttp.ClientSession, page: dict) -> str:
    for turn in itertools.count():
        try:
            async with session.put("/pages", json=page) as answer:
                if answer.status in (401, 403, 404):
                    raise PermissionError(page["title"])
                answer.raise_for_status()
                return (await answer.json())["id"]
        except aiohttp.ClientError:
            if turn >= 8:
                raise
            await asyncio.sleep(min(60, 2**turn))
