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
            chances = 5  # expect: RTY207
            async for line in socket:
                await show(line)

    while True:
        try:
            await session()
        except OSError as error:
            chances -= 1
            if chances == 0:
                raise Silent(url) from error
        await asyncio.sleep(1)
