import time
from functools import partial
from typing import NamedTuple

SPAN = 5 * 86400


class verdict(NamedTuple):  # noqa: N801
    sheet: object
    usable: bool


def within(moment, plate):
    return moment - plate.etched < SPAN  # expect: ANC101


def press(plates):
    keep = partial(within, time.time())
    for plate in plates.waiting():
        if keep(plate):
            plate.run()
        else:
            plate.tries += 1
        plates.save(plate)


def look(proofs, order):
    sheet = proofs.find(order.number)
    return verdict(sheet, time.time() - SPAN <= order.drawn)  # expect: ANC101


def proof(proofs, orders, later):
    for order in orders:
        found = look(proofs, order)
        if found.sheet and found.usable:
            order.approve(found.sheet)
        else:
            later.append(order)
