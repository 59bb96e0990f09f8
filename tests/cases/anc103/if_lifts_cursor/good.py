from datetime import UTC, datetime, timedelta

import requests

LISTED = timedelta(days=7)


def follow(db, feed) -> None:
    since = feed.cursor
    floor = datetime.now(UTC) - LISTED
    if floor > since:
        db.execute("INSERT INTO gaps (feed, begin, until) VALUES (?, ?, ?)", (feed.name, since, floor))
        since = floor
    rows = requests.get(feed.address, params={"since": since.isoformat()}, timeout=30).json()
    db.executemany("INSERT INTO notes (feed, text) VALUES (?, ?)", [(feed.name, row["text"]) for row in rows])
    feed.cursor = datetime.now(UTC)
