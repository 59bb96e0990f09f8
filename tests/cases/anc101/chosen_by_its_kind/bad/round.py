import time

from errands import ERRANDS, NotDone, nothing


def run(errand):
    for pause_s in (10, 60, 600, 3600):
        handler = ERRANDS.get(errand.kind, nothing)
        try:
            handler(errand)
            return True
        except NotDone:
            time.sleep(pause_s)
    return False
