from datetime import datetime, timedelta, timezone

YEAR = timedelta(days=365)


def chart(db, meter) -> dict:
    begin = max(meter.installed_at, datetime.now(timezone.utc) - YEAR)
    rows = db.execute("SELECT at, units FROM readings WHERE at >= %s", (begin,)).fetchall()
    return {"from": begin.isoformat(), "rows": rows}
