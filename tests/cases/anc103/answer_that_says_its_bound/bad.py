from datetime import UTC, datetime, timedelta

YEAR = timedelta(days=365)


def roll_up(db, meter) -> None:
    begin = max(meter.last_rolled_at, datetime.now(UTC) - YEAR)  # expect: ANC103
    total = db.execute("SELECT sum(units) FROM readings WHERE at >= %s", (begin,)).fetchone()[0]
    db.execute("INSERT INTO totals (meter, total) VALUES (%s, %s)", (meter.number, total))
