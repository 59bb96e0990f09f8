import datetime
import sys
import time
from http import HTTPStatus

if sys.version_info >= (3, 13):
    import whenever
else:
    import pendulum

GOOD_FOR_S = 900


def to_stdlib(moment):
    convert = getattr(moment, "to_stdlib", None)
    if callable(convert):
        return convert()
    return moment.py_datetime()


def present():
    if sys.version_info >= (3, 13):
        return to_stdlib(whenever.ZonedDateTime.now("UTC"))
    return pendulum.now("UTC")


def buy(quote, market):
    for _ in range(6):
        if present() > quote.made_at + datetime.timedelta(seconds=GOOD_FOR_S):
            return "too_late"
        if market.buy(quote):
            return "bought"
        time.sleep(300)
    return "no_answer"


def answer(job, response, store):
    """What an answer says of itself is no state by which anything is picked up again."""
    asked_at = present()
    changed = store.change(job)
    if changed.state.at >= asked_at:
        response.status_code = HTTPStatus.CREATED
    else:
        response.status_code = HTTPStatus.OK
    return changed


def was_made(response):
    return response.status_code in (HTTPStatus.CREATED, HTTPStatus.OK)
