import time

import kubernetes

PAUSES_S = (1, 2, 4, 8, 16)


class Lost(Exception):
    pass


def watch(api: kubernetes.client.CoreV1Api, seen) -> None:
    pauses = iter(PAUSES_S)
    while True:
        try:
            stream = kubernetes.watch.Watch()
            pauses = iter(PAUSES_S)  # expect: RTY207
            for event in stream.stream(api.list_pod_for_all_namespaces):
                seen(event)
        except OSError as error:
            pause_s = next(pauses, None)
            if pause_s is None:
                raise Lost("pods") from error
            time.sleep(pause_s)
