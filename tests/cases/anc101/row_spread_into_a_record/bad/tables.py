from typing import NamedTuple

import psycopg

BOOKING = "SELECT party, seats, asked_at FROM bookings WHERE code = %s"


class Booking(NamedTuple):
    code: str
    party: str
    seats: int
    asked_at: float


def booking(conn: psycopg.Connection, code: str) -> Booking:
    row = conn.execute(BOOKING, (code,)).fetchone()
    return Booking(code, *row)
