from datetime import UTC, datetime, timedelta

from speak import wake

HOLD_LIFETIME = timedelta(days=30)
LEAD = timedelta(days=4)


def review(holds) -> None:
    for hold in holds:
        age = datetime.now(UTC) - hold.placed_at
        if age >= HOLD_LIFETIME - LEAD:
            wake(f"hold {hold.number} goes at {hold.placed_at + HOLD_LIFETIME}")
