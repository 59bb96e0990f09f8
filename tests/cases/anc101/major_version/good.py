import sys
import time

FRESH_S = 900


def sell(lot, market):
    if sys.version_info[0] == 2:
        for _ in range(6):
            if time.time() <= lot.priced_at + FRESH_S:
                if market.sell(lot):
                    return True
            time.sleep(300)
        return False
    for _ in range(6):
        if time.time() > lot.priced_at + FRESH_S:
            return "too_late"
        if market.sell(lot):
            return "sold"
        time.sleep(300)
    return "no_answer"
