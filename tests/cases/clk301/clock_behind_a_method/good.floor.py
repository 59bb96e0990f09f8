import time


class Watermark:
    """Time that never goes back within this process."""

    def __init__(self):
        self._high = 0.0

    def now(self):
        t = time.time()
        if t > self._high:
            self._high = t
        return self._high


class Gate:
    def __init__(self, db, clock: Watermark):
        self.db = db
        self.clock = clock

    def admit(self, op):
        if self.clock.now() >= op.expires_at:
            return "late"
        if self.db.execute("select 1 from seen where id = ?", (op.id,)).fetchone():
            return "dup"
        self.db.execute("insert into seen (id, expires_at) values (?, ?)", (op.id, op.expires_at))
        self.db.execute("insert into effects (id) values (?)", (op.id,))
        return "ok"

    def sweep(self):
        self.db.execute("delete from seen where expires_at <= ?", (self.clock.now(),))
