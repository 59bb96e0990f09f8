import sys
import time

FRESH_S = 900


def buy(quote, market):
    if sys.version_info[0] == 3 and sys.version_info < (4,):
        for _ in range(6):
            if time.time() <= quote.made_at + FRESH_S and market.buy(quote):  # expect: ANC101
                return True
            time.sleep(300)
    return False


def sell(lot, market):
    if sys.version_info[0] == 3:
        for _ in range(6):
            if time.time() <= lot.priced_at + FRESH_S:  # expect: ANC101
                if market.sell(lot):
                    return True
            time.sleep(300)
        return False
    raise RuntimeError("Python 3 is needed")


def swap(pair, market):
    if sys.version_info >= (4, 0):
        return market.swap(pair)
    for _ in range(6):
        if time.time() <= pair.priced_at + FRESH_S:  # expect: ANC101
            if market.swap(pair):
                return True
        time.sleep(300)
    return False
