import time

import psycopg
from press import Press

CORRECTABLE_S = 2 * 86400
WAITING = "SELECT id, article, printed_at FROM errata WHERE state = 'noted'"
PASSED_OVER = "SELECT count(*) FROM errata WHERE state = 'printed'"


def correct(press: Press, article, printed_at):
    if time.time() > printed_at + CORRECTABLE_S:
        return "printed"
    return "noted" if not press.correct(article) else "corrected"


def run(db: psycopg.Connection, press: Press):
    for number, article, printed_at in db.execute(WAITING).fetchall():
        state = correct(press, article, printed_at)
        db.execute("UPDATE errata SET state = %(state)s WHERE id = %(id)s", {"state": state, "id": number})
    return db.execute(PASSED_OVER).fetchone()
