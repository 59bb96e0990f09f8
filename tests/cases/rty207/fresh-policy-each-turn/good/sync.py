import time

from policy import Policy


def sync(folder, remote) -> None:
    policy = Policy(5)
    while True:
        try:
            remote.pull(folder)
            return
        except ConnectionError as error:
            policy.note(error)
            time.sleep(3)
