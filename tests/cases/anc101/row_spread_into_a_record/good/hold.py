import time

import psycopg
from celery import shared_task
from tables import booking

HOLDABLE_S = 600


class NoTable(Exception):
    pass


@shared_task(autoretry_for=(NoTable,), retry_backoff=30, max_retries=20)
def hold(code, room):
    with psycopg.connect("service=hall") as conn:
        asked = booking(conn, code)
        if time.time() - asked.asked_at > HOLDABLE_S:
            return "too late"
        if not room.hold(asked.seats):
            raise NoTable(code)
