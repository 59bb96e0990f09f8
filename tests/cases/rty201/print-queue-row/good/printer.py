"""Sends sheets to the printer; the host starts `pass_over` every minute."""
import sqlite3

MOST_GOES = 5


def pass_over(db: sqlite3.Connection, spool) -> None:
    for row in db.execute("select id, attempts, sheet from sheets where state = 'waiting'").fetchall():
        try:
            spool.send(row["sheet"])
        except OSError as error:
            put_back(db, row, error)
        else:
            db.execute("update sheets set state = 'printed' where id = ?", (row["id"],))


def put_back(db: sqlite3.Connection, row, error: OSError) -> None:
    if row["attempts"] + 1 >= MOST_GOES:
        db.execute(
            "update sheets set state = 'binned', note = 'no goes left', why = ? where id = ?", (str(error), row["id"])
        )
    else:
        db.execute("update sheets set attempts = attempts + 1 where id = ?", (row["id"],))
