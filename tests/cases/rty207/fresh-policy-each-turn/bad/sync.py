import time

from policy import Policy


def sync(folder, remote) -> None:
    while True:
        policy = Policy(5)  # expect: RTY207
        try:
            remote.pull(folder)
            return
        except ConnectionError as error:
            policy.note(error)
            time.sleep(3)
