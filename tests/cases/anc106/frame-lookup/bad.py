from datetime import datetime, timedelta, timezone

import requests

KEPT = timedelta(days=30)


class NoFrame(Exception):
    pass


def frame(camera, at):
    if datetime.now(timezone.utc) - at > KEPT:
        raise NoFrame("no frame")  # expect: ANC106
    try:
        answer = requests.get(f"https://nvr.example/{camera}/{at.isoformat()}", timeout=10)
    except requests.ConnectionError as error:
        raise NoFrame("no frame") from error
    return answer.content
