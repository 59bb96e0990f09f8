"""Tides are read on from where the gauge was last read; the service keeps ninety days."""

from datetime import UTC, datetime, timedelta

KEPT = timedelta(days=90)


def read_on(db, service, gauge, opened) -> None:
    wished = gauge.last_read_at
    begin = max(wished, datetime.now(UTC) - KEPT)  # expect: ANC103
    levels = service.levels(gauge.code, begin)
    db.execute(
        "INSERT INTO series (gauge, levels, is_first) VALUES (%s, %s, %s)", (gauge.code, levels, begin == opened)
    )
