import sqlite3
import time

from press import Press

CORRECTABLE_S = 2 * 86400
WAITING = "SELECT id, article, printed_at FROM errata WHERE state IN ('noted', 'unread')"


def correct(press: Press, article, printed_at):
    if time.time() > printed_at + CORRECTABLE_S:  # expect: ANC101
        return "noted"
    if not press.correct(article):
        return "noted"
    return "corrected"


def run(db: sqlite3.Connection, press: Press):
    for number, article, printed_at in db.execute(WAITING).fetchall():
        state = correct(press, article, printed_at)
        db.execute("UPDATE errata SET tried_at = ?, state = ? WHERE id = ?", (time.time(), state, number))
        db.commit()
