import time

GOOD_FOR_S = 900


def buy(quote, market):
    for _ in range(6):
        if time.time() <= quote.made_at + GOOD_FOR_S:  # expect: ANC101
            if market.buy(quote):
                return True
        time.sleep(300)
    return False
