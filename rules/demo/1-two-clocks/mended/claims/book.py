"""The claims and what became of them."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime


@dataclass
class Claim:
    number: int
    cell: str
    deadline: datetime
    attempts: int


class Book:
    def __init__(self, path: str) -> None:
        self._rows = sqlite3.connect(path)

    def waiting(self) -> list[Claim]:
        found = self._rows.execute("SELECT number, cell, deadline, attempts FROM claims WHERE status = 'waiting'")
        return [
            Claim(number, cell, datetime.fromisoformat(deadline), attempts)
            for number, cell, deadline, attempts in found
        ]

    def keep_waiting(self, claim: Claim) -> None:
        with self._rows:
            self._rows.execute("UPDATE claims SET attempts = ? WHERE number = ?", (claim.attempts, claim.number))

    def close(self, claim: Claim, reason: str) -> None:
        with self._rows:
            self._rows.execute(
                "UPDATE claims SET status = 'closed', reason = ? WHERE number = ?", (reason, claim.number)
            )
