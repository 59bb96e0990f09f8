"""Prints boarding passes; a layout that ran out of the cache is made anew."""
from celery import shared_task
from django.core.cache import cache


class PrinterBusy(Exception):
    pass


def lay_out(pass_id):
    sheet = f"<pass {pass_id}>"
    cache.set(f"sheet:{pass_id}", sheet, 1800)
    return sheet


@shared_task(bind=True, autoretry_for=(PrinterBusy,), max_retries=20, default_retry_delay=300)
def print_pass(self, pass_id, printer):
    sheet = cache.get(f"sheet:{pass_id}")
    if sheet is None:
        sheet = lay_out(pass_id)
    if not printer.takes(sheet):
        raise PrinterBusy(pass_id)
    return sheet
