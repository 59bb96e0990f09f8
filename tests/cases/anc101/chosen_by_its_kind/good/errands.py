import time

from town import carry, fetch

STILL_WANTED_S = 5400


class NotDone(Exception):
    pass


def bring(errand):
    if errand.ordered_at <= time.time() - STILL_WANTED_S:
        return
    fetch(errand.thing)


def take(errand):
    carry(errand.thing)


def nothing(errand):
    raise NotDone(errand.number)


ERRANDS = {"bring": bring, "take": take}
