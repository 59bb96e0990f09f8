import datetime
import sys
import time

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
        if present() <= quote.made_at + datetime.timedelta(seconds=GOOD_FOR_S):  # expect: ANC101
            if market.buy(quote):
                return True
        time.sleep(300)
    return False
