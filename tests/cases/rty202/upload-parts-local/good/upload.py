import time

import httpx


class UploadStopped(Exception):
    pass


def upload(client: httpx.Client, path: str, parts: list[bytes]) -> None:
    losses, arrived, before = 0, 0, 0
    while arrived < len(parts):
        try:
            for number, part in enumerate(parts):
                client.put(f"{path}/{number}", content=part).raise_for_status()
                arrived = max(arrived, number + 1)
            return
        except httpx.TransportError as error:
            losses = 1 if arrived > before else losses + 1
            before = arrived
            if losses > 5:
                raise UploadStopped(f"{arrived} of {len(parts)}: {error}") from error
            time.sleep(losses)
