import logging

import requests

log = logging.getLogger(__name__)


class Inventory:
    def __init__(self, base: str) -> None:
        self.base = base

    def owners(self, region: str) -> dict[str, str]:
        """The owner of each volume that a machine still mounts."""
        try:
            reply = requests.get(f"{self.base}/{region}/mounts", timeout=5)
            reply.raise_for_status()
        except requests.RequestException:
            log.warning("no mounts of %s", region)
            return {}
        return {mount["volume"]: mount["owner"] for mount in reply.json()}

    def snapshots(self, region: str) -> set[str]:
        """The snapshots that some volume was made from."""
        try:
            reply = requests.get(f"{self.base}/{region}/parents", timeout=5)
            reply.raise_for_status()
        except requests.RequestException:
            return set()
        return set(reply.json())

    def pinned(self, region: str) -> list[str]:
        try:
            reply = requests.get(f"{self.base}/{region}/pins", timeout=5)
            reply.raise_for_status()
        except requests.RequestException:
            return []
        return reply.json()
