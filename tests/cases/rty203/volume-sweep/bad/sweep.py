from inventory import Inventory


def sweep_volumes(cloud, inventory: Inventory, region: str) -> None:
    owners = inventory.owners(region)
    for volume in cloud.volumes(region):
        if owners.get(volume.id) is None:
            cloud.delete_volume(volume.id)


def sweep_snapshots(cloud, inventory: Inventory, region: str) -> None:
    left = set(cloud.snapshot_ids(region)).difference(inventory.snapshots(region))
    for snapshot in sorted(left):
        cloud.delete_snapshot(snapshot)


def sweep_images(cloud, inventory: Inventory, region: str) -> None:
    pinned = inventory.pinned(region)
    for image in cloud.images(region):
        if image.protected or image.name in pinned:
            continue
        cloud.deregister_image(image.name)
