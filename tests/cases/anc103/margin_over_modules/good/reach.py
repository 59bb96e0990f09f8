from datetime import datetime, timedelta, timezone

SERVED = timedelta(days=60)


def no_earlier(at: datetime) -> datetime:
    first = datetime.now(timezone.utc) - SERVED
    return at if at > first else first
