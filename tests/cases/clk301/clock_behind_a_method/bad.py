import time


class Gate:
    def __init__(self, db):
        self.db = db

    def _now(self):
        return time.time()

    def admit(self, op):
        if self._now() >= op.expires_at:  # expect: CLK301
            return "late"
        if self.db.execute("select 1 from seen where id = ?", (op.id,)).fetchone():
            return "dup"
        self.db.execute("insert into seen (id, expires_at) values (?, ?)", (op.id, op.expires_at))
        self.db.execute("insert into effects (id) values (?)", (op.id,))
        return "ok"

    def sweep(self):
        self.db.execute("delete from seen where expires_at <= ?", (self._now(),))
