import asyncio
import logging
import time

import requests

log = logging.getLogger(__name__)
session = requests.Session()


def follow(cursor, job: str) -> None:
    state = cursor.state(job)
    while state in ("queued", "running"):
        try:
            lines = session.get(f"https://harvest.example/jobs/{job}/log", timeout=10).text
        except Exception:
            lines = ""
        if lines:
            log.info("%s: %s", job, lines)
        time.sleep(5)
        state = cursor.state(job)


class Feed:
    def __init__(self, link, pause_s: float) -> None:
        self.link = link
        self.pause_s = pause_s
        self.sent: list[str] = []

    async def keep_up(self) -> None:
        while True:
            await asyncio.sleep(self.pause_s)
            if not self.sent:
                continue
            try:
                if self.link.open:
                    await self.link.confirm(self.sent)
                    continue
                await self.link.open_again(self.sent)
            except Exception:
                log.debug("not confirmed, again at the next beat", exc_info=True)
                continue
            return
