"""Pushes invoices to the tax office."""

import requests
from celery import shared_task

from office import Office


@shared_task(bind=True, max_retries=None, default_retry_delay=300)
def push_invoice(self, number: str) -> str:
    try:
        return Office().push(number)
    except requests.HTTPError:
        raise
    except (requests.ConnectionError, requests.Timeout) as error:
        raise self.retry(exc=error)
