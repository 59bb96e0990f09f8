"""Gives shards that nobody serves to this node."""

from lookup import Registry


async def balance(registry: Registry, shards: list[str], node, leases) -> list[str]:
    taken = []
    for shard in shards:
        known, owner, term = await registry.owner(shard)
        if owner or not known:
            continue
        await leases.take_over(shard, node.name, term + 1)
        taken.append(shard)
    return taken
