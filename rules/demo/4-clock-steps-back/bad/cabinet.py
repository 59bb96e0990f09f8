"""The dispensing cabinet: hands out a dose at most once for an order."""

import sqlite3
import time

REMEMBER_S = 120


class Cabinet:
    def __init__(self, db: sqlite3.Connection, motor) -> None:
        self._db = db
        self._motor = motor

    def dispense(self, order: str, drawer: int) -> str:
        with self._db:
            if self._db.execute("SELECT 1 FROM handled WHERE order_id = ?", (order,)).fetchone():
                return "already handed out"
            until = time.time() + REMEMBER_S
            self._db.execute("INSERT INTO handled (order_id, forget_at) VALUES (?, ?)", (order, until))
            self._db.execute("INSERT INTO doses (order_id, drawer) VALUES (?, ?)", (order, drawer))
            self._motor.open(drawer)
        return "handed out"

    def was_handed_out(self, order: str) -> bool:
        return self._db.execute("SELECT 1 FROM doses WHERE order_id = ?", (order,)).fetchone() is not None

    def sweep(self) -> None:
        with self._db:
            swept = self._db.execute("DELETE FROM handled WHERE forget_at <= ?", (time.time(),))
            if swept.rowcount:
                self._db.execute("UPDATE cabinet SET generation = generation + 1")
