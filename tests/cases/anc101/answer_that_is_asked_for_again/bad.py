import time

import backoff

KEPT = 3 * 86400


@backoff.on_predicate(backoff.expo, lambda r: r is None, max_tries=9)
def trace(archive, order):
    if time.time() - order.shipped_at > KEPT:  # expect: ANC101
        return None
    return archive.trace(order.id)
