import logging

from inventory import Inventory

log = logging.getLogger(__name__)


def sweep_volumes(cloud, inventory: Inventory, region: str) -> None:
    owners = inventory.owners(region)
    if not owners:
        return
    for volume in cloud.volumes(region):
        if owners.get(volume.id) is None:
            cloud.delete_volume(volume.id)


def sweep_snapshots(cloud, inventory: Inventory, region: str) -> None:
    parents = inventory.snapshots(region)
    if len(parents) == 0:
        log.error("no snapshot of %s has a volume", region)
        return
    for snapshot in sorted(set(cloud.snapshot_ids(region)).difference(parents)):
        cloud.delete_snapshot(snapshot)


def name_images(cloud, inventory: Inventory, region: str) -> None:
    pinned = inventory.pinned(region)
    for image in cloud.images(region):
        if image.name not in pinned:
            log.info("%s is not pinned", image.name)


def drop_pinned(cloud, inventory: Inventory, region: str) -> None:
    pinned = inventory.pinned(region)
    for image in cloud.images(region):
        if image.retired and image.name in pinned:
            cloud.delete_pin(image.name)
