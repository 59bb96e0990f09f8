import time


class Breaker:
    def __init__(self, db):
        self.db = db

    def call(self, name, fn):
        row = self.db.execute("select state, opened_at from breakers where name = ?", (name,)).fetchone()
        if row and row[0] == "open" and time.time() - row[1] < 60:
            raise RuntimeError("open")
        try:
            out = fn()
        except OSError:
            self.db.execute("update breakers set state = 'open', opened_at = ? where name = ?", (time.time(), name))
            raise
        self.db.execute("update breakers set state = 'closed' where name = ?", (name,))
        return out
