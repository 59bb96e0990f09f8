from datetime import UTC, datetime, timedelta

HOLD = """
UPDATE seats SET held_by = %s, held_until = %s
 WHERE id = %s AND sold = false AND (held_until IS NULL OR held_until < %s)
"""


class Seats:
    def __init__(self, db):
        self.db = db

    def hold(self, seat, me):
        at = datetime.now(UTC)
        cur = self.db.execute(
            HOLD,
            (me, at + timedelta(minutes=10), seat, at),
        )
        return cur.rowcount == 1

    def sell(self, seat, me):
        cur = self.db.execute("UPDATE seats SET sold = true WHERE id = %s AND held_by = %s", (seat, me))
        return cur.rowcount == 1
