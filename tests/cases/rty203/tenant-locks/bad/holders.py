import requests


def holders(base: str, tenant: str) -> set[str]:
    """The workers that say they hold something of a tenant."""
    try:
        reply = requests.get(f"{base}/tenants/{tenant}/holders", timeout=3)
        reply.raise_for_status()
    except requests.RequestException:
        return set()  # expect: RTY203
    return set(reply.json())


def readers(base: str, tenant: str) -> list[str]:
    try:
        reply = requests.get(f"{base}/tenants/{tenant}/readers", timeout=3)
        reply.raise_for_status()
    except requests.RequestException:
        return []  # expect: RTY203
    return reply.json()


def reclaim(store, base: str, tenant: str) -> None:
    if not holders(base, tenant):
        store.release_claim(tenant)


def shrink(store, base: str, tenant: str) -> None:
    found = readers(base, tenant)
    if len(found) == 0:
        store.delete_replica(tenant)
