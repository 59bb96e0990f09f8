from desk import Ticket


def night(tickets: list[Ticket], board) -> None:
    for ticket in tickets:
        if ticket.is_dropped:
            ticket.reopen()
            board.put(ticket)


def close(ticket: Ticket, visit: int, refund) -> bool:
    if ticket.visit != visit:
        return False
    refund.pay(ticket.number)
    ticket.status = "closed"
    return True
