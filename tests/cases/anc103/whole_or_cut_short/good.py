"""Tides are read on from where the gauge was last read; what the service does not keep any more is written down."""

from datetime import UTC, datetime, timedelta

KEPT = timedelta(days=90)


def read_on(db, service, gauge) -> None:
    wished = gauge.last_read_at
    begin = max(wished, datetime.now(UTC) - KEPT)
    levels = service.levels(gauge.code, begin)
    db.execute(
        "INSERT INTO series (gauge, levels, is_whole) VALUES (%s, %s, %s)", (gauge.code, levels, begin == wished)
    )


def read_again(db, service, gauge) -> None:
    wished = gauge.last_read_at - timedelta(hours=6)
    begin = max(wished, datetime.now(UTC) - KEPT)
    if begin != wished:
        db.execute("INSERT INTO holes (gauge, until) VALUES (%s, %s)", (gauge.code, begin))
    db.execute("INSERT INTO series (gauge, levels) VALUES (%s, %s)", (gauge.code, service.levels(gauge.code, begin)))


def read_and_say_what_is_lost(db, service, gauge) -> None:
    wished = gauge.last_read_at
    begin = max(wished, datetime.now(UTC) - KEPT)
    levels = service.levels(gauge.code, begin)
    db.execute("INSERT INTO series (gauge, levels, lost) VALUES (%s, %s, %s)", (gauge.code, levels, begin - wished))
