import time

import requests

RETENTION_S = 24 * 3600


def lag(consumer) -> float:
    return time.time() - consumer.last_record_at


def watch(consumer) -> None:
    if lag(consumer) > RETENTION_S:
        requests.post(  # expect: ANC105
            "https://hooks.slack.com/services/x", json={"text": f"{consumer.name} lost records"}, timeout=5
        )
