"""Follows a build until it ends or stands still."""

import asyncio


class Stuck(Exception):
    pass


async def follow(api, build: str, patience: int = 20) -> str:
    seen = None
    idle = 0
    while True:
        report = await api.build(build)
        if report["state"] in ("passed", "failed"):
            return report["state"]
        step = report.get("step")
        if step is not None:
            if step == seen:
                idle += 1
            else:
                idle = 0
            seen = step
        if idle >= patience:
            raise Stuck(f"{build} at {seen}")
        await asyncio.sleep(3)
