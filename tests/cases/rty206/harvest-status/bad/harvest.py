import logging
import time

import requests

log = logging.getLogger(__name__)
session = requests.Session()


def wait_for(job: str) -> dict:
    while True:  # expect: RTY206
        try:
            answer = session.get(f"https://harvest.example/jobs/{job}", timeout=10).json()
        except Exception:
            log.warning("could not ask for job %s", job)
            answer = None
        time.sleep(5)
        if answer is not None:
            return answer


def until_ripe(field: str) -> str:
    while True:  # expect: RTY206
        time.sleep(60)
        try:
            colour = session.get(f"https://harvest.example/fields/{field}", timeout=10).text
            if colour == "green":
                continue
            return colour
        except requests.RequestException:
            log.info("no colour of %s", field)
            continue
