import time


class Ledger:
    def __init__(self, db):
        self.db = db

    def book(self, entry) -> bool:
        if self.db.execute("SELECT 1 FROM booked WHERE id = ?", (entry.id,)).fetchone():
            return False
        self.db.execute("INSERT INTO booked (id, at) VALUES (?, ?)", (entry.id, time.time()))
        self.db.execute("INSERT INTO lines (cents) VALUES (?)", (entry.cents,))
        return True

    def tidy(self) -> None:
        self.db.execute("DELETE FROM booked WHERE at < ?", (time.time() - 86400,))
