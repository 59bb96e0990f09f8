from datetime import UTC, datetime, timedelta

SERVED = timedelta(days=60)


def no_earlier(at: datetime) -> datetime:
    first = datetime.now(UTC) - SERVED
    return at if at > first else first
