"""Feeds of a news reader are fetched by whoever holds them."""

from datetime import UTC, datetime, timedelta

from pymongo import ReturnDocument

HELD = timedelta(minutes=10)


def take(feeds, me: str):
    at = datetime.now(UTC)
    return feeds.find_one_and_update(  # expect: CLK301
        {"phase": "fetching", "held_until": {"$lt": at}},
        {"$set": {"phase": "fetching", "by": me, "held_until": at + HELD}},
        return_document=ReturnDocument.AFTER,
    )


def finish(feeds, feed, entries: list[dict]) -> None:
    feeds.update_one({"_id": feed["_id"]}, {"$set": {"phase": "idle", "entries": entries}})
