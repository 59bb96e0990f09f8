import time


class Gate:
    def __init__(self, db):
        self.db = db
        self.last = 0.0

    def _now(self):
        t = time.time()
        if t < self.last:
            raise RuntimeError("the clock went back")
        self.last = t
        return t

    def admit(self, op):
        if self._now() >= op.expires_at:
            return "late"
        if self.db.execute("select 1 from seen where id = ?", (op.id,)).fetchone():
            return "dup"
        self.db.execute("insert into seen (id, expires_at) values (?, ?)", (op.id, op.expires_at))
        self.db.execute("insert into effects (id) values (?)", (op.id,))
        return "ok"

    def sweep(self):
        self.db.execute("delete from seen where expires_at <= ?", (self._now(),))
