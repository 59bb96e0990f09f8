"""Publishes a release page."""

import asyncio
import itertools

import aiohttp


async def publish(session: aiohttp.ClientSession, page: dict) -> str:
    for turn in itertools.count():  # expect: RTY206
        try:
            async with session.put("/pages", json=page) as answer:
                answer.raise_for_status()
                return (await answer.json())["id"]
        except aiohttp.ClientError:
            await asyncio.sleep(min(60, 2**turn))
