import asyncio

import websockets


class Silent(Exception):
    pass


async def follow(url: str, show) -> None:
    chances = 5

    async def session() -> None:
        nonlocal chances
        async with websockets.connect(url) as socket:
            await socket.send("subscribe")
            async for line in socket:
                await show(line)
                chances = 5

    while True:
        try:
            await session()
        except OSError as error:
            chances -= 1
            if chances == 0:
                raise Silent(url) from error
        await asyncio.sleep(1)
