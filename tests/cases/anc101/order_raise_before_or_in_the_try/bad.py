import time

KEEP_S = 5 * 86400


class Refused(Exception):
    pass


def tail(build, store):
    for _ in range(12):
        try:
            if time.time() - KEEP_S >= build.ended_at:  # expect: ANC101
                raise Refused(build.id)
            return store.log(build.id)
        except (Refused, TimeoutError):
            time.sleep(30)
    return None
