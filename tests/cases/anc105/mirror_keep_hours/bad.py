import logging
import time

import requests

KEEP_HOURS = 48
log = logging.getLogger()


def oncall(msg):
    requests.post("https://events.pagerduty.com/v2/enqueue", json={"payload": {"summary": msg}})


class Mirror:
    def __init__(self, pos):
        self.pos = pos

    def check(self):
        behind = time.time() - self.pos.read_at
        log.info("behind %s", behind)
        if behind >= KEEP_HOURS * 3600:
            oncall("mirror has fallen out")  # expect: ANC105
