import requests
from ci import fetch
from rows import Build


def tidy(builds: list[Build]) -> int:
    closed = 0
    for build in builds:
        if build.result != "open" or not build.too_old():
            continue
        try:
            known = fetch(build)
        except requests.RequestException:
            continue
        if not known:
            build.result = "vanished"
            closed += 1
    return closed
