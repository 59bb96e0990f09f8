import time

from board import Board

CALLED_FOR_S = 1800


def turn(subscription, board: Board):
    for order in subscription.pull(25):
        if order.ready_at + CALLED_FOR_S < time.time():
            order.ack()
        elif board.show(order.number):
            order.ack()
