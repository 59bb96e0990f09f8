import requests


def holders(base: str, tenant: str) -> set[str] | None:
    """The workers that say they hold something of a tenant, None where nobody could say."""
    try:
        reply = requests.get(f"{base}/tenants/{tenant}/holders", timeout=3)
        reply.raise_for_status()
    except requests.RequestException:
        return None
    return set(reply.json())


def readers(base: str, tenant: str) -> list[str]:
    try:
        reply = requests.get(f"{base}/tenants/{tenant}/readers", timeout=3)
        reply.raise_for_status()
    except requests.RequestException:
        return []
    return reply.json()


def reclaim(store, base: str, tenant: str) -> None:
    found = holders(base, tenant)
    if found is not None and not found:
        store.release_claim(tenant)


def trim(store, base: str, tenant: str) -> None:
    found = readers(base, tenant)
    if len(found) > 0:
        store.delete_replica(f"{tenant}-standby")
