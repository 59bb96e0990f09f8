import time

HELD_S = 7 * 86400


def visit(hold, bank):
    expired = time.time() > hold.placed_at + HELD_S
    if expired:
        hold.state = "given up"
        return
    hold.attempts += 1
    if hold.attempts > 20:
        hold.state = "given up"
        return
    bank.capture(hold.ref)
    hold.state = "captured"


def every_evening(holds, bank):
    for hold in holds.filter(state="open"):
        visit(hold, bank)
