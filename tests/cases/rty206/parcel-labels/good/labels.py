from datetime import timedelta

import dramatiq
from celery import shared_task
from redis import Redis
from rq import Queue

from depot.carrier import Refused, carrier
from depot.shelf import shelf

work = Queue("labels", connection=Redis())
MOST = 6


def print_label(parcel: str, attempt: int = 0) -> None:
    try:
        sheet = carrier.label(parcel)
    except Exception:
        if attempt < MOST:
            work.enqueue_in(timedelta(minutes=3), print_label, parcel, attempt + 1)
        return
    shelf.keep(parcel, sheet)


@shared_task
def announce(parcel: str, depot: str) -> None:
    try:
        carrier.announce(parcel, depot)
    except Refused:
        shelf.put_aside(parcel)
        return
    except Exception:
        announce.apply_async(args=(parcel, depot), countdown=90)


@dramatiq.actor
def watch(depot: str) -> None:
    try:
        shelf.count(depot)
    except Exception:
        watch.send_with_options(args=(depot,), delay=30_000)
        return
    watch.send_with_options(args=(depot,), delay=5_000)


def fetch_slip(parcel: str) -> None:
    try:
        carrier.slip(parcel)
    except Exception:
        work.enqueue(note_missing, parcel)


def note_missing(parcel: str) -> None:
    shelf.note(parcel)
