import logging
import time

from board import Board

CALLED_FOR_S = 1800
log = logging.getLogger(__name__)


def called(order, board: Board):
    if order.ready_at + CALLED_FOR_S < time.time():
        log.info("order %s is no longer called", order.number)
        return False
    return board.show(order.number)


def turn(subscription, board: Board, stopping):
    for order in subscription.pull(25):
        shown = called(order, board)
        if shown:
            order.ack()
        else:
            log.warning("order %s is not on the board", order.number)
            order.reject(requeue=False)
        if stopping.is_set():
            break
