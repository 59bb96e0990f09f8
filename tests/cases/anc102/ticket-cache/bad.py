"""Prints boarding passes whose layout a worker has laid in the cache."""
from celery import shared_task
from django.core.cache import cache


class NotLaidOut(Exception):
    pass


def lay_out(pass_id, sheet):
    cache.set(f"sheet:{pass_id}", sheet, 1800)


@shared_task(bind=True, autoretry_for=(NotLaidOut,), max_retries=20, default_retry_delay=300)
def print_pass(self, pass_id):
    sheet = cache.get(f"sheet:{pass_id}")  # expect: ANC102
    if sheet is None:
        raise NotLaidOut(pass_id)
    return sheet
