"""Lockers are ordered from a carrier; the carrier's own page says what became of a parcel."""

import sqlite3
import time

import requests

WAIT_S = 3 * 24 * 3600


def look(number: str) -> str:
    answer = requests.get(f"https://carrier.example/parcels/{number}", timeout=20)
    answer.raise_for_status()
    return answer.json()["phase"]


def refresh(db: sqlite3.Connection) -> None:
    for (number,) in db.execute("SELECT number FROM parcels WHERE phase = 'sent'").fetchall():
        if look(number) == "delivered":
            db.execute("UPDATE parcels SET phase = 'delivered' WHERE number = ?", (number,))


def write_off(db: sqlite3.Connection) -> None:
    db.execute(  # expect: ANC104
        "UPDATE parcels SET phase = 'lost' WHERE phase = 'sent' AND sent_at < ?", (time.time() - WAIT_S,)
    )
    db.commit()
