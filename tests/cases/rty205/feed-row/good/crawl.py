from datetime import UTC, datetime

from feeds import Feed

MOST_MISSES = 10


def crawl(feeds: list[Feed], fetch, store) -> None:
    """Started every ten minutes."""
    for feed in feeds:
        if not feed.enabled:
            continue
        try:
            entries = fetch(feed.url)
        except OSError:
            miss(feed)
        else:
            store.add(entries)
            feed.misses = 0
            feed.fetched_at = datetime.now(UTC)


def miss(feed: Feed) -> None:
    feed.misses += 1
    if feed.misses >= MOST_MISSES:
        feed.enabled = False
