from datetime import timedelta

import dramatiq
from celery import shared_task
from redis import Redis
from rq import Queue

from depot.carrier import carrier
from depot.shelf import shelf

work = Queue("labels", connection=Redis())


def print_label(parcel: str) -> None:
    try:
        sheet = carrier.label(parcel)
    except Exception:
        work.enqueue_in(timedelta(minutes=3), print_label, parcel)  # expect: RTY206
        return
    shelf.keep(parcel, sheet)


@shared_task
def announce(parcel: str, depot: str) -> None:
    try:
        carrier.announce(parcel, depot)
    except Exception:
        announce.apply_async(args=(parcel, depot), countdown=90)  # expect: RTY206


@dramatiq.actor
def weigh(parcel: str) -> None:
    try:
        shelf.weigh(parcel)
    except Exception:
        weigh.send_with_options(args=(parcel,), delay=30_000)  # expect: RTY206
