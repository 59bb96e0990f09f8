from datetime import UTC, datetime, timedelta

YEAR = timedelta(days=365)


def chart(db, meter) -> dict:
    begin = max(meter.installed_at, datetime.now(UTC) - YEAR)
    rows = db.execute("SELECT at, units FROM readings WHERE at >= %s", (begin,)).fetchall()
    return {"from": begin.isoformat(), "rows": rows}
