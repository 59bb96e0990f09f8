import time

import httpx


class UploadStopped(Exception):
    pass


def upload(client: httpx.Client, path: str, parts: list[bytes]) -> None:
    losses, arrived = 0, 0
    while arrived < len(parts):
        try:
            for number, part in enumerate(parts):
                client.put(f"{path}/{number}", content=part).raise_for_status()
            return
        except httpx.TransportError as error:
            losses += 1
            try:
                there = client.get(path).json()["parts"]  # expect: RTY202
            except httpx.TransportError:
                there = arrived
            if there > arrived:
                arrived, losses = there, 1
            if losses > 5:
                raise UploadStopped(f"{arrived} of {len(parts)}: {error}") from error
            time.sleep(losses)
