"""Pushes invoices to the tax office."""

from celery import shared_task

from office import Office


@shared_task(bind=True, max_retries=None, default_retry_delay=300)  # expect: RTY206
def push_invoice(self, number: str) -> str:
    try:
        return Office().push(number)
    except Exception as error:
        raise self.retry(exc=error)
