from datetime import UTC, datetime, timedelta

from speak import wake

HOLD_LIFETIME = timedelta(days=30)


def review(holds) -> None:
    for hold in holds:
        if datetime.now(UTC) - hold.placed_at >= HOLD_LIFETIME:
            wake(f"hold {hold.number} is gone")  # expect: ANC105
