import time

import requests

REACH_S = 21 * 86400


class Reading:
    def __init__(self, value=None, problem=""):
        self.value = value
        self.problem = problem


def level(station, at_s):
    try:
        answer = requests.get(f"https://levels.example/{station}", params={"at": at_s}, timeout=20)
        answer.raise_for_status()
    except requests.RequestException:
        return Reading(problem="no reading")
    return Reading(value=answer.json()["level"])


def reaches(at_s):
    return time.time() - REACH_S <= at_s
