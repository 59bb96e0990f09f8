import time

VALID_S = 300


class Failed(Exception):
    pass


class Expired(Failed):
    pass


def send(ticket, gate):
    if time.time() > ticket.signed_at + VALID_S:
        raise Expired(ticket)
    gate.open(ticket)


def deliver(ticket, gate):
    for _ in range(9):
        try:
            send(ticket, gate)
            return True
        except Expired:
            return False
        except Failed:
            time.sleep(60)
    return False
