"""Feeds of a news reader are fetched by whoever holds them."""

from datetime import UTC, datetime, timedelta

from pymongo import ReturnDocument

HELD = timedelta(minutes=10)


def take(feeds, me: str):
    at = datetime.now(UTC)
    return feeds.find_one_and_update(
        {"phase": "fetching", "held_until": {"$lt": at}},
        {"$set": {"phase": "fetching", "by": me, "held_until": at + HELD}, "$inc": {"round": 1}},
        return_document=ReturnDocument.AFTER,
    )


def finish(feeds, feed, entries: list[dict]) -> bool:
    mine = {"_id": feed["_id"], "round": feed["round"]}
    return feeds.update_one(mine, {"$set": {"phase": "idle", "entries": entries}}).modified_count == 1
