"""The ward's side: an order whose answer was lost is settled after the restart."""

import time
from dataclasses import dataclass

from cabinet import REMEMBER_S, Cabinet


@dataclass
class Order:
    number: str
    drawer: int
    remembered_until: float


def place(cabinet: Cabinet, number: str, drawer: int) -> Order:
    order = Order(number, drawer, time.time() + REMEMBER_S)
    cabinet.dispense(number, drawer)
    return order


def settle(cabinet: Cabinet, order: Order) -> bool:
    """Whether the dose went out, sending the order again while the cabinet still remembers it."""
    if time.time() < order.remembered_until:  # expect: CLK301
        cabinet.dispense(order.number, order.drawer)
        return True
    return cabinet.was_handed_out(order.number)
