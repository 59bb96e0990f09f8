from desk import Ticket


def night(tickets: list[Ticket], board) -> None:
    for ticket in tickets:
        if ticket.is_dropped:
            ticket.reopen()
            board.put(ticket)


def close(ticket: Ticket, refund) -> None:
    refund.pay(ticket.number)
    ticket.status = "closed"
