import os

import httpx


def wake(text: str) -> None:
    httpx.post(os.environ["PAGERDUTY_URL"], json={"summary": text, "severity": "critical"}).raise_for_status()
